/// Statistics of a repeated duration: number, mean, longest, and percentiles, rounded to two digits.
public struct DurationSummary: Sendable, Hashable {
    /// The number of recorded durations.
    public var count: Int { Int(clamping: number) }

    // Not an `Int`, which may have 32 bits.
    private var number: UInt64 = 0

    // In nanoseconds, because computing with 128-bit durations is slow.
    private var sum: Int64 = 0
    private var maximum: Int64 = 0

    var total: Duration { .nanoseconds(sum) }

    /// The longest duration.
    public var longest: Duration { .nanoseconds(maximum) }

    // The number of durations by rounded value. Rounding keeps their order, so a percentile of rounded values is the
    // rounded percentile.
    private var buckets: [Int64: UInt64] = [:]

    /// The mean; zero if nothing was recorded.
    public var mean: Duration { number > 0 ? total / number : .zero }

    mutating func record(nanoseconds: Int64) {
        let nanoseconds = max(0, nanoseconds)
        buckets[Self.inTwoDigits(nanoseconds), default: 0] += 1
        number += 1
        add(nanoseconds)
        maximum = max(maximum, nanoseconds)
    }

    mutating func merge(_ other: DurationSummary) {
        for (bucket, count) in other.buckets { buckets[bucket, default: 0] += count }
        number += other.number
        add(other.sum)
        maximum = max(maximum, other.maximum)
    }

    /// Returns the duration that a share of the recorded ones do not exceed, rounded to two digits. Complexity:
    /// O(different rounded durations), some hundreds.
    ///
    /// - Parameter share: the share, from 0 to 1: 0.5 is the median, 0.99 the 99th percentile.
    /// - Returns: the duration; zero if nothing was recorded.
    public func percentile(_ share: Double) -> Duration {
        let clamped = share.isNaN ? 1 : min(1, max(0, share))
        let rank = max(1, (clamped * Double(number)).rounded(.up))
        var seen = 0.0
        for (nanoseconds, number) in buckets.sorted(by: { $0.key < $1.key }) {
            seen += Double(number)
            if seen >= rank { return .nanoseconds(nanoseconds) }
        }
        return .zero
    }

    // Rounds to the nearest number with two digits followed by zeros.
    static func inTwoDigits(_ nanoseconds: Int64) -> Int64 {
        var unit: Int64 = 1
        let hundredth = nanoseconds / 100
        while hundredth >= unit { unit *= 10 }
        let rest = nanoseconds % unit
        let (rounded, overflow) = (nanoseconds - rest).addingReportingOverflow(rest >= unit - rest ? unit : 0)
        return overflow ? .max : rounded
    }

    private mutating func add(_ nanoseconds: Int64) {
        let (total, overflow) = sum.addingReportingOverflow(nanoseconds)
        sum = overflow ? .max : total
    }
}
