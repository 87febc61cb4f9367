package import Foundation

/// An author of posts and comments.
package struct Author: Codable, Hashable, Sendable {
    package let id: Int64
    package let name: String
    /// A path on the CDN.
    package let imagePath: String

    package init(id: Int64, name: String, imagePath: String) {
        self.id = id
        self.name = name
        self.imagePath = imagePath
    }
}

/// A post in lists and in the page store. Negative ids are those of posts that the server has not accepted yet.
package struct Post: Codable, Hashable, Identifiable, Sendable {
    package let id: Int64
    package var summary: String
    package let author: Author
    package let createdAt: Date
    package var isLiked: Bool
    package var likeCount: Int
    package var commentCount: Int
    package var shareCount: Int
    package let attachmentCount: Int
    package let previewImagePath: String?

    package init(
        id: Int64, summary: String, author: Author, createdAt: Date, isLiked: Bool, likeCount: Int, commentCount: Int,
        attachmentCount: Int, previewImagePath: String?, shareCount: Int = 0
    ) {
        self.shareCount = shareCount
        self.id = id
        self.summary = summary
        self.author = author
        self.createdAt = createdAt
        self.isLiked = isLiked
        self.likeCount = likeCount
        self.commentCount = commentCount
        self.attachmentCount = attachmentCount
        self.previewImagePath = previewImagePath
    }
}

/// A whole post, for its own screen.
package struct PostDetail: Codable, Hashable, Identifiable, Sendable {
    package let id: Int64
    /// Increases with each edit; an edit names the version that it is based on.
    package var version: Int
    /// HTML of another user, which must be shown only through the rich-text parser.
    package var content: String
    package let author: Author
    package let createdAt: Date
    package var isLiked: Bool
    package var isBookmarked: Bool
    package var likeCount: Int
    package var shareCount: Int
    package var commentCount: Int
    package let attachments: [Attachment]
}

/// An image or a video of a post.
package struct Attachment: Codable, Hashable, Sendable {
    package let id: Int64
    package let type: String
    package let contentPath: String
    package let previewImagePath: String?
    package let caption: String?
}

/// A scheduled post on the server.
package struct ScheduledPost: Hashable, Identifiable, Sendable {
    package let id: Int64
    package let summary: String
    package let publishAt: Date
}

/// A comment on a post.
package struct Comment: Codable, Hashable, Identifiable, Sendable {
    package let id: Int64
    package let postID: Int64
    package let author: Author
    package let content: String
    package let createdAt: Date
    /// The first comment of its thread; `nil` if it is the first itself.
    package var parentID: Int64?
    package var replyCount = 0
}

/// The server's state of a post.
package struct PostCounters: Hashable, Sendable {
    package let postID: Int64
    package let isLiked: Bool
    package let isBookmarked: Bool
    package let likeCount: Int
    package let shareCount: Int
    package let commentCount: Int
}

/// A change of a post for all lists and screens that show it: previews, the detail, the profile.
package struct PostChange: Sendable {
    package enum Kind: Sendable {
        /// Answers arrive in any order, and comments are never deleted, so the largest comment count is used.
        case counters(PostCounters)
        /// The text has changed; likes and counts are reported only by ``counters(_:)``. An older version changes
        /// nothing.
        case edited(PostDetail, summary: String)
        /// A comment was added; the post has this many comments now.
        case commented(count: Int)
        case deleted
    }

    package let postID: Int64
    package let kind: Kind

    /// Applies the change to a preview.
    func apply(to post: Post) -> Post? {
        var post = post
        switch kind {
        case .counters(let counters):
            post.isLiked = counters.isLiked
            post.likeCount = counters.likeCount
            post.commentCount = max(post.commentCount, counters.commentCount)
            post.shareCount = counters.shareCount
        case .edited(_, let summary): post.summary = summary
        case .commented(let count): post.commentCount = max(post.commentCount, count)
        case .deleted: return nil
        }
        return post
    }

    /// Applies the change to a hit of a search.
    func apply(to hit: SearchHit) -> SearchHit? {
        var hit = hit
        switch kind {
        case .edited(_, let summary): hit.summary = summary
        case .deleted: return nil
        case .counters, .commented: break
        }
        return hit
    }

    /// Applies the change to a detail.
    func apply(to post: PostDetail) -> PostDetail? {
        var post = post
        switch kind {
        case .counters(let counters):
            post.isLiked = counters.isLiked
            post.isBookmarked = counters.isBookmarked
            post.likeCount = counters.likeCount
            post.shareCount = counters.shareCount
            post.commentCount = max(post.commentCount, counters.commentCount)
        case .edited(let detail, _):
            if detail.version >= post.version { (post.version, post.content) = (detail.version, detail.content) }
        case .commented(let count): post.commentCount = max(post.commentCount, count)
        case .deleted: return nil
        }
        return post
    }
}
