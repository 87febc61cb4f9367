/// The probabilities of faults, for a ``FaultPlan`` that draws them from a seed.
///
/// Probabilities are from 0, never, to 1, always. A call has at most one of loss, hang and failure, so their
/// probabilities add up.
public struct FaultChances: Sendable {
    /// The probability of ``Fault/loss``, 0 by default.
    public var loss = 0.0

    /// The probability of ``Fault/hang``, 0 by default.
    public var hang = 0.0

    /// The probability of a failure without a call of the real source or store, 0 by default.
    public var failure = 0.0

    /// The probability of a failure after a call of the real source or store, 0 by default.
    public var failureAfterwards = 0.0

    /// The probability of ``Fault/duplicate``, 0 by default.
    public var duplicate = 0.0

    /// The probability of ``Fault/overtaken(within:)``, 0 by default.
    public var overtaken = 0.0

    /// The longest wait of an overtaken answer, 1 second by default.
    public var overtakenWithin = Duration.seconds(1)

    /// The range of delays of answers, uniform in whole microseconds; zero by default.
    public var latency = Duration.zero...Duration.zero

    /// The error of failures; `nil`, the default, is one that says that the test injected it.
    public var error: (any Error)?

    /// Creates chances without faults.
    public init() {}

    /// Draws the fault of one call. The number of draws does not depend on the chances, so changing one does not shift
    /// the others.
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
