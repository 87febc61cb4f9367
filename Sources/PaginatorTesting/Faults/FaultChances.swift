/// How likely each fault is, for a ``FaultPlan`` that draws them from a seed.
///
/// Probabilities go from 0, never, to 1, always. Loss, hang and failure exclude one another; their probabilities add up.
public struct FaultChances: Sendable {
    /// How likely ``Fault/loss`` is; 0 by default.
    public var loss = 0.0

    /// How likely ``Fault/hang`` is; 0 by default.
    public var hang = 0.0

    /// How likely a failure is that comes without the call being made; 0 by default.
    public var failure = 0.0

    /// How likely a failure is that comes though the call was made; 0 by default.
    public var failureAfterwards = 0.0

    /// How likely ``Fault/duplicate`` is; 0 by default.
    public var duplicate = 0.0

    /// How likely ``Fault/overtaken(within:)`` is; 0 by default.
    public var overtaken = 0.0

    /// How long an overtaken answer waits at most: 1 second by default.
    public var overtakenWithin = Duration.seconds(1)

    /// How late answers come, each delay as likely, to the microsecond: none by default.
    public var latency = Duration.zero...Duration.zero

    /// The error of failures; `nil`, the default, for one that says that the test injected it.
    public var error: (any Error)?

    /// Makes chances of nothing.
    public init() {}

    /// Draws the fault of one call; as many numbers are drawn whatever the chances, so that changing one chance does
    /// not shift the others.
    func draw(_ random: inout SeededRandom) -> Fault {
        let choice = random.unitInterval()
        let isDuplicated = random.chance(duplicate)
        let isOvertaken = random.chance(overtaken)
        let share = random.unitInterval()
        let error = error ?? InjectedFailure()
        let outcome: Fault.Outcome
        switch choice {
        case ..<loss: outcome = .loss
        case ..<(loss + hang): outcome = .hang
        case ..<(loss + hang + failure): outcome = .failure(error)
        case ..<(loss + hang + failure + failureAfterwards): outcome = .failureAfterwards(error)
        default: outcome = .answer
        }
        let width = (latency.upperBound - latency.lowerBound).wholeMicroseconds
        let delay = latency.lowerBound + .microseconds(Int64(Double(width) * share))
        return Fault(
            outcome: outcome, delay: max(.zero, delay), isDuplicated: isDuplicated,
            overtakenWithin: isOvertaken ? overtakenWithin : nil)
    }
}

extension Duration {
    fileprivate var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? .max / 2 : scaled.addingReportingOverflow(attoseconds / 1_000_000_000_000).partialValue
    }
}
