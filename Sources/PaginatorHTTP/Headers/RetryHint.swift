/// Reads when a server wants the next request, from `Retry-After` and the header fields of rate limits.
enum RetryHint {
    /// Returns the seconds to wait; `nil` if the server does not say.
    ///
    /// `Retry-After` (RFC 9110, section 10.2.3) overrides rate limits, of which only spent ones count: `RateLimit` of
    /// the IETF draft in its newer form (`"default";r=0;t=30`) and its older one (`limit=100, remaining=0, reset=30`),
    /// and `RateLimit-*` and `X-RateLimit-*` with seconds to wait, seconds since 1970 or a time of ISO 8601.
    ///
    /// - Parameters:
    ///   - headers: the response's header fields.
    ///   - now: the current time in seconds since 1970, used if `Date` is missing.
    static func delay(_ headers: HTTPHeaderFields, now: Double) -> Double? {
        // Both times are the server's if it sends `Date`, so that a wrong device clock does not matter.
        let present = headers["Date"].flatMap { HTTPDate.seconds($0, now: now) } ?? now
        if let field = headers["Retry-After"] {
            if let seconds = seconds(field) { return seconds }
            if let date = HTTPDate.seconds(field, now: now) { return CacheControl.clamped(date - present) }
        }
        return spentLimit(headers, present: present)
    }

    /// Returns the seconds for which the whole source must pause after an answer with any status, because a rate limit
    /// is spent or of `Retry-After` with 429 (RFC 6585, section 4); `nil` for none.
    ///
    /// - Parameters:
    ///   - status: the response's status.
    ///   - headers: the response's header fields.
    ///   - now: the current time in seconds since 1970, used if `Date` is missing.
    static func pause(status: Int, _ headers: HTTPHeaderFields, now: Double) -> Double? {
        if status == 429 { return delay(headers, now: now) }
        return spentLimit(headers, present: headers["Date"].flatMap { HTTPDate.seconds($0, now: now) } ?? now)
    }

    /// The seconds of `Retry-After`, rounded up: some servers send a decimal fraction.
    private static func seconds(_ field: String) -> Double? {
        let parts = field.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return CacheControl.seconds(field) }
        guard let whole = CacheControl.seconds(parts[0]), let fraction = CacheControl.seconds(parts[1]) else {
            return nil
        }
        return CacheControl.clamped(fraction > 0 ? whole + 1 : whole)
    }

    private static func spentLimit(_ headers: HTTPHeaderFields, present: Double) -> Double? {
        if let field = headers["RateLimit"], let delay = delay(ofRateLimit: field) { return delay }
        for prefix in ["RateLimit-", "X-RateLimit-", "X-Rate-Limit-"] {
            guard headers[prefix + "Remaining"].flatMap(Double.init) == 0, let field = headers[prefix + "Reset"] else {
                continue
            }
            if let time = HTTPDate.internetSeconds(field) { return CacheControl.clamped(time - present) }
            guard let reset = Double(field), reset.isFinite, reset >= 0 else { continue }
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

    /// A reset is a time to wait or, if too large for that, seconds or milliseconds since 1970.
    private static func delay(ofReset reset: Double, present: Double) -> Double {
        switch reset {
        case 1e11...: CacheControl.clamped(reset / 1_000 - present)
        case 1e9...: CacheControl.clamped(reset - present)
        default: reset
        }
    }
}
