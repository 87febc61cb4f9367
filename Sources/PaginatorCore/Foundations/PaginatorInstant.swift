/// A moment on a paginator's monotonic clock, which counts the time that the device sleeps.
///
/// Instants of different clocks must not be compared. Arithmetic saturates: an instant never wraps around.
public struct PaginatorInstant: InstantProtocol, Sendable {
    /// Nanoseconds since the clock's own starting point.
    public let nanoseconds: Int64

    /// Makes the instant that lies `nanoseconds` after the clock's starting point.
    @inlinable
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The clock's starting point.
    public static let zero = PaginatorInstant(nanoseconds: 0)

    package static let distantFuture = PaginatorInstant(nanoseconds: .max)

    /// Returns the instant that lies `duration` later, or earlier when it is negative.
    public func advanced(by duration: Duration) -> PaginatorInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        guard overflow else { return PaginatorInstant(nanoseconds: sum) }
        return PaginatorInstant(nanoseconds: duration < .zero ? .min : .max)
    }

    /// Returns how long after this instant `other` lies; negative when it lies before.
    public func duration(to other: PaginatorInstant) -> Duration {
        let (difference, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
        guard overflow else { return .nanoseconds(difference) }
        return .nanoseconds(other.nanoseconds > nanoseconds ? Int64.max : Int64.min)
    }

    /// Whether `left` lies before `right`.
    @inlinable
    public static func < (left: PaginatorInstant, right: PaginatorInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    /// A duration of `count` days of 24 hours.
    ///
    /// - Parameter count: the number of days; negative values are allowed, and what does not fit counts as the most that
    ///   does, some 292,000,000,000 years.
    public static func days(_ count: Int) -> Duration { seconds(count, times: 86_400) }

    /// A duration of `count` hours.
    ///
    /// - Parameter count: the number of hours; negative values are allowed, and what does not fit counts as the most that
    ///   does.
    public static func hours(_ count: Int) -> Duration { seconds(count, times: 3_600) }

    /// A duration of `count` minutes.
    ///
    /// - Parameter count: the number of minutes; negative values are allowed, and what does not fit counts as the most
    ///   that does.
    public static func minutes(_ count: Int) -> Duration { seconds(count, times: 60) }

    private static func seconds(_ count: Int, times factor: Int64) -> Duration {
        let (seconds, overflow) = Int64(count).multipliedReportingOverflow(by: factor)
        return .seconds(overflow ? (count < 0 ? .min : .max) : seconds)
    }

    /// Rounded toward zero and clamped to what fits.
    package var wholeNanoseconds: Int64 {
        // Compared before it is taken apart: a sum of durations may have more seconds than fit into 64 bits.
        guard self < .nanoseconds(Int64.max) else { return .max }
        guard self > .nanoseconds(Int64.min) else { return .min }
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// Rounded up. Dispatch takes an `Int`, which with 32 bits has room for no more nanoseconds than two seconds have.
    var wholeMicroseconds: Int { Int(clamping: wholeNanoseconds / 1_000 + 1) }

    /// What is no number counts as zero, and what does not fit as the greatest.
    package static func clamped(seconds: Double) -> Duration {
        guard !seconds.isNaN else { return .zero }
        let limit = 9.2e9
        return .nanoseconds(Int64(min(max(seconds, -limit), limit) * 1e9))
    }

    package var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
