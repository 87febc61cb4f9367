public import PaginatorCore

/// What a ``ScriptedDataSource`` does on one call: what it answers, when, and how often.
///
/// ```swift
/// source.script([.fail(.retry(Outage())), .page(first).after(.seconds(2))], forKey: "0")
/// ```
public struct SourceStep<T: Sendable>: Sendable {
    enum Moment: Sendable {
        case onQueue
        case insideFetch
        case after(Duration)
    }

    /// The answers, given one after the other; none leaves the call pending.
    var answers: [Result<PaginatorPage<T>, SourceError>]
    var moment = Moment.onQueue
    /// A real source that is called, and answers.
    var relay: (any PaginatorDataSource<T>)?

    /// Answers with a page.
    public static func page(_ page: PaginatorPage<T>) -> SourceStep {
        SourceStep(answers: [.success(page)])
    }

    /// Answers with an error.
    public static func fail(_ error: SourceError) -> SourceStep {
        SourceStep(answers: [.failure(error)])
    }

    /// Answers with a page or an error.
    public static func result(_ result: Result<PaginatorPage<T>, SourceError>) -> SourceStep {
        SourceStep(answers: [result])
    }

    /// Answers several times, which a source must not do.
    public static func answers(_ answers: [Result<PaginatorPage<T>, SourceError>]) -> SourceStep {
        SourceStep(answers: answers)
    }

    /// Gives no answer of its own: the call stays pending until the test answers it, or for ever.
    public static var hang: SourceStep { SourceStep(answers: []) }

    /// The same step, after some time on the source's clock.
    ///
    /// - Parameter delay: how long after the call; a cancelled call is still answered, as a slow server does.
    public func after(_ delay: Duration) -> SourceStep {
        var step = self
        step.moment = .after(delay)
        return step
    }

    /// The same step, giving each of its answers twice, which a source must not do.
    public var twice: SourceStep {
        var step = self
        step.answers = answers.flatMap { [$0, $0] }
        return step
    }

    /// The same step, answering inside `fetch`, before it returns.
    public var insideFetch: SourceStep {
        var step = self
        step.moment = .insideFetch
        return step
    }
}

/// One call of a ``ScriptedDataSource``, as it was when it was looked at.
public struct SourceCall: Sendable, Identifiable, CustomStringConvertible {
    /// The number of the call, from 0, in the order in which the calls came.
    public let id: Int
    /// What was asked for.
    public let request: SourceRequest
    /// Whether the call's handle was cancelled.
    public internal(set) var isCancelled = false
    /// How many times the call was answered.
    public internal(set) var answers = 0

    /// Whether the call was neither answered nor cancelled.
    public var isPending: Bool { answers == 0 && !isCancelled }

    /// The number, the page and the state.
    public var description: String {
        let state = answers > 0 ? "answered \(answers)x" : isCancelled ? "cancelled" : "pending"
        return "#\(id) \(request.identity) attempt \(request.attempt): \(state)"
    }
}
