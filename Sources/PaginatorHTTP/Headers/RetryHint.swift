/// Reads when a server wants to be asked again: `Retry-After`, and the header fields of rate limits.
enum RetryHint {
    /// Returns the seconds to wait; `nil` when the server does not say.
    ///
    /// `Retry-After` (RFC 9110, section 10.2.3) goes before rate limits, of which a spent one counts: `RateLimit` of the
    /// IETF draft in its newer form (`"default";r=0;t=30`) and its older one (`limit=100, remaining=0, reset=30`), and
    /// `RateLimit-*` and `X-RateLimit-*` with seconds to wait or seconds since 1970.
    ///
    /// - Parameters:
    ///   - headers: the response's header fields.
    ///   - now: the present in seconds since 1970, in place of a missing `Date`.
    static func delay(_ headers: HTTPHeaderFields, now: Double) -> Double? {
        // Both times are the server's where it tells its own, so that a device's wrong clock does no harm.
        let present = headers["Date"].flatMap { HTTPDate.seconds($0, now: now) } ?? now
        if let field = headers["Retry-After"] {
            if let seconds = CacheControl.seconds(field) { return seconds }
            if let date = HTTPDate.seconds(field, now: now) { return CacheControl.clamped(date - present) }
        }
        return spentLimit(headers, present: present)
    }

    /// Returns for how many seconds the whole source is to be left alone after an answer, whatever its status is: when a
    /// rate limit is spent, or for what `Retry-After` says beside 429 (RFC 6585, section 4); `nil` for not at all.
    ///
    /// - Parameters:
    ///   - status: the response's status.
    ///   - headers: the response's header fields.
    ///   - now: the present in seconds since 1970, in place of a missing `Date`.
    static func pause(status: Int, _ headers: HTTPHeaderFields, now: Double) -> Double? {
        if status == 429 { return delay(headers, now: now) }
        return spentLimit(headers, present: headers["Date"].flatMap { HTTPDate.seconds($0, now: now) } ?? now)
    }

    private static func spentLimit(_ headers: HTTPHeaderFields, present: Double) -> Double? {
        if let field = headers["RateLimit"], let delay = delay(ofRateLimit: field) { return delay }
        for prefix in ["RateLimit-", "X-RateLimit-", "X-Rate-Limit-"] {
            guard headers[prefix + "Remaining"].flatMap(Double.init) == 0,
                let reset = headers[prefix + "Reset"].flatMap(Double.init), reset.isFinite, reset >= 0
            else { continue }
            return delay(ofReset: reset, present: present)
        }
        return nil
    }

    private static func delay(ofRateLimit field: String) -> Double? {
        var longest: Double?
        for policy in field.split(separator: ",") {
            var values: [String: Double] = [:]
            for part in policy.split(separator: ";") {
                let pair = part.split(separator: "=", maxSplits: 1)
                guard pair.count == 2 else { continue }
                values[pair[0].filter { $0 != " " }.lowercased()] = CacheControl.seconds(String(pair[1]))
            }
            guard values["r"] == 0, let wait = values["t"] else { continue }
            longest = max(longest ?? 0, wait)
        }
        if let longest { return longest }
        let directives = CacheControl.parse(field)
        guard directives["remaining"].flatMap(CacheControl.seconds) == 0 else { return nil }
        return directives["reset"].flatMap(CacheControl.seconds)
    }

    /// A reset is a time to wait, or, beyond what anybody waits, a moment in seconds or milliseconds since 1970.
    private static func delay(ofReset reset: Double, present: Double) -> Double {
        switch reset {
        case 1e11...: CacheControl.clamped(reset / 1_000 - present)
        case 1e9...: CacheControl.clamped(reset - present)
        default: reset
        }
    }
}
