public import Foundation

/// What a server said about a failure: at most ``HTTPLimits/errorBodyBytes`` of the body, and what APIs put there.
///
/// ```swift
/// } catch {
///     let said = (error.underlying as? HTTPSourceError)?.body
///     show(said?.problem?.detail ?? said?.messages.first ?? "Something went wrong.")
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
    /// `error.code` and the other places that ``HTTPFailureRules`` names.
    public let code: String?
    private let document: JSONDocument?

    /// - Returns: `nil` when there is no body, or none is wanted.
    init?(_ response: TransferResponse, limit: Int, code: String?) {
        guard limit > 0, !response.body.isEmpty else { return nil }
        let bytes = Array(response.body.prefix(limit))
        data = Data(bytes)
        isTruncated = bytes.count < response.body.count
        contentType = response.headers["Content-Type"]?.split(separator: ";").first.map {
            $0.split { $0 == " " || $0 == "\t" }.joined().lowercased()
        }
        self.code = code.flatMap { $0.utf8.count <= limit ? $0 : nil }
        // What is no JSON, or was cut, has no values.
        document = try? JSONDocument(bytes, maxDepth: Self.maxDepth)
    }

    /// Returns a value of the body; `nil` when there is none, and where the body is not JSON or was cut.
    ///
    /// - Parameter path: where it is, from the body's root.
    public func value(at path: JSONPath) -> JSONValue? { document?.value(at: path) }

    /// The sentences for people, in order: those of a GraphQL response's `errors`, else the one at `error.message`,
    /// `message`, `detail`, `error_description`, `title` or `error`.
    public var messages: [String] {
        if case .array(let errors)? = value(at: "errors") {
            let found = errors.compactMap { error -> String? in
                guard case .object(let members) = error else { return nil }
                return Self.text(members["message"] ?? members["detail"] ?? members["title"])
            }
            if !found.isEmpty { return found }
        }
        for place: JSONPath in ["error.message", "message", "detail", "error_description", "title", "error"] {
            if let text = Self.text(value(at: place)) { return [text] }
        }
        return []
    }

    /// The problem details, RFC 9457; `nil` when the media type is another one than `application/problem+json`.
    public var problem: HTTPProblem? {
        guard contentType == "application/problem+json", case .object(let members)? = value(at: .root) else {
            return nil
        }
        return HTTPProblem(members)
    }

    static func text(_ value: JSONValue?) -> String? {
        if case .string(let text)? = value, !text.isEmpty { text } else { nil }
    }

    /// How many bytes there are, and nothing of what they say.
    public var description: String { "\(data.count) bytes" }

    /// Shows no more than ``description`` to who dumps an error.
    public var customMirror: Mirror { Mirror(self, children: ["bytes": data.count]) }
}

/// Problem details, RFC 9457, section 3.1. A member of another type than it should have counts as missing; extensions are
/// read by ``HTTPErrorBody/value(at:)``.
public struct HTTPProblem: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// What kind of problem it is, an address; `about:blank` when nothing says.
    public let type: String
    /// A short summary of the kind.
    public let title: String?
    /// The status, as whoever made the details wrote it.
    public let status: Int?
    /// What went wrong this time.
    public let detail: String?
    /// What names this occurrence, an address.
    public let instance: String?

    init(_ members: [String: JSONValue]) {
        type = HTTPErrorBody.text(members["type"]) ?? "about:blank"
        title = HTTPErrorBody.text(members["title"])
        if case .number(let digits)? = members["status"] { status = Int(digits) } else { status = nil }
        detail = HTTPErrorBody.text(members["detail"])
        instance = HTTPErrorBody.text(members["instance"])
    }

    /// That there are problem details, and nothing of what they say.
    public var description: String { "problem details" }

    /// Shows no more than ``description`` to who dumps an error.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
