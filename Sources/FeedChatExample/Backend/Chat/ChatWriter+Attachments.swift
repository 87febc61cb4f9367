import ChatWire
import Foundation
import GRDB

/// Attachments of messages.
extension ChatWriter {
    /// Returns the attachment for the recipients. Media and thumbnails must be complete uploads of the sender; the
    /// thumbnail of a place is created here.
    func checked(_ attachment: ChatAttachment, from user: Int64) throws -> ChatAttachment {
        var checked = ChatAttachment(kind: attachment.kind)
        switch attachment.kind {
        case .image, .video:
            checked.path = try upload(attachment.path, of: user, type: attachment.kind.rawValue)
            checked.thumbnailPath = try attachment.thumbnailPath.map { try upload($0, of: user, type: "image") }
            for side in [attachment.width, attachment.height].compactMap(\.self) where !(1...100_000).contains(side) {
                throw BackendRefusal(400, "a side has 1 to 100000 pixels")
            }
            (checked.width, checked.height) = (attachment.width, attachment.height)
        case .place:
            guard let latitude = attachment.latitude, let longitude = attachment.longitude,
                (-90...90).contains(latitude), (-180...180).contains(longitude),
                (attachment.name ?? "").utf8.count <= 200
            else { throw BackendRefusal(400, "a place has a latitude, a longitude and a name of at most 200 bytes") }
            (checked.latitude, checked.longitude, checked.name) = (latitude, longitude, attachment.name)
            let (north, east) = (Int((latitude * 1_000).rounded()), Int((longitude * 1_000).rounded()))
            checked.thumbnailPath = "/cdn/images/place_\(north)_\(east)"
        default: throw BackendRefusal(400, "an attachment is an image, a video or a place")
        }
        return checked
    }

    private func upload(_ path: String?, of user: Int64, type: String) throws -> String {
        guard let path, try FeedBackend.name(path, of: user, type: type, db) else {
            throw BackendRefusal(404, "there is no such upload of yours")
        }
        return path
    }

    static func text(of attachment: ChatAttachment?) throws -> String? {
        try attachment.map { String(decoding: try BackendJSON.encoder.encode($0), as: UTF8.self) }
    }

    /// Decodes the result of ``text(of:)``.
    static func attachment(_ row: Row) -> ChatAttachment? {
        let text: String? = row["attachment"]
        // It was encoded here, so it can be decoded.
        return text.flatMap { try? BackendJSON.decoder.decode(ChatAttachment.self, from: Data($0.utf8)) }
    }
}
