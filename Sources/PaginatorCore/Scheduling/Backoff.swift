/// The delay before the next attempt: exponential, with full jitter.
///
/// After Marc Brooker, "Exponential Backoff And Jitter" (AWS Architecture Blog, 2015): a uniform random delay up to a
/// ceiling that doubles with each failure spreads clients better than any fixed pattern.
package struct Backoff: Sendable {
    private let base: Int64
    private let cap: Int64

    package init(base: Duration, cap: Duration) {
        self.base = max(0, base.wholeNanoseconds)
        self.cap = max(0, cap.wholeNanoseconds)
    }

    package func ceiling(failures: Int) -> Duration {
        // 2^62 nanoseconds are 146 years; a further doubling of the factor overflows.
        let doublings = min(62, max(1, failures) - 1)
        let (grown, overflow) = base.multipliedReportingOverflow(by: 1 << doublings)
        return .nanoseconds(overflow ? cap : min(cap, grown))
    }

    package func delay(failures: Int, statedDelay: Duration?, using random: inout SplitMix64) -> Duration {
        let jitter = Int64.random(in: 0...ceiling(failures: failures).wholeNanoseconds, using: &random)
        return max(.nanoseconds(jitter), statedDelay ?? .zero)
    }
}
