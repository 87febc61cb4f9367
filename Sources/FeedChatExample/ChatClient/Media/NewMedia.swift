package import ChatWire
package import Foundation
import MediaLoader

/// An image or a video to send.
package struct NewMedia: Sendable {
    /// The reason why something cannot be sent.
    package enum Refusal: Error, Sendable, Hashable {
        /// The server accepts no file of more than ``NewMedia/limit`` bytes.
        case tooLarge
        /// The image or the thumbnail is not an image.
        case unreadable
    }

    /// The maximum bytes of a file.
    package static let limit = 16_000_000
    /// The maximum bytes of a thumbnail.
    package static let thumbnailLimit = 100_000

    package let kind: ChatAttachment.Kind
    package let content: Data
    /// A small image of it, created by the picker; `nil` if there is none.
    package let thumbnail: Data?

    package init(_ kind: ChatAttachment.Kind, content: Data, thumbnail: Data? = nil) {
        self.kind = kind
        self.content = content
        self.thumbnail = thumbnail
    }

    /// Returns the attachment for the recipient, before the uploads.
    ///
    /// - Throws: a ``Refusal``.
    func told() throws -> ChatAttachment {
        guard !content.isEmpty, kind == .image || kind == .video else { throw Refusal.unreadable }
        guard content.count <= Self.limit, thumbnail?.count ?? 0 <= Self.thumbnailLimit else { throw Refusal.tooLarge }
        var told = ChatAttachment(kind: kind)
        do {
            let images = (kind == .image ? [content] : []) + [thumbnail].compactMap(\.self)
            let sizes = try images.map { try ImageHeader(rawBytes: [UInt8]($0)).size }
            // The size of the image, or of a video's thumbnail.
            if let size = sizes.first ?? nil, size.width > 0, size.height > 0 {
                (told.width, told.height) = (min(size.width, 100_000), min(size.height, 100_000))
            }
        } catch {
            throw Refusal.unreadable
        }
        return told
    }
}
