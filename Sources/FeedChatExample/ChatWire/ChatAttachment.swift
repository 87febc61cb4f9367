/// What comes with a message beside its text: an image, a video or a place.
///
/// Media are uploaded first, by `POST /v1/uploads`, and named by where the server has them. The size stands here, so that
/// a row is as high before its thumbnail has come as after.
package struct ChatAttachment: Codable, Sendable, Hashable {
    /// What it is. One that this version does not know is shown as a file that it cannot open.
    package struct Kind: RawRepresentable, Codable, Sendable, Hashable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        package static let image = Kind(rawValue: "image")
        package static let video = Kind(rawValue: "video")
        package static let place = Kind(rawValue: "place")
    }

    package var kind: Kind
    /// Where the server has it; `nil` for a place.
    package var path: String?
    /// A small image of it; `nil` where there is none.
    package var thumbnailPath: String?
    /// The size in pixels, where it is known.
    package var width: Int?
    package var height: Int?
    /// In degrees, of a place.
    package var latitude: Double?
    package var longitude: Double?
    /// What a place is called.
    package var name: String?

    package init(kind: Kind) { self.kind = kind }

    /// A place on the map.
    package static func place(latitude: Double, longitude: Double, name: String) -> ChatAttachment {
        var place = ChatAttachment(kind: .place)
        (place.latitude, place.longitude, place.name) = (latitude, longitude, name)
        return place
    }

    /// A few words for where it cannot be shown, such as the list of chats and a notification.
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
    /// The text, or a few words for what comes without one.
    package var summary: String { content.isEmpty ? attachment?.label ?? "" : content }
}
