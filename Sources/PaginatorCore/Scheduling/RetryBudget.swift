/// The budget for retries: each costs a token, and each success restores a tenth of one.
///
/// After the retry budgets of Google's "Site Reliability Engineering", chapter 21, "Handling Overload", and of gRFC A6:
/// a failing source gets about one request in ten more, instead of a multiple.
///
/// The fading is an addition. Without it, clients with few requests would have a full budget when an outage begins, and
/// spend it on top of their normal load. So a budget that is not restored fades to a reserve for one load.
package struct RetryBudget: Sendable {
    private static let token: Int64 = 1_000_000
    private let full: Int64
    private var reserve: Int64 { min(full, 2 * Self.token) }
    /// The time in nanoseconds in which a full budget fades to the reserve.
    private let fading: Double?
    private(set) var balance: Int64
    private var fadedAt: PaginatorInstant?

    package init(tokens: Int, fading: Duration?) {
        full = Int64(min(max(0, tokens), Int(Int32.max))) * Self.token
        self.fading = fading.map { Double(max(1, $0.wholeNanoseconds)) }
        balance = full
    }

    /// The remaining share of a full budget, from 0 to 1.
    mutating func share(at now: PaginatorInstant) -> Double {
        fade(at: now)
        return full > 0 ? Double(balance) / Double(full) : 0
    }

    package mutating func spend(at now: PaginatorInstant) -> Bool {
        fade(at: now)
        guard balance >= Self.token else { return false }
        balance -= Self.token
        return true
    }

    package mutating func succeeded(at now: PaginatorInstant) {
        fade(at: now)
        balance = min(full, balance + Self.token / 10)
    }

    private mutating func fade(at now: PaginatorInstant) {
        guard let fading else { return }
        // Time spent at the reserve does not count for later fading.
        let since = fadedAt ?? now
        guard now > since, balance > reserve else {
            fadedAt = max(since, now)
            return
        }
        let passed = Double(since.duration(to: now).wholeNanoseconds)
        let faded = Double(full - reserve) * min(1, passed / fading)
        balance = max(reserve, balance - Int64(faded.rounded()))
        fadedAt = now
    }
}
