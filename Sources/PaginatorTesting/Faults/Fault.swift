/// A fault of one call of a source or store that is wrapped by `faulty(_:clock:)`.
///
/// ```swift
/// FaultPlan(script: [.none, .loss, .latency(.seconds(2)).and(.duplicate)])
/// ```
public struct Fault: Sendable, CustomStringConvertible {
    enum Outcome: Sendable {
        case answer
        case loss
        case hang
        case failure(any Error)
        case failureAfterwards(any Error)

        var isAnswer: Bool { if case .answer = self { true } else { false } }
    }

    var outcome = Outcome.answer
    var delay = Duration.zero
    var isDuplicated = false
    var overtakenWithin: Duration?

    /// No fault.
    public static let none = Fault()

    /// The call is lost: the real source or store is not called, and there is no answer.
    public static let loss = Fault(outcome: .loss)

    /// The call is made, but never answered.
    public static let hang = Fault(outcome: .hang)

    /// The call is answered twice.
    public static let duplicate = Fault(isDuplicated: true)

    /// The call fails.
    ///
    /// - Parameters:
    ///   - error: a ``/PaginatorCore/SourceError`` for a source, a ``/PaginatorCore/PaginatorError`` for a store; any
    ///     other error counts as a temporary failure. `nil`, the default, is an error that says that the test injected
    ///     it.
    ///   - afterwards: whether the real source or store is called first, as if only the answer was lost; false by
    ///     default.
    public static func failure(_ error: (any Error)? = nil, afterwards: Bool = false) -> Fault {
        let error = error ?? InjectedFailure()
        return Fault(outcome: afterwards ? .failureAfterwards(error) : .failure(error))
    }

    /// The answer is delayed.
    ///
    /// - Parameter delay: the delay on the clock passed to `faulty(_:clock:)`. Negative values count as zero.
    public static func latency(_ delay: Duration) -> Fault {
        Fault(delay: max(.zero, delay))
    }

    /// The answer comes after that of a later call.
    ///
    /// - Parameter limit: the longest wait for a later call; 1 second by default.
    public static func overtaken(within limit: Duration = .seconds(1)) -> Fault {
        Fault(overtakenWithin: max(.zero, limit))
    }

    /// Returns a combination: delays add up, and of two faults that replace the answer the first one counts.
    public func and(_ other: Fault) -> Fault {
        Fault(
            outcome: outcome.isAnswer ? other.outcome : outcome, delay: delay + other.delay,
            isDuplicated: isDuplicated || other.isDuplicated,
            overtakenWithin: overtakenWithin ?? other.overtakenWithin)
    }

    /// The fault, for logs.
    public var description: String {
        var parts: [String] = []
        switch outcome {
        case .answer: break
        case .loss: parts.append("loss")
        case .hang: parts.append("hang")
        case .failure(let error): parts.append("failure \(error)")
        case .failureAfterwards(let error): parts.append("failure afterwards \(error)")
        }
        if delay > .zero { parts.append("latency \(delay)") }
        if isDuplicated { parts.append("duplicate") }
        if let overtakenWithin { parts.append("overtaken within \(overtakenWithin)") }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }
}

/// The error of a fault without its own error.
struct InjectedFailure: Error, Sendable, Hashable, CustomStringConvertible {
    var description: String { "a failure that the test injected" }
}
