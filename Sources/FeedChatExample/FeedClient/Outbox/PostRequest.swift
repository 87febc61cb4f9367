import AppFoundation
package import Foundation
import GRDB
import RichText

/// A post that the server has not accepted yet.
package struct PostRequest: OutboxOperation, Hashable {
    /// A file of the post, and its upload progress.
    package struct Attachment: Codable, Hashable, Sendable {
        package let type: String
        package let caption: String?
        /// The name of the file in the user's upload folder.
        package let file: String
        package let byteCount: Int
        package var uploadID: Int64?
        package var received = 0
        /// The server's path, once the upload is complete.
        package var contentPath: String?
    }

    package let rowID: Int64
    package let requestID: String
    package let content: String
    /// The plain beginning of the content.
    package let summary: String
    package var attachments: [Attachment]
    package let state: String
    package let failureCount: Int
    package let createdAt: Date
    package let nextAttempt: Date?
    /// The time at which the server publishes it; `nil` for at once.
    package let publishAt: Date?

    package var id: String { requestID }

    /// The id of the post until the server assigns one.
    package var localID: Int64 { -rowID }

    /// Whether it has failed; the user may resend or discard it.
    package var isCanceled: Bool { state == "canceled" }

    /// The share of the attachments' bytes that the server has, 0 to 1.
    package var progress: Double {
        let all = attachments.reduce(0) { $0 + $1.byteCount }
        return all == 0 ? 1 : Double(attachments.reduce(0) { $0 + $1.received }) / Double(all)
    }

    init(_ row: Row) throws {
        rowID = row["id"]
        requestID = row["requestId"]
        content = row["content"]
        summary = RichText(html: content).summary()
        attachments = try JSONDecoder().decode([Attachment].self, from: Data((row["attachments"] as String).utf8))
        state = row["state"]
        failureCount = row["attempts"]
        createdAt = row["createdAt"]
        nextAttempt = row["nextAttempt"]
        publishAt = row["publishAt"]
    }

    /// Returns the post for lists, before the server has it or with the id that the server assigned.
    func preview(by author: Author, id: Int64? = nil) -> Post {
        Post(
            id: id ?? localID, summary: summary, author: author, createdAt: createdAt,
            isLiked: false, likeCount: 0, commentCount: 0, attachmentCount: attachments.count,
            previewImagePath: attachments.first(where: { $0.type == "image" })?.contentPath)
    }
}
