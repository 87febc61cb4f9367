/// How long something took, over many times: number, mean, longest, and percentiles from a histogram of fixed size.
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

    /// How many durations lie in [2^(n-1), 2^n) nanoseconds, by n; bucket 0 holds zero.
    private var buckets: [UInt64] = []

    /// The mean; zero when nothing was recorded.
    public var mean: Duration { number > 0 ? total / number : .zero }

    mutating func record(_ duration: Duration) { record(nanoseconds: duration.wholeNanoseconds) }

    mutating func record(nanoseconds: Int64) {
        if buckets.isEmpty { buckets = Array(repeating: 0, count: 64) }
        let nanoseconds = max(0, nanoseconds)
        buckets[64 - nanoseconds.leadingZeroBitCount] += 1
        number += 1
        add(nanoseconds)
        maximum = max(maximum, nanoseconds)
    }

    mutating func merge(_ other: DurationSummary) {
        guard other.number > 0 else { return }
        if buckets.isEmpty { buckets = Array(repeating: 0, count: 64) }
        for (index, number) in other.buckets.enumerated() { buckets[index] += number }
        number += other.number
        add(other.sum)
        maximum = max(maximum, other.maximum)
    }

    /// Returns a duration that at least a share of the recorded ones do not exceed: at least the true percentile, and
    /// less than twice as long. Complexity: O(1).
    ///
    /// - Parameter share: the share, from 0 to 1: 0.5 for the median, 0.99 for the 99th percentile. Zero is returned
    ///   when nothing was recorded.
    public func percentile(_ share: Double) -> Duration {
        guard number > 0 else { return .zero }
        let clamped = share.isNaN ? 1 : min(1, max(0, share))
        let rank = max(1, (clamped * Double(number)).rounded(.up))
        var seen = 0.0
        for (index, number) in buckets.enumerated() {
            seen += Double(number)
            guard seen >= rank else { continue }
            let upper: Int64 = index == 0 ? 0 : index == 63 ? .max : (1 << Int64(index)) - 1
            return min(longest, .nanoseconds(upper))
        }
        return longest
    }

    private mutating func add(_ nanoseconds: Int64) {
        let (total, overflow) = sum.addingReportingOverflow(nanoseconds)
        sum = overflow ? .max : total
    }
}
