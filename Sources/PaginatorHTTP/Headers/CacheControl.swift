/// Reads `Cache-Control` and works out for how long a response is fresh in a private cache, RFC 9111, section 4.2.
enum CacheControl {
    /// Returns the directives by name in lower case; of equal names the first counts.
    static func parse(_ text: String) -> [String: String] {
        var scanner = HeaderScanner(text)
        var directives: [String: String] = [:]
        while !scanner.isAtEnd {
            scanner.skipSpace()
            // Empty elements of a list are passed over, RFC 9110, section 5.6.1.
            if scanner.take(",") { continue }
            let name = scanner.value(until: "=,").lowercased()
            let value = scanner.take("=") ? scanner.value(until: ",") : ""
            if !name.isEmpty, directives[name] == nil { directives[name] = value }
        }
        return directives
    }

    /// Returns how many seconds a response stays fresh, from 0 to ten years; `nil` when it does not say.
    ///
    /// - Parameters:
    ///   - headers: the response's header fields.
    ///   - now: the present in seconds since 1970, in place of a missing `Date`.
    static func freshness(_ headers: HTTPHeaderFields, now: Double) -> Double? {
        let age = headers["Age"].flatMap(seconds) ?? 0
        if let field = headers["Cache-Control"] {
            let directives = parse(field)
            if forbidsStorage(headers) || directives["no-cache"] != nil { return 0 }
            if let maxAge = directives["max-age"] {
                // An age that cannot be read counts as over, section 4.2.1.
                return clamped((seconds(maxAge) ?? 0) - age)
            }
        }
        // `max-age` goes before `Expires`, section 5.3.
        guard let expires = headers["Expires"] else { return nil }
        // What is no date, above all `0`, is in the past, section 5.3.
        guard let end = HTTPDate.seconds(expires, now: now) else { return 0 }
        let date = headers["Date"].flatMap { HTTPDate.seconds($0, now: now) } ?? now
        return clamped(end - date - age)
    }

    /// Whether a request or a response must not be stored, RFC 9111, sections 5.2.1.5 and 5.2.2.5.
    static func forbidsStorage(_ headers: HTTPHeaderFields) -> Bool {
        guard let field = headers["Cache-Control"] else { return false }
        let directives = parse(field)
        // Section 5.2.2.3: `must-understand` goes before `no-store` for those who understand the status.
        return directives["no-store"] != nil && directives["must-understand"] == nil
    }

    /// The seconds of a header field: digits alone, as many as there may be.
    static func seconds(_ text: String) -> Double? {
        let digits = text.utf8.drop { $0 == 0x20 }
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        // As many digits as there may be: what no integer holds is long enough, section 1.2.2.
        return Double(text.drop { $0 == " " }).map { min($0, 315_576_000) }
    }

    /// Some seconds, from 0 to ten years; 0 for what is no number.
    static func clamped(_ seconds: Double) -> Double { seconds > 0 ? min(seconds, 315_576_000) : 0 }
}
