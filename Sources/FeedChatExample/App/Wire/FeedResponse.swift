import Foundation

/// What `GET /v1/feed?after=&limit=` answers.
struct FeedResponse: Codable, Sendable {
    let feed: [PostPreview]
    let paging: Paging

    /// The cursors beside the page. They are opaque, and the empty one names the first page.
    struct Paging: Codable, Sendable {
        let previous: String?
        let next: String?
        let total: Int
    }
}

extension JSONEncoder {
    /// The encoder of the wire format.
    static func wire() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }
}

extension JSONDecoder {
    /// The decoder of the wire format.
    static func wire() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}
