import Foundation

// What the feed answers, as it goes over the wire.

/// What `GET /v1/feed` answers, and `GET /v1/users/{id}/posts` and `GET /v1/search` too.
struct FeedApiResponse: Codable, Sendable {
    let feed: [PostPreviewAnswer]
    let paging: PagingAnswer
}

/// Where the next page begins; `nil` at the end.
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
    /// Grows with each edit; `PUT` names the one that it is based on.
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

/// What a post has become, as the answer to an interaction.
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

/// What `POST /v1/posts/{id}/comments` answers.
struct MadeCommentAnswer: Codable, Sendable {
    let comment: CommentAnswer
    /// How many comments the post has now.
    let commentCount: Int
    /// How many replies the comment has now that it replies to.
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
    /// Where the content is once all of it has come.
    let contentUrl: String?
}

/// What `GET /v1/config` answers.
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
    /// Switches by name; `normalizedFeedStorage` takes the feed out of a normalized schema instead of the page store.
    package var flags: [String: Bool] = ["normalizedFeedStorage": false]
    /// For how many percent of the users a feature is on; `loadsPostsAhead` loads the posts of rows that one rests on.
    package var rollouts: [String: Int] = ["loadsPostsAhead": 100]

    package init() {}
}

// What the feed is asked.

struct NewPost: Codable, Sendable {
    struct Attachment: Codable, Sendable {
        let type: String
        let contentUrl: String
        let caption: String?
    }

    let requestId: String
    let content: String
    let attachments: [Attachment]?
    /// When it shall appear; at once without one, and where it has passed.
    var publishAt: Date?
}

/// What `GET /v1/scheduled` answers.
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

/// Interactions that waited, in their order.
struct NewInteractions: Decodable, Sendable {
    struct OnPost: Decodable, Sendable {
        let requestId: String
        let postId: Int64
        let type: NewInteraction.Kind
    }

    let interactions: [OnPost]
}

/// What became of the posts of several interactions.
struct InteractionsAnswer: Encodable, Sendable {
    let counters: [PostCountersAnswer]
    /// Posts that are not there, so that nothing took effect on them.
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
