import Foundation

/// A post as the feed shows it.
struct PostPreview: Codable, Hashable, Identifiable, Sendable {
    let postId: String
    let contentSummary: String
    let author: Author
    let createdAt: Date
    let liked: Bool
    let likeCount: Int
    let attachmentCount: Int
    let attachmentPreviewImageUrl: String?

    var id: String { postId }
}

/// Who wrote a post.
struct Author: Codable, Hashable, Sendable {
    let id: String
    let name: String
    let profileImageThumbnailUrl: String
}
