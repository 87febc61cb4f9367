public import PaginatorCore

/// What a ``ScriptedDataSource`` answers to one call, when, and how often.
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

    /// Fails a call for which nothing is scripted.
    static func unexpected(_ request: SourceRequest) -> SourceStep {
        .fail(.fatal(UnexpectedCall(call: "PaginatorDataSource.fetch(\(request.identity))")))
    }

    /// Answers with a page.
    public static func page(_ page: PaginatorPage<T>) -> SourceStep {
        SourceStep(answers: [.success(page)])
    }

    /// Answers with an error.
    public static func fail(_ error: SourceError) -> SourceStep {
        SourceStep(answers: [.failure(error)])
    }

    /// Answers with a page or an error.
    package static func result(_ result: Result<PaginatorPage<T>, SourceError>) -> SourceStep {
        SourceStep(answers: [result])
    }

    /// Gives several answers, one after the other, as a source that breaks its contract does.
    package static func answers(_ answers: [Result<PaginatorPage<T>, SourceError>]) -> SourceStep {
        SourceStep(answers: answers)
    }

    /// Gives no answer; the call stays pending until the test answers it.
    public static var hang: SourceStep { SourceStep(answers: []) }

    /// Returns the step with a later answer; a cancelled call is still answered, as a slow server does.
    ///
    /// - Parameter delay: how long after the call, on the source's clock.
    public func after(_ delay: Duration) -> SourceStep {
        var step = self
        step.moment = .after(delay)
        return step
    }

    /// The step with each answer given twice, as a source that breaks its contract does.
    package var twice: SourceStep {
        var step = self
        step.answers = answers.flatMap { [$0, $0] }
        return step
    }

    /// The step with its answer given inside `fetch`, before that returns.
    package var insideFetch: SourceStep {
        var step = self
        step.moment = .insideFetch
        return step
    }
}

/// A record of one call of a ``ScriptedDataSource``; a copy, which does not follow later changes.
public struct SourceCall: Sendable, Identifiable, CustomStringConvertible {
    /// The number of the call, from 0, in the order in which the calls came.
    public let id: Int
    /// The request of the call.
    public let request: SourceRequest
    /// Whether the call was cancelled.
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
