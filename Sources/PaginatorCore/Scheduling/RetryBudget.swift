/// What may be spent on further attempts: each costs a token, each success brings a fraction of one back.
///
/// After the retry budgets of Google's "Site Reliability Engineering", chapter 21, "Handling Overload", and of gRFC A6:
/// a source that fails sees about one request in ten more, instead of a multiple.
package struct RetryBudget: Sendable {
    private static let token: Int64 = 1_000_000
    private let full: Int64
    private let refill: Int64
    private var balance: Int64

    /// Starts full.
    ///
    /// - Parameters:
    ///   - tokens: how many further attempts the full budget allows; negative values count as zero.
    ///   - refill: what a success brings back, in tokens, from 0 to 1; other values are clamped.
    package init(tokens: Int, refill: Double) {
        full = Int64(min(max(0, tokens), Int(Int32.max))) * Self.token
        self.refill = Int64((refill.isNaN ? 0 : min(max(0, refill), 1)) * Double(Self.token))
        balance = full
    }

    /// What is left, in tokens.
    package var tokens: Double { Double(balance) / Double(Self.token) }

    /// Takes a token and says so; `false`, and no change, when less than one is left.
    package mutating func spend() -> Bool {
        guard balance >= Self.token else { return false }
        balance -= Self.token
        return true
    }

    /// Brings a success's fraction of a token back.
    package mutating func succeeded() { balance = min(full, balance + refill) }
}
