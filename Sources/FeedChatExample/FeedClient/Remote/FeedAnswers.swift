import Foundation

// What goes over the wire, and what the client makes of it.

struct AuthorAnswer: Decodable, Sendable {
    let id: Int64
    let name: String
    let profileImageThumbnailUrl: String

    var model: Author { Author(id: id, name: name, imagePath: profileImageThumbnailUrl) }
}

struct PostPreviewAnswer: Decodable, Sendable {
    let postId: Int64
    let contentSummary: String
    let author: AuthorAnswer
    let createdAt: Date
    let liked: Bool
    let likeCount: Int
    let commentCount: Int
    let attachmentCount: Int
    let attachmentPreviewImageUrl: String?

    var model: Post {
        Post(
            id: postId, summary: contentSummary, author: author.model, createdAt: createdAt, isLiked: liked,
            likeCount: likeCount, commentCount: commentCount, attachmentCount: attachmentCount,
            previewImagePath: attachmentPreviewImageUrl)
    }
}

struct FeedApiResponse: Decodable, Sendable {
    let feed: [PostPreviewAnswer]
}

struct PostDetailAnswer: Decodable, Sendable {
    struct AttachmentAnswer: Decodable, Sendable {
        let id: Int64
        let type: String
        let contentUrl: String
        let previewImageUrl: String?
        let caption: String?
    }

    let postId: Int64
    let version: Int
    let content: String
    let author: AuthorAnswer
    let createdAt: Date
    let liked: Bool
    let bookmarked: Bool
    let likeCount: Int
    let shareCount: Int
    let commentCount: Int
    let attachments: [AttachmentAnswer]

    var model: PostDetail {
        PostDetail(
            id: postId, version: version, content: content, author: author.model, createdAt: createdAt, isLiked: liked,
            isBookmarked: bookmarked, likeCount: likeCount, shareCount: shareCount, commentCount: commentCount,
            attachments: attachments.map {
                Attachment(
                    id: $0.id, type: $0.type, contentPath: $0.contentUrl, previewImagePath: $0.previewImageUrl,
                    caption: $0.caption)
            })
    }
}

struct PostCountersAnswer: Decodable, Sendable {
    let postId: Int64
    let liked: Bool
    let bookmarked: Bool
    let likeCount: Int
    let shareCount: Int
    let commentCount: Int

    var model: PostCounters {
        PostCounters(
            postID: postId, isLiked: liked, isBookmarked: bookmarked, likeCount: likeCount, shareCount: shareCount,
            commentCount: commentCount)
    }
}

struct CommentAnswer: Decodable, Sendable {
    let commentId: Int64
    let postId: Int64
    let author: AuthorAnswer
    let content: String
    let createdAt: Date

    var model: Comment {
        Comment(id: commentId, postID: postId, author: author.model, content: content, createdAt: createdAt)
    }
}

struct CommentsAnswer: Decodable, Sendable {
    struct Paging: Decodable, Sendable {
        let next: String?
    }

    let comments: [CommentAnswer]
    let paging: Paging
}

/// What the backend decides for its clients; the last answer is kept for a start without a connection.
package struct FeedConfig: Codable, Sendable, Equatable {
    package struct Cache: Codable, Sendable, Equatable {
        package var timeToLiveDays = 15
        package var minimumPosts = 50
        package var maxBytes = 100_000_000

        /// The limit within what a client accepts: 100 to 200 MB.
        package var acceptedMaxBytes: Int { min(max(maxBytes, 100_000_000), 200_000_000) }
    }

    package struct Retry: Codable, Sendable, Equatable {
        package var attemptLimit = 6
        package var backoffBaseMilliseconds = 500
        package var backoffCapMilliseconds = 60_000
    }

    package var pageSize = 30
    package var cache = Cache()
    package var retry = Retry()
    package var flags: [String: Bool] = [:]

    package init() {}

    /// Whether the feed is kept in a normalized schema instead of the page store.
    package var keepsFeedNormalized: Bool { flags["normalizedFeedStorage"] ?? false }
}
