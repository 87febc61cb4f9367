public import PaginatorCore

/// A data source that answers as the test scripts it, and records every call.
///
/// A call takes the next step scripted for its key, else the next step for any key, else the result of `otherwise`.
/// Without all three it fails with a fatal error.
///
/// ```swift
/// let source = ScriptedDataSource<Post>()
/// source.script([.hang], forKey: "0")
/// paginator.fetch(key: "0", pageSize: 30, listener: listener)
/// let call = try await source.waitForCalls(1)[0]
/// source.answer(call, with: .success(page))
/// ```
///
/// Steps without a delay are answered on a serial queue of the source, or on an executor of the test. Every method may
/// be called from any thread.
public final class ScriptedDataSource<T: Sendable>: PaginatorDataSource {
    /// Receives an answer.
    typealias Completion = @Sendable (Result<PaginatorPage<T>, SourceError>) -> Void

    struct State: Sendable {
        var calls: [SourceCall] = []
        var completions: [Int: Completion] = [:]
        var script = StepScript<SourceStep<T>>()
        var otherwise: (@Sendable (SourceRequest) -> SourceStep<T>)?
        var keyRule: KeyRule?
        var needsConnection = true
        var usesConnection = true
        var running = 0
        var mostParallelCalls = 0

        mutating func note(_ answers: Int, to id: Int, keepsAnswered: Bool) {
            if calls[id].isPending { running -= 1 }
            calls[id].answers += answers
            if !keepsAnswered { completions[id] = nil }
        }
    }

    /// The key of the first page.
    public let firstKey: String

    let handshake: Handshake<State>
    private let delays: DelayedWork
    private let keepsAnswered: Bool
    private let neighborRule: (@Sendable (_ key: String, _ pageSize: Int) -> NeighborKeys?)?
    private let answers: AnswerQueue

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - firstKey: the key of the first page; "0" by default.
    ///   - clock: the clock of delays, the device's by default; pass the test's manual clock.
    ///   - executor: runs steps without a delay; `nil`, the default, uses a serial queue of the source.
    ///   - keepsAnswered: whether ``answer(_:with:times:)`` can answer a call again; false by default, so that a call's
    ///     completion is released after its answer.
    ///   - neighborKeys: computes the keys before and after a page; `nil`, the default, for a source that cannot.
    ///   - otherwise: returns the step of a call without a scripted one; called on the thread of the call.
    public init(
        firstKey: String = "0",
        clock: any PaginatorClock = SystemPaginatorClock(),
        executor: SimulatedExecutor? = nil,
        keepsAnswered: Bool = false,
        neighborKeys: (@Sendable (_ key: String, _ pageSize: Int) -> NeighborKeys?)? = nil,
        otherwise: (@Sendable (SourceRequest) -> SourceStep<T>)? = nil
    ) {
        self.firstKey = firstKey
        delays = DelayedWork(clock: clock)
        answers = AnswerQueue(executor, label: "paginator.testing.source")
        self.keepsAnswered = keepsAnswered
        neighborRule = neighborKeys
        handshake = Handshake(State(otherwise: otherwise))
    }

    /// Creates a source that records every call, and forwards it to a real source unless a step is scripted.
    ///
    /// - Parameters:
    ///   - source: the real source, which also provides the first key, the key rule, neighbor keys and whether it needs
    ///     a connection.
    ///   - clock: the clock of scripted delays, the device's by default; pass the test's manual clock.
    ///   - executor: runs scripted steps without a delay; `nil`, the default, uses a serial queue of the source.
    public convenience init(
        recording source: any PaginatorDataSource<T>, clock: any PaginatorClock = SystemPaginatorClock(),
        executor: SimulatedExecutor? = nil
    ) {
        self.init(
            firstKey: source.firstKey, clock: clock, executor: executor,
            neighborKeys: { source.neighborKeys(of: $0, pageSize: $1) },
            otherwise: { _ in SourceStep(answers: [], relay: source) })
        handshake.update { state in
            (state.keyRule, state.needsConnection) = (source.keyRule, source.needsConnection)
            state.usesConnection = source.usesConnection
        }
    }

    /// Creates a source that reports each call without a scripted step as a failure of the test, and fails the call.
    ///
    /// - Parameters:
    ///   - firstKey: the key of the first page; "0" by default.
    ///   - clock: the clock of scripted delays, the device's by default; pass the test's manual clock.
    ///   - executor: runs steps without a delay; `nil`, the default, uses a serial queue of the source.
    ///   - file: the file in which failures are reported; the caller's by default.
    ///   - line: the line of that file; the caller's by default.
    ///   - report: called with each failure, on the thread of the call.
    public convenience init(
        firstKey: String = "0", clock: any PaginatorClock = SystemPaginatorClock(), executor: SimulatedExecutor? = nil,
        file: StaticString = #filePath, line: UInt = #line, unexpected report: @escaping FailureReport
    ) {
        self.init(
            firstKey: firstKey, clock: clock, executor: executor,
            otherwise: { request in
                let error = UnexpectedCall(call: "PaginatorDataSource.fetch(\(request.identity))")
                report(error.description, file, line)
                return .fail(.fatal(error))
            })
    }

    /// The real source's rule; `nil` without a real source.
    public var keyRule: KeyRule? { handshake.read(\.keyRule) }

    /// That of the real source; `true` without one.
    public var needsConnection: Bool { handshake.read(\.needsConnection) }

    /// Adds steps for calls of any key, in the order of the calls.
    public func script(_ steps: [SourceStep<T>]) {
        handshake.update { $0.script.add(steps) }
    }

    /// Adds steps for the calls of one key, taken before those for any key.
    public func script(_ steps: [SourceStep<T>], forKey key: String) {
        handshake.update { $0.script.add(steps, forKey: key) }
    }

    /// Sets the steps of calls without a scripted one.
    ///
    /// - Parameter step: returns the step of a call; called on the thread of the call. With `nil` such calls fail.
    public func otherwise(_ step: (@Sendable (SourceRequest) -> SourceStep<T>)?) {
        handshake.update { $0.otherwise = step }
    }

    /// Records the call, and answers with its step.
    public func fetch(
        _ request: SourceRequest,
        completion: @escaping @Sendable (Result<PaginatorPage<T>, SourceError>) -> Void
    ) -> SourceCancellation {
        let recorded = request.withoutCachedPage
        // Before a waiting test hears of the call, and may advance the clock.
        let called = delays.now
        let (id, scripted, otherwise) = handshake.update { state in
            let id = state.calls.count
            state.calls.append(SourceCall(id: id, request: recorded))
            state.completions[id] = completion
            state.running += 1
            state.mostParallelCalls = max(state.mostParallelCalls, state.running)
            return (id, state.script.takeStep(for: request.key), state.otherwise)
        }
        let step = scripted ?? otherwise?(request) ?? .unexpected(request)
        let relayed = step.relay?.fetch(request) { result in
            // Every answer is passed on, also an invalid second one, so that tests can show its effect.
            self.handshake.update { $0.note(1, to: id, keepsAnswered: self.keepsAnswered) }
            completion(result)
        }
        perform(step, id: id, called: called)
        return SourceCancellation {
            self.cancel(id)
            relayed?.cancel()
        }
    }

    /// Returns the result of the initializer's `neighborKeys`; `nil` without it.
    public func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        neighborRule?(key, pageSize)
    }

    /// Answers a call on the calling thread.
    ///
    /// - Returns: false if the call was answered before, and its completion released.
    @discardableResult
    func give(_ answers: [Result<PaginatorPage<T>, SourceError>], to id: Int) -> Bool {
        guard !answers.isEmpty else { return true }
        let completion = handshake.update { state -> Completion? in
            guard state.calls.indices.contains(id), let completion = state.completions[id] else { return nil }
            state.note(answers.count, to: id, keepsAnswered: keepsAnswered)
            return completion
        }
        guard let completion else { return false }
        for answer in answers { completion(answer) }
        return true
    }

    private func perform(_ step: SourceStep<T>, id: Int, called: PaginatorInstant) {
        guard !step.answers.isEmpty else { return }
        switch step.moment {
        case .insideFetch:
            give(step.answers, to: id)
        case .onQueue:
            answers.run { self.give(step.answers, to: id) }
        case .after(let delay):
            delays.run(at: called.advanced(by: delay)) { [weak self] in self?.give(step.answers, to: id) }
        }
    }

    private func cancel(_ id: Int) {
        handshake.update { state in
            if state.calls[id].isPending { state.running -= 1 }
            state.calls[id].isCancelled = true
        }
    }
}

extension ScriptedDataSource: PartlyRemoteSource {
    package var usesConnection: Bool { handshake.read(\.usesConnection) }
}
