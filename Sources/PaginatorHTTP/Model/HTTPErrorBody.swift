public import Foundation

/// What a server said about a failure: at most ``HTTPLimits/errorBodyBytes`` of the body, and what APIs put there.
///
/// ```swift
/// } catch {
///     let said = (error.underlying as? HTTPSourceError)?.body
///     show(said?.messages.first ?? "Something went wrong.")
/// }
/// ```
///
/// It comes from outside and may contain anything, secrets too: show it to the user whom it is about, and keep it out of
/// logs and metrics. No text that the library makes contains any of it.
public struct HTTPErrorBody: Sendable, CustomStringConvertible, CustomReflectable {
    static let maxDepth = 32

    /// The body's first bytes, as the server sent them.
    public let data: Data
    /// Whether the body was longer.
    public let isTruncated: Bool
    /// The media type, in lower case and without parameters, such as `application/problem+json`.
    public let contentType: String?
    /// The code of the error as the server wrote it, without a namespace: that of `__type`, `errors.0.extensions.code`,
    /// `error.code` and the other places where APIs put it.
    public let code: String?
    private let document: JSONDocument?

    /// - Returns: `nil` when there is no body, or none is wanted.
    init?(_ body: [UInt8], headers: HTTPHeaderFields, limit: Int, code: String?) {
        guard limit > 0, !body.isEmpty else { return nil }
        let bytes = Array(body.prefix(limit))
        data = Data(bytes)
        isTruncated = bytes.count < body.count
        contentType = headers["Content-Type"]?.split(separator: ";").first.map {
            $0.split { $0 == " " || $0 == "\t" }.joined().lowercased()
        }
        self.code = code.flatMap { $0.utf8.count <= limit ? $0 : nil }
        // What is no JSON, or was cut, has no values.
        document = try? JSONDocument(bytes, maxDepth: Self.maxDepth)
    }

    /// Returns a text of the body; `nil` when there is none, and where the body is not JSON or was cut.
    ///
    /// The members of problem details, RFC 9457, are found by their names: `text(at: "detail")`.
    ///
    /// - Parameter path: where it is, from the body's root: names and indices between dots. Numbers count as their
    ///   digits, lists and objects as their JSON.
    public func text(at path: String) -> String? {
        guard let value = document?.value(at: JSONPath(path)), value != .null else { return nil }
        return value.plainText
    }

    /// The sentences for people, in order: those of a GraphQL response's `errors`, else the one at `error.message`,
    /// `message`, `detail`, `error_description`, `title` or `error`.
    public var messages: [String] {
        if case .array(let errors)? = document?.value(at: "errors") {
            let found = errors.compactMap { Self.sentence($0["message"] ?? $0["detail"] ?? $0["title"]) }
            if !found.isEmpty { return found }
        }
        for place: JSONPath in ["error.message", "message", "detail", "error_description", "title", "error"] {
            if let text = Self.sentence(document?.value(at: place)) { return [text] }
        }
        return []
    }

    private static func sentence(_ value: JSONValue?) -> String? {
        if case .string(let text)? = value, !text.isEmpty { text } else { nil }
    }

    /// How many bytes there are, and nothing of what they say.
    public var description: String { "\(data.count) bytes" }

    /// Shows no more than ``description`` to who dumps an error.
    public var customMirror: Mirror { Mirror(self, children: ["bytes": data.count]) }
}
