@testable import PaginatorCore
@testable import PaginatorHTTP

/// Header fields of responses: whatever a server writes is read within bounds.
@Sendable
func fuzzHeaders(_ bytes: [UInt8]) {
    var input = FuzzInput(bytes)
    let now = input.bool() ? 1_792_000_000.0 : input.double()
    let lines = String(decoding: input.rest(), as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let names = [
        "Link", "Cache-Control", "Expires", "Date", "Age", "Retry-After", "RateLimit", "RateLimit-Remaining",
        "RateLimit-Reset", "X-RateLimit-Remaining", "X-RateLimit-Reset", "ETag", "Content-Range",
    ]
    var headers: HTTPHeaderFields = [:]
    for (line, name) in zip(lines, names) where !line.isEmpty { headers[name] = String(line) }
    for line in lines { checkValue(String(line), now: now) }

    if let lifetime = CacheControl.lifetime(headers, now: now) {
        let freshness = CacheControl.remaining(lifetime, headers)
        require((0...315_576_000).contains(freshness), "a response is fresh for 0 seconds to ten years: \(freshness)")
    }
    if let delay = RetryHint.delay(headers, now: now) {
        require(delay >= 0 && delay.isFinite, "a delay is a number from 0: \(delay)")
        require(Duration.clamped(seconds: delay) >= .zero, "a delay is a duration")
    }
    require(headers.byteCount >= 0 && headers.fields.count <= names.count, "header fields are counted")
}

private func checkValue(_ value: String, now: Double) {
    for link in LinkHeader.parse(value) {
        require(link.target.utf8.count <= 3 * value.utf8.count, "a link's target is part of the header")
        require(link.relations.allSatisfy { !$0.isEmpty && $0 == $0.lowercased() }, "relations are in lower case")
    }
    require(!CacheControl.parse(value).keys.contains(""), "directives have names")
    if let seconds = CacheControl.seconds(value) {
        require((0...315_576_000).contains(seconds), "seconds are counted from 0 to ten years")
    }
    if let date = HTTPDate.seconds(value, now: now) {
        require(date >= -62_200_000_000 && date <= 253_402_300_860, "a date lies in the years 1 to 9999: \(date)")
    }
}
