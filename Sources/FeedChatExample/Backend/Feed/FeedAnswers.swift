import Foundation

// The answers of the feed on the wire.

/// The answer of `GET /v1/feed`, `GET /v1/users/{id}/posts` and `GET /v1/search`.
struct FeedApiResponse: Codable, Sendable {
    let feed: [PostPreviewAnswer]
    let paging: PagingAnswer
}

/// The start of the next page; `nil` at the end.
struct PagingAnswer: Codable, Sendable {
    let next: String?
}

struct PostPreviewAnswer: Codable, Sendable, Hashable {
    let postId: Int64
    let contentSummary: String
    let author: BackendUser
    let createdAt: Date
    let liked: Bool
    let likeCount: Int
    let commentCount: Int
    let shareCount: Int
    let attachmentCount: Int
    let attachmentPreviewImageUrl: String?
}

struct PostDetailAnswer: Codable, Sendable {
    let postId: Int64
    /// Increases with each edit; `PUT` names the version that it is based on.
    let version: Int
    let content: String
    let author: BackendUser
    let createdAt: Date
    let liked: Bool
    let bookmarked: Bool
    let likeCount: Int
    let shareCount: Int
    let commentCount: Int
    let attachments: [AttachmentAnswer]
}

struct AttachmentAnswer: Codable, Sendable {
    let id: Int64
    let type: String
    let contentUrl: String
    let previewImageUrl: String?
    let caption: String?
}

/// The state of a post, as the answer to an interaction.
struct PostCountersAnswer: Codable, Sendable {
    let postId: Int64
    let liked: Bool
    let bookmarked: Bool
    let likeCount: Int
    let shareCount: Int
    let commentCount: Int
}

struct CommentAnswer: Codable, Sendable {
    let commentId: Int64
    let postId: Int64
    let author: BackendUser
    let content: String
    let createdAt: Date
    /// The comment that it replies to.
    let parentId: Int64?
    let replyCount: Int
}

/// The answer of `POST /v1/posts/{id}/comments`.
struct MadeCommentAnswer: Codable, Sendable {
    let comment: CommentAnswer
    /// The number of comments on the post.
    let commentCount: Int
    /// The number of replies in the thread.
    let threadCount: Int?
}

struct CommentsAnswer: Codable, Sendable {
    let comments: [CommentAnswer]
    let paging: PagingAnswer
}

struct UploadAnswer: Codable, Sendable {
    let uploadId: Int64
    let received: Int
    let byteCount: Int
    /// The address of the content once it is complete.
    let contentUrl: String?
}

/// The answer of `GET /v1/config`.
package struct ClientConfigAnswer: Codable, Sendable {
    package struct Cache: Codable, Sendable {
        package var timeToLiveDays = 15
        package var minimumPosts = 50
        package var maxBytes = 150_000_000
        package var searchablePosts = 5_000
    }

    package struct Retry: Codable, Sendable {
        package var attemptLimit = 6
        package var backoffBaseMilliseconds = 200
        package var backoffCapMilliseconds = 5_000
    }

    package var pageSize = 30
    package var cache = Cache()
    package var retry = Retry()
    /// Switches by name; `normalizedFeedStorage` stores the feed in a normalized schema instead of the page store.
    package var flags: [String: Bool] = ["normalizedFeedStorage": false]
    /// The percentage of users with a feature; `loadsPostsAhead` prefetches the posts of rows on which the user rests.
    package var rollouts: [String: Int] = ["loadsPostsAhead": 100]

    package init() {}
}

// The requests of the feed.

struct NewPost: Codable, Sendable {
    struct Attachment: Codable, Sendable {
        let type: String
        let contentUrl: String
        let caption: String?
    }

    let requestId: String
    let content: String
    let attachments: [Attachment]?
    /// The time at which it appears; without one, or with one in the past, it appears at once.
    var publishAt: Date?
}

/// The answer of `GET /v1/scheduled`.
struct ScheduledPostsAnswer: Encodable, Sendable {
    struct Post: Encodable, Sendable {
        let scheduledId: Int64
        let content: String
        let publishAt: Date
    }

    let scheduled: [Post]
}

struct ChangedPost: Decodable, Sendable {
    let content: String
    let baseVersion: Int
}

struct NewInteraction: Decodable, Sendable {
    enum Kind: String, Decodable, Sendable {
        case liked = "LIKED"
        case removedLike = "REMOVED_LIKE"
        case shared = "SHARED"
        case bookmarked = "BOOKMARKED"
        case removedBookmark = "REMOVED_BOOKMARK"
    }

    let requestId: String
    let type: Kind
}

/// Interactions that waited together, in order.
struct NewInteractions: Decodable, Sendable {
    struct OnPost: Decodable, Sendable {
        let requestId: String
        let postId: Int64
        let type: NewInteraction.Kind
    }

    let interactions: [OnPost]
}

/// The resulting posts of several interactions.
struct InteractionsAnswer: Encodable, Sendable {
    let counters: [PostCountersAnswer]
    /// Posts that do not exist, so that their interactions had no effect.
    let gone: [Int64]
}

struct NewComment: Decodable, Sendable {
    let requestId: String
    let content: String
    let parentId: Int64?
}

struct NewUpload: Decodable, Sendable {
    let requestId: String
    let type: String
    let byteCount: Int
}
