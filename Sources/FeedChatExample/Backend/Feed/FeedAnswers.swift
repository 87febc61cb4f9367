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

    package init() {}
}

// What the feed is asked.

struct NewPost: Decodable, Sendable {
    struct Attachment: Decodable, Sendable {
        let type: String
        let contentUrl: String
        let caption: String?
    }

    let requestId: String
    let content: String
    let attachments: [Attachment]?
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

struct NewComment: Decodable, Sendable {
    let requestId: String
    let content: String
}

struct NewUpload: Decodable, Sendable {
    let requestId: String
    let type: String
    let byteCount: Int
}
