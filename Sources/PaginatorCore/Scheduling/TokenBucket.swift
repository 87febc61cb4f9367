/// Limits starts to a rate, with a burst after a pause.
///
/// The generic cell rate algorithm (ITU-T I.371): a token bucket kept as one time, that at which the bucket is full
/// again.
struct TokenBucket: Sendable {
    let interval: Duration
    let burst: Duration
    private(set) var full = PaginatorInstant(nanoseconds: .min)

    init(permits: Int, per duration: Duration, burst: Int) {
        let (permits, whole) = (Int64(max(1, permits)), max(0, duration.wholeNanoseconds))
        // Rounded up, so that the rate is not exceeded.
        let interval = whole / permits + (whole % permits == 0 ? 0 : 1)
        // Less one, because the first of a burst needs no tolerance.
        let (tolerance, overflow) = interval.multipliedReportingOverflow(by: Int64(max(1, burst) - 1))
        self.interval = .nanoseconds(interval)
        self.burst = .nanoseconds(overflow ? Int64.max : tolerance)
    }

    func nextPermit(at now: PaginatorInstant) -> PaginatorInstant {
        max(now, full.advanced(by: .zero - burst))
    }

    mutating func take(at now: PaginatorInstant) {
        full = max(now, full).advanced(by: interval)
    }
}
