/// A point in time of a paginator's monotonic clock, which includes the time that the device sleeps.
///
/// Instants of different clocks must not be compared. Arithmetic saturates.
public struct PaginatorInstant: InstantProtocol, Sendable {
    /// The nanoseconds since the clock's starting point.
    public let nanoseconds: Int64

    /// Creates the instant `nanoseconds` after the clock's starting point.
    @inlinable
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The clock's starting point.
    public static let zero = PaginatorInstant(nanoseconds: 0)

    package static let distantFuture = PaginatorInstant(nanoseconds: .max)

    /// Returns the instant `duration` later, or earlier if it is negative.
    public func advanced(by duration: Duration) -> PaginatorInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        guard overflow else { return PaginatorInstant(nanoseconds: sum) }
        return PaginatorInstant(nanoseconds: duration < .zero ? .min : .max)
    }

    /// Returns the duration from this instant to `other`; negative if `other` is earlier.
    public func duration(to other: PaginatorInstant) -> Duration {
        let (difference, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
        guard overflow else { return .nanoseconds(difference) }
        return .nanoseconds(other.nanoseconds > nanoseconds ? Int64.max : Int64.min)
    }

    /// Returns whether `left` is before `right`.
    @inlinable
    public static func < (left: PaginatorInstant, right: PaginatorInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    /// Returns a duration of `count` days of 24 hours.
    ///
    /// - Parameter count: the number of days, which may be negative. A duration that does not fit is clamped to the
    ///   largest that does, some 292,000,000,000 years.
    public static func days(_ count: Int) -> Duration { seconds(count, times: 86_400) }

    /// Returns a duration of `count` hours.
    ///
    /// - Parameter count: the number of hours, which may be negative. A duration that does not fit is clamped.
    public static func hours(_ count: Int) -> Duration { seconds(count, times: 3_600) }

    /// Returns a duration of `count` minutes.
    ///
    /// - Parameter count: the number of minutes, which may be negative. A duration that does not fit is clamped.
    public static func minutes(_ count: Int) -> Duration { seconds(count, times: 60) }

    private static func seconds(_ count: Int, times factor: Int64) -> Duration {
        let (seconds, overflow) = Int64(count).multipliedReportingOverflow(by: factor)
        return .seconds(overflow ? (count < 0 ? .min : .max) : seconds)
    }

    /// The nanoseconds, rounded toward zero and clamped.
    package var wholeNanoseconds: Int64 {
        // Compared before it is split: the sum of two durations may have more seconds than fit into 64 bits.
        guard self < .nanoseconds(Int64.max) else { return .max }
        guard self > .nanoseconds(Int64.min) else { return .min }
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// The microseconds, rounded up. An `Int` of 32 bits, as Dispatch takes, holds only two seconds in nanoseconds.
    var wholeMicroseconds: Int { Int(clamping: wholeNanoseconds / 1_000 + 1) }

    /// Returns a duration of some seconds; NaN counts as zero, and values that do not fit are clamped.
    package static func clamped(seconds: Double) -> Duration {
        guard !seconds.isNaN else { return .zero }
        let limit = 9.2e9
        return .nanoseconds(Int64(min(max(seconds, -limit), limit) * 1e9))
    }

    package var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
