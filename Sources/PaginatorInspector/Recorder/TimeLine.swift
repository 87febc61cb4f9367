import PaginatorCore

/// Converts times of a subject's clock to the recording's.
struct TimeLine: Sendable {
    /// Nanoseconds to add.
    private let shift: Double

    /// - Parameters:
    ///   - elapsed: the time since the recording began.
    ///   - clock: the subject's clock, with another origin.
    init(elapsed: Duration, clock: any PaginatorClock) {
        shift = Double(elapsed.wholeNanoseconds) - Double(clock.now.nanoseconds)
    }

    func time(of instant: PaginatorInstant) -> Double { Double(instant.nanoseconds) + shift }
}
