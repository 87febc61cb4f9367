public import Foundation

/// The body of a failed response: its first ``HTTPLimits/errorBodyBytes`` bytes, and its error code and messages.
///
/// ```swift
/// } catch {
///     let said = (error.underlying as? HTTPSourceError)?.body
///     show(said?.messages.first ?? "Something went wrong.")
/// }
/// ```
///
/// It comes from the server and may contain secrets: keep it out of logs and metrics. No text made by the library
/// contains any of it.
public struct HTTPErrorBody: Sendable, CustomStringConvertible, CustomReflectable {
    static let maxDepth = 32

    /// The body's first bytes, as the server sent them.
    public let data: Data
    /// Whether the body was longer.
    public let isTruncated: Bool
    /// The media type in lower case without parameters, such as `application/problem+json`.
    public let contentType: String?
    /// The server's error code without a namespace, from `__type`, `errors.0.extensions.code`, `error.code`, or another
    /// usual place; `nil` if there is none.
    public let code: String?
    private let document: JSONDocument?

    /// - Returns: `nil` if there is no body, or none is kept.
    init?(_ body: [UInt8], headers: HTTPHeaderFields, limit: Int, code: String?) {
        guard limit > 0, !body.isEmpty else { return nil }
        let bytes = Array(body.prefix(limit))
        data = Data(bytes)
        isTruncated = bytes.count < body.count
        contentType = headers["Content-Type"]?.split(separator: ";").first.map {
            $0.split { $0 == " " || $0 == "\t" }.joined().lowercased()
        }
        self.code = code.flatMap { $0.utf8.count <= limit ? $0 : nil }
        // A body that is not JSON, or was cut, has no values.
        document = try? JSONDocument(bytes, maxDepth: Self.maxDepth)
    }

    /// Returns a text of the body, such as `text(at: "detail")` of problem details (RFC 9457); `nil` if it is missing,
    /// or the body is not JSON or was cut.
    ///
    /// - Parameter path: the path from the body's root: names and indices separated by dots. A number is returned as
    ///   its digits, a list or an object as its JSON.
    public func text(at path: String) -> String? {
        guard let value = document?.value(at: JSONPath(path)), value != .null else { return nil }
        return value.plainText
    }

    /// The messages for people, in order: those of a GraphQL response's `errors`, else the one at `error.message`,
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

    /// The number of bytes, without their content.
    public var description: String { "\(data.count) bytes" }

    /// The number of bytes, so that dumping an error does not show the content.
    public var customMirror: Mirror { Mirror(self, children: ["bytes": data.count]) }
}
