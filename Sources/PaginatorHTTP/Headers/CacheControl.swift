/// Reads `Cache-Control`, and computes how long a response is fresh in a private cache (RFC 9111, section 4.2).
enum CacheControl {
    /// Returns the directives by name in lower case; of equal names the first counts.
    static func parse(_ text: String) -> [String: String] {
        var scanner = HeaderScanner(text)
        var directives: [String: String] = [:]
        while !scanner.isAtEnd {
            // Empty list elements are skipped, RFC 9110, section 5.6.1.
            if scanner.take(",") { continue }
            let name = scanner.value(until: "=,").lowercased()
            let value = scanner.take("=") ? scanner.value(until: ",") : ""
            if !name.isEmpty, directives[name] == nil { directives[name] = value }
        }
        return directives
    }

    /// Returns the rest of a lifetime for a response, which may have been in other caches before: from 0 to ten years.
    static func remaining(_ lifetime: Double, _ headers: HTTPHeaderFields) -> Double {
        clamped(lifetime - (headers["Age"].flatMap(seconds) ?? 0))
    }

    /// Returns the seconds for which a response is fresh from its creation; `nil` if it does not say.
    ///
    /// - Parameters:
    ///   - headers: the response's header fields.
    ///   - now: the current time in seconds since 1970, used if `Date` is missing.
    static func lifetime(_ headers: HTTPHeaderFields, now: Double) -> Double? {
        if let field = headers["Cache-Control"] {
            let directives = parse(field)
            if forbidsStorage(headers) || directives["no-cache"] != nil { return 0 }
            if let maxAge = directives["max-age"] {
                // An invalid age counts as expired, section 4.2.1.
                return seconds(maxAge) ?? 0
            }
        }
        // `max-age` overrides `Expires`, section 5.3.
        guard let expires = headers["Expires"] else { return nil }
        // An invalid date, above all `0`, is in the past, section 5.3.
        guard let end = HTTPDate.seconds(expires, now: now) else { return 0 }
        let date = headers["Date"].flatMap { HTTPDate.seconds($0, now: now) } ?? now
        return end - date
    }

    /// Whether a request or a response must not be stored, RFC 9111, sections 5.2.1.5 and 5.2.2.5.
    static func forbidsStorage(_ headers: HTTPHeaderFields) -> Bool {
        guard let field = headers["Cache-Control"] else { return false }
        let directives = parse(field)
        // Section 5.2.2.3: `must-understand` overrides `no-store` for caches that understand the status.
        return directives["no-store"] != nil && directives["must-understand"] == nil
    }

    /// The seconds of a header field, which has only digits.
    static func seconds(_ text: String) -> Double? {
        let digits = text.utf8.drop { $0 == 0x20 }
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        // Any number of digits: a number beyond every integer is long enough, section 1.2.2.
        return Double(text.drop { $0 == " " }).map { min($0, 315_576_000) }
    }

    /// Limits seconds to the range from 0 to ten years; NaN is 0.
    static func clamped(_ seconds: Double) -> Double { seconds > 0 ? min(seconds, 315_576_000) : 0 }
}
