import PaginatorCore

/// Puts times of a subject's clock in relation to the recording.
struct TimeLine: Sendable {
    /// Nanoseconds that are to be added.
    private let shift: Double

    /// - Parameters:
    ///   - elapsed: for how long the recording has run.
    ///   - clock: the subject's, which has another beginning.
    init(elapsed: Duration, clock: any PaginatorClock) {
        shift = Double(elapsed.wholeNanoseconds) - Double(clock.now.nanoseconds)
    }

    func time(of instant: PaginatorInstant) -> Double { Double(instant.nanoseconds) + shift }
}
