/// The error that a body reports.
struct BodyError: Equatable {
    var code: String?
    var speaksOfCursor = false

    private static let codePlaces: [JSONPath] = [
        "errors.0.extensions.code", "errors.0.type", "errors.0.code", "__type", "error.code", "error.errors.0.reason",
        "error.status", "error.type", "code", "error",
    ]
    private static let messagePlaces: [JSONPath] = [
        "errors.0.message", "error.message", "message", "error", "detail", "error_description",
    ]

    /// Finds the error; `nil` if the body reports none.
    static func find(in body: JSONDocument) -> BodyError? {
        var found: BodyError?
        for place in codePlaces {
            guard let text = text(at: place, of: body) else { continue }
            // AWS puts a namespace before the name.
            let code = text.split(separator: "#").last.map(String.init) ?? text
            found = BodyError(code: code, speaksOfCursor: speaksOfCursor(text))
            break
        }
        for place in messagePlaces {
            guard let text = text(at: place, of: body) else { continue }
            var error = found ?? BodyError()
            error.speaksOfCursor = error.speaksOfCursor || speaksOfCursor(text)
            found = error
        }
        if found == nil, case .array(let errors)? = body.value(at: "errors"), !errors.isEmpty { found = BodyError() }
        return found
    }

    /// The text at a place, unless it reports success: some APIs write the fields of an error with each answer.
    private static func text(at place: JSONPath, of body: JSONDocument) -> String? {
        guard case .string(let text)? = body.value(at: place), !["", "ok", "success"].contains(text.lowercased())
        else { return nil }
        return text
    }

    private static func speaksOfCursor(_ text: String) -> Bool {
        let text = text.lowercased()
        return ["cursor", "page token", "page_token", "pagetoken", "next token", "nexttoken"].contains {
            text.contains($0)
        }
    }
}
