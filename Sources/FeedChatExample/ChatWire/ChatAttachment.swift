/// The attachment of a message: an image, a video or a place.
///
/// Media are uploaded first, by `POST /v1/uploads`, and named by their path on the server. The size is included, so
/// that the height of a row does not change when its thumbnail arrives.
package struct ChatAttachment: Codable, Sendable, Hashable {
    /// The kind. A kind that this version does not know is shown as a file that cannot be opened.
    package struct Kind: RawRepresentable, Codable, Sendable, Hashable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        package static let image = Kind(rawValue: "image")
        package static let video = Kind(rawValue: "video")
        package static let place = Kind(rawValue: "place")
    }

    package var kind: Kind
    /// The path on the server; `nil` for a place.
    package var path: String?
    /// A small image of it; `nil` if there is none.
    package var thumbnailPath: String?
    /// The size in pixels, if it is known.
    package var width: Int?
    package var height: Int?
    /// The latitude of a place, in degrees.
    package var latitude: Double?
    package var longitude: Double?
    /// The name of a place.
    package var name: String?

    package init(kind: Kind) { self.kind = kind }

    /// A place on the map.
    package static func place(latitude: Double, longitude: Double, name: String) -> ChatAttachment {
        var place = ChatAttachment(kind: .place)
        (place.latitude, place.longitude, place.name) = (latitude, longitude, name)
        return place
    }

    /// A short description for places that cannot show it, such as the list of chats and a notification.
    package var label: String {
        switch kind {
        case .image: "Photo"
        case .video: "Video"
        case .place: name.map { $0.isEmpty ? "Place" : "Place: " + $0 } ?? "Place"
        default: "File"
        }
    }
}

extension ChatMessage {
    /// The text, or a short description of the attachment.
    package var summary: String { content.isEmpty ? attachment?.label ?? "" : content }
}
