/// The error that a body reports.
struct BodyError: Equatable {
    /// How sure it is: servers write messages, and some of them codes, also when all is well.
    enum Certainty: Comparable {
        case nothing
        /// A text for people, which may report success.
        case message
        /// An error if there is no list; beside an empty one it may say that nothing was found.
        case likely
        /// An error even beside an empty list.
        case certain
    }

    var code: String?
    var speaksOfCursor = false
    /// Whether the server says that a retry may succeed.
    var isTransient = false
    /// Whether the server says that it does not know who asks, so that other credentials may help.
    var refusesCredentials = false
    var certainty = Certainty.nothing

    private static let codePlaces: [JSONPath] = [
        "errors.0.extensions.code", "errors.0.type", "errors.0.code", "__type", "error.code", "error.errors.0.reason",
        "error.status", "error.type", "code", "error",
    ]
    private static let successes: Set<String> = ["", "0", "false", "no error", "none", "null", "ok", "success"]
    /// Codes of unknown credentials: of Apollo Server and those that follow it, Hot Chocolate, Hasura and Slack.
    private static let refusals: Set<String> = [
        "UNAUTHENTICATED", "UNAUTHORIZED", "AUTH_NOT_AUTHENTICATED", "invalid-jwt", "token_expired",
    ]
    private static let messagePlaces: [(path: JSONPath, certainty: Certainty)] = [
        ("errors.0.message", .likely), ("error.message", .likely), ("message", .message), ("error", .likely),
        ("detail", .message), ("error_description", .message),
    ]

    /// Finds the error; `nil` if the body reports none.
    static func find(in body: JSONDocument) -> BodyError? {
        var error = BodyError()
        for place in codePlaces {
            guard let text = text(at: place, of: body) else { continue }
            // AWS puts a namespace before the name.
            error.code = text.split(separator: "#").last.map(String.init) ?? text
            error.speaksOfCursor = speaksOfCursor(text)
            // A code in `code` may be that of a success, and a sentence in `error` no more than "Nothing found."
            error.certainty = place == "code" || text.contains(" ") ? .likely : .certain
            break
        }
        for place in messagePlaces {
            guard let text = text(at: place.path, of: body) else { continue }
            error.speaksOfCursor = error.speaksOfCursor || speaksOfCursor(text)
            error.certainty = max(error.certainty, place.certainty)
        }
        if case .array(let errors)? = body.value(at: "errors"), !errors.isEmpty {
            error.certainty = max(error.certainty, .likely)
        }
        if error.certainty == .message, hasNumberOfFailure(body) { error.certainty = .likely }
        let isRefused = body.value(at: "ok") == .bool(false) || body.value(at: "success") == .bool(false)
        if isRefused || body.value(at: "error") == .bool(true) { error.certainty = .certain }
        error.refusesCredentials =
            refusals.contains(error.code ?? "") || body.value(at: "errors.0.extensions.http.status") == .number("401")
        error.isTransient = body.value(at: "error.is_transient") == .bool(true)
        return error.certainty == .nothing ? nil : error
    }

    /// Whether a number beside the message is not that of a success.
    private static func hasNumberOfFailure(_ body: JSONDocument) -> Bool {
        let places: [JSONPath] = ["code", "status"]
        return places.contains { place in
            guard case .number(let digits)? = body.value(at: place), let number = Int(digits) else { return false }
            return number != 0 && !(200..<300).contains(number)
        }
    }

    /// The text at a place, unless it reports success: some APIs write the fields of an error with each answer.
    private static func text(at place: JSONPath, of body: JSONDocument) -> String? {
        guard case .string(let text)? = body.value(at: place) else { return nil }
        return Self.successes.contains(text.lowercased()) ? nil : text
    }

    private static func speaksOfCursor(_ text: String) -> Bool {
        let text = text.lowercased()
        return ["cursor", "page token", "page_token", "pagetoken", "next token", "nexttoken"].contains {
            text.contains($0)
        }
    }
}
