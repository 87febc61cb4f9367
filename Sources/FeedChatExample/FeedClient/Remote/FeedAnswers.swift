import Foundation
import RichText

// The answers on the wire, and their conversion.

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
    let shareCount: Int
    let attachmentCount: Int
    let attachmentPreviewImageUrl: String?

    var model: Post {
        Post(
            id: postId, summary: contentSummary, author: author.model, createdAt: createdAt, isLiked: liked,
            likeCount: likeCount, commentCount: commentCount, attachmentCount: attachmentCount,
            previewImagePath: attachmentPreviewImageUrl, shareCount: shareCount)
    }
}

struct FeedApiResponse: Decodable, Sendable {
    let feed: [PostPreviewAnswer]
    let paging: PagingAnswer
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

/// The resulting posts of several interactions.
struct InteractionsAnswer: Decodable, Sendable {
    let counters: [PostCountersAnswer]
    /// Deleted posts.
    let gone: [Int64]
}

struct CommentAnswer: Decodable, Sendable {
    let commentId: Int64
    let postId: Int64
    let author: AuthorAnswer
    let content: String
    let createdAt: Date
    let parentId: Int64?
    let replyCount: Int

    var model: Comment {
        Comment(
            id: commentId, postID: postId, author: author.model, content: content, createdAt: createdAt,
            parentID: parentId, replyCount: replyCount)
    }
}

struct MadeCommentAnswer: Decodable, Sendable {
    let comment: CommentAnswer
    let commentCount: Int
    let threadCount: Int?

    var model: MadeComment {
        MadeComment(comment: comment.model, countOnPost: commentCount, countInThread: threadCount)
    }
}

/// The start of the next page; `nil` at the end.
struct PagingAnswer: Decodable, Sendable {
    let next: String?
}

struct CommentsAnswer: Decodable, Sendable {
    let comments: [CommentAnswer]
    let paging: PagingAnswer
}

struct ProfileAnswer: Decodable, Sendable {
    let userId: Int64
    let name: String
    let about: String
    let version: Int

    var model: UserProfile { UserProfile(id: userId, name: name, about: about, version: version) }
}

struct ScheduledPostsAnswer: Decodable, Sendable {
    struct Post: Decodable, Sendable {
        let scheduledId: Int64
        let content: String
        let publishAt: Date

        var model: ScheduledPost {
            ScheduledPost(id: scheduledId, summary: RichText(html: content).summary(), publishAt: publishAt)
        }
    }

    let scheduled: [Post]
}

/// The backend's settings for its clients; the last answer is stored for a start without a connection.
package struct FeedConfig: Codable, Sendable, Equatable {
    package struct Cache: Codable, Sendable, Equatable {
        package var timeToLiveDays = 15
        package var minimumPosts = 50
        package var maxBytes = 100_000_000
        /// The number of posts that the search finds without a connection.
        package var searchablePosts = 5_000

        /// The limit of all caches, ``CacheBudget``, clamped to 100 to 200 MB.
        package var acceptedMaxBytes: Int { min(max(maxBytes, 100_000_000), 200_000_000) }
        /// The lifetime of cached data, clamped to 1 to 365 days.
        var timeToLive: Duration { .seconds(min(max(timeToLiveDays, 1), 365) * 86_400) }
    }

    package struct Retry: Codable, Sendable, Equatable {
        package var attemptLimit = 6
        package var backoffBaseMilliseconds = 500
        package var backoffCapMilliseconds = 60_000
    }

    package var pageSize = 30
    package var cache = Cache()
    package var retry = Retry()
    /// Features that are enabled or disabled for all users; see ``FeatureFlags``.
    package var flags: [String: Bool] = [:]
    /// The percentage of users with each feature.
    package var rollouts: [String: Int] = [:]

    package init() {}
}
