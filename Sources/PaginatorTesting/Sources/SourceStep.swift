public import PaginatorCore

/// The answer of a ``ScriptedDataSource`` to one call, its time, and its number.
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

    /// The answers, in order; with none, the call stays pending.
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

    /// Gives no answer. The call stays pending until the test answers it.
    public static var hang: SourceStep { SourceStep(answers: []) }

    /// Returns the step with a delayed answer. A cancelled call is still answered, as by a slow server.
    ///
    /// - Parameter delay: the delay after the call, on the source's clock.
    public func after(_ delay: Duration) -> SourceStep {
        var step = self
        step.moment = .after(delay)
        return step
    }

    /// The step with each answer given twice, as by an incorrect source.
    package var twice: SourceStep {
        var step = self
        step.answers = answers.flatMap { [$0, $0] }
        return step
    }

    /// The step with its answer given inside `fetch`.
    package var insideFetch: SourceStep {
        var step = self
        step.moment = .insideFetch
        return step
    }
}

/// A record of one call of a ``ScriptedDataSource``: a copy that does not change later.
public struct SourceCall: Sendable, Identifiable, CustomStringConvertible {
    /// The number of the call, from 0.
    public let id: Int
    /// The request of the call.
    public let request: SourceRequest
    /// Whether the call was cancelled.
    public internal(set) var isCancelled = false
    /// The number of times that the call was answered.
    public internal(set) var answers = 0

    /// Whether the call was neither answered nor cancelled.
    public var isPending: Bool { answers == 0 && !isCancelled }

    /// The number, the page and the state.
    public var description: String {
        let state = answers > 0 ? "answered \(answers)x" : isCancelled ? "cancelled" : "pending"
        return "#\(id) \(request.identity) attempt \(request.attempt): \(state)"
    }
}
