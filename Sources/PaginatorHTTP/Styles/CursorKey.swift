import PaginatorCore

/// A key of a style with cursors: the first page, or a cursor with its direction.
///
/// A text that leads forward is its own key, as servers' logs show it. Everything else has a prefix, also a text that
/// would be mistaken for one of these.
enum CursorKey: Equatable, Sendable {
    case first
    case next(JSONValue)
    case previous(JSONValue)

    static let firstKey = "first"
    private static let prefixes = ["next:", "nextjson:", "prev:", "prevjson:"]

    /// The key.
    var key: String {
        switch self {
        case .first: Self.firstKey
        case .next(.string(let text)):
            text.hasSameBytes(as: Self.firstKey) || text.isEmpty
                || Self.prefixes.contains { text.utf8.starts(with: $0.utf8) }
                ? "next:" + text : text
        case .next(let value): "nextjson:" + value.sortedText
        case .previous(.string(let text)): "prev:" + text
        case .previous(let value): "prevjson:" + value.sortedText
        }
    }

    /// Parses a key; `nil` if its JSON is invalid.
    init?(_ key: String) {
        if key.hasSameBytes(as: Self.firstKey) {
            self = .first
        } else if let text = Self.rest(of: key, after: "next:") {
            self = .next(.string(text))
        } else if let text = Self.rest(of: key, after: "prev:") {
            self = .previous(.string(text))
        } else if let text = Self.rest(of: key, after: "nextjson:") {
            guard let value = Self.value(text) else { return nil }
            self = .next(value)
        } else if let text = Self.rest(of: key, after: "prevjson:") {
            guard let value = Self.value(text) else { return nil }
            self = .previous(value)
        } else {
            self = .next(.string(key))
        }
    }

    /// Whether a key leads forward to a page that begins there.
    static func leadsForward(_ key: String) -> Bool {
        switch CursorKey(key) {
        case .first, .next: true
        case .previous, nil: false
        }
    }

    private static func rest(of key: String, after prefix: String) -> String? {
        // By bytes, because Swift combines an accent after a prefix with the prefix's last character.
        key.utf8.starts(with: prefix.utf8) ? String(Substring(key.utf8.dropFirst(prefix.utf8.count))) : nil
    }

    private static func value(_ text: String) -> JSONValue? {
        guard case .success(let document) = Result(catching: { try JSONDocument(Array(text.utf8), maxDepth: 32) })
        else { return nil }
        return document.value(at: .root)
    }

    /// Parses a key, or throws an error that names the parameter.
    static func reading(_ key: String, for parameter: HTTPParameter) throws(HTTPSourceError) -> CursorKey {
        guard let cursor = CursorKey(key) else {
            throw HTTPSourceError(.badKey, "The key is no cursor of this style.", field: parameter.name)
        }
        return cursor
    }
}
