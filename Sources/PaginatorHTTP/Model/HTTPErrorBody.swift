public import Foundation

/// The body of a failed response: its first ``HTTPLimits/errorBodyBytes`` bytes, and the code and messages in it.
///
/// ```swift
/// } catch {
///     let said = (error.underlying as? HTTPSourceError)?.body
///     show(said?.messages.first ?? "Something went wrong.")
/// }
/// ```
///
/// It comes from the server and may contain secrets: keep it out of logs and metrics. No text that the library makes
/// contains any of it.
public struct HTTPErrorBody: Sendable, CustomStringConvertible, CustomReflectable {
    static let maxDepth = 32

    /// The body's first bytes, as the server sent them.
    public let data: Data
    /// Whether the body was longer.
    public let isTruncated: Bool
    /// The media type, in lower case and without parameters, such as `application/problem+json`.
    public let contentType: String?
    /// The server's error code, without a namespace: from `__type`, `errors.0.extensions.code`, `error.code`, or
    /// another place where APIs put it; `nil` where there is none.
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

    /// Returns a text of the body, such as `text(at: "detail")` of problem details (RFC 9457); `nil` when it is not
    /// there, and when the body is not JSON or was cut.
    ///
    /// - Parameter path: the path from the root of the body: names and indices with dots between them. A number is
    ///   returned as its digits, a list or an object as its JSON.
    public func text(at path: String) -> String? {
        guard let value = document?.value(at: JSONPath(path)), value != .null else { return nil }
        return value.plainText
    }

    /// The messages for people, in order: those of a GraphQL response's `errors`, otherwise the one at `error.message`,
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

    /// The number of bytes, and nothing of their content.
    public var description: String { "\(data.count) bytes" }

    /// The number of bytes, so that dumping an error shows nothing of the content.
    public var customMirror: Mirror { Mirror(self, children: ["bytes": data.count]) }
}
