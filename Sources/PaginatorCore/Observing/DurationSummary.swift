/// How long something took, over many times: number, mean, longest, and percentiles, which are exact to two digits.
public struct DurationSummary: Sendable, Hashable {
    /// How many durations were recorded.
    public var count: Int { Int(clamping: number) }

    // Not an `Int`, which may have 32 bits.
    private var number: UInt64 = 0

    // In nanoseconds: durations have 128 bits, and are slow to compute with.
    private var sum: Int64 = 0
    private var maximum: Int64 = 0

    var total: Duration { .nanoseconds(sum) }

    /// The longest of them.
    public var longest: Duration { .nanoseconds(maximum) }

    // How many durations there are, by what they are rounded to: rounding keeps their order, so a percentile of the rounded
    // ones is the rounded percentile.
    private var buckets: [Int64: UInt64] = [:]

    /// The mean; zero when nothing was recorded.
    public var mean: Duration { number > 0 ? total / number : .zero }

    mutating func record(_ duration: Duration) { record(nanoseconds: duration.wholeNanoseconds) }

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

    /// Returns the duration that a share of the recorded ones do not exceed, rounded to two digits. Complexity: O(different
    /// durations of two digits), some hundreds.
    ///
    /// - Parameter share: the share, from 0 to 1: 0.5 for the median, 0.99 for the 99th percentile. Zero is returned
    ///   when nothing was recorded.
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

    // Rounded to the nearest number that has two digits and then zeros.
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
