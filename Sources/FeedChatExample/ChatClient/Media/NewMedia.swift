package import ChatWire
package import Foundation
import MediaLoader

/// An image or a video to send.
package struct NewMedia: Sendable {
    /// Why something cannot be sent.
    package enum Refusal: Error, Sendable, Hashable {
        /// The server takes no file of more than ``NewMedia/limit`` bytes.
        case tooLarge
        /// An image or a thumbnail that is none.
        case unreadable
    }

    /// The most bytes that a file has.
    package static let limit = 16_000_000
    /// The most bytes that a thumbnail has.
    package static let thumbnailLimit = 100_000

    package let kind: ChatAttachment.Kind
    package let content: Data
    /// A small image of it, which whoever picked it has made; `nil` where there is none.
    package let thumbnail: Data?

    package init(_ kind: ChatAttachment.Kind, content: Data, thumbnail: Data? = nil) {
        self.kind = kind
        self.content = content
        self.thumbnail = thumbnail
    }

    /// What the recipient is told before the uploads.
    ///
    /// - Throws: a ``Refusal``.
    func told() throws -> ChatAttachment {
        guard !content.isEmpty, kind == .image || kind == .video else { throw Refusal.unreadable }
        guard content.count <= Self.limit, thumbnail?.count ?? 0 <= Self.thumbnailLimit else { throw Refusal.tooLarge }
        var told = ChatAttachment(kind: kind)
        do {
            let images = (kind == .image ? [content] : []) + [thumbnail].compactMap(\.self)
            let sizes = try images.map { try ImageHeader(rawBytes: [UInt8]($0)).size }
            // That of the image, or of what stands for a video.
            if let size = sizes.first ?? nil, size.width > 0, size.height > 0 {
                (told.width, told.height) = (min(size.width, 100_000), min(size.height, 100_000))
            }
        } catch {
            throw Refusal.unreadable
        }
        return told
    }
}
