/// Spaces starts out to a rate, with a burst allowed after a pause.
///
/// The generic cell rate algorithm (ITU-T I.371), which is a token bucket kept as one instant: when the bucket will be
/// full again.
struct TokenBucket: Sendable {
    private let interval: Duration
    private let burst: Duration
    private var full = PaginatorInstant(nanoseconds: .min)

    /// Starts with a full bucket.
    ///
    /// - Parameters:
    ///   - permits: how many starts each `duration` allows; at least one.
    ///   - duration: the time that they are spread over; zero or less allows any number.
    ///   - burst: how many starts a full bucket allows at once; at least one.
    init(permits: Int, per duration: Duration, burst: Int) {
        let (permits, whole) = (Int64(max(1, permits)), max(0, duration.wholeNanoseconds))
        let interval = whole / permits + (whole % permits == 0 ? 0 : 1)
        let (tolerance, overflow) = interval.multipliedReportingOverflow(by: Int64(max(1, burst) - 1))
        self.interval = .nanoseconds(interval)
        self.burst = .nanoseconds(overflow ? Int64.max : tolerance)
    }

    /// When the next start is allowed: `now`, or later.
    func nextPermit(at now: PaginatorInstant) -> PaginatorInstant {
        max(now, full.advanced(by: .zero - burst))
    }

    /// Takes a permit; the caller has seen that one is there.
    mutating func take(at now: PaginatorInstant) {
        full = max(now, full).advanced(by: interval)
    }
}
