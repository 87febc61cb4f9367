public import PaginatorCore

/// A data source that does what the test tells it, and records every call.
///
/// A call takes the next step scripted for its key, else the next step scripted for any key, else what `otherwise` says.
/// Without all three it fails, fatally, with ``ScriptedDataSource/Unscripted``.
///
/// ```swift
/// let source = ScriptedDataSource<Post>()
/// source.script([.hang], forKey: "0")
/// paginator.fetch(key: "0", pageSize: 30, listener: listener)
/// let call = try await source.waitForCalls(1)[0]
/// source.answer(call, with: .success(page))
/// ```
///
/// Steps that answer at once do so on a serial queue of the source's own, or on an executor of the test. All calls may come from any thread.
public final class ScriptedDataSource<T: Sendable>: PaginatorDataSource {
    /// What an answer is given to.
    typealias Completion = @Sendable (Result<PaginatorPage<T>, SourceError>) -> Void

    /// A call came for which nothing was scripted.
    public struct Unscripted: Error, Sendable {
        /// What was asked for.
        public let request: SourceRequest
    }

    struct State: Sendable {
        var calls: [SourceCall] = []
        var completions: [Int: Completion] = [:]
        var timers: [Int: any PaginatorTimer] = [:]
        /// By the key's bytes, hence an identity.
        var byKey: [PageIdentity: [SourceStep<T>]] = [:]
        var inOrder: [SourceStep<T>] = []
        var otherwise: (@Sendable (SourceRequest) -> SourceStep<T>)?
        var running = 0
        var mostParallelCalls = 0

        mutating func takeStep(for request: SourceRequest) -> SourceStep<T> {
            let key = PageIdentity(key: request.key, pageSize: 0)
            if var steps = byKey[key], !steps.isEmpty {
                let step = steps.removeFirst()
                byKey[key] = steps
                return step
            }
            if !inOrder.isEmpty { return inOrder.removeFirst() }
            return .fail(.fatal(Unscripted(request: request)))
        }
    }

    /// The key of the first page.
    public let firstKey: String

    let handshake: Handshake<State>
    private let clock: any PaginatorClock
    private let keepsAnswered: Bool
    private let neighborRule: (@Sendable (_ key: String, _ pageSize: Int) -> NeighborKeys?)?
    private let lane: AnswerLane

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - firstKey: the key of the first page, "0" by default.
    ///   - clock: what delays are measured by; pass the test's manual clock.
    ///   - executor: runs steps that answer at once; `nil`, the default, for a serial queue of the source's own.
    ///   - keepsAnswered: whether calls can be answered again by command after their first answer. It is false by
    ///     default, so that the source lets go of what a completion refers to.
    ///   - neighborKeys: computes the keys beside a page; `nil`, the default, for a source that cannot.
    ///   - otherwise: the step of a call for which nothing is scripted, called on the thread of the call.
    public init(
        firstKey: String = "0",
        clock: any PaginatorClock = SystemPaginatorClock(),
        executor: SimulatedExecutor? = nil,
        keepsAnswered: Bool = false,
        neighborKeys: (@Sendable (_ key: String, _ pageSize: Int) -> NeighborKeys?)? = nil,
        otherwise: (@Sendable (SourceRequest) -> SourceStep<T>)? = nil
    ) {
        self.firstKey = firstKey
        self.clock = clock
        lane = AnswerLane(executor, label: "paginator.testing.source")
        self.keepsAnswered = keepsAnswered
        neighborRule = neighborKeys
        handshake = Handshake(State(otherwise: otherwise))
    }

    /// Adds steps for calls of any key, taken in the order of the calls.
    public func script(_ steps: [SourceStep<T>]) {
        handshake.update { $0.inOrder += steps }
    }

    /// Adds steps for the calls of one key, taken before those for any key.
    public func script(_ steps: [SourceStep<T>], forKey key: String) {
        handshake.update { $0.byKey[PageIdentity(key: key, pageSize: 0), default: []] += steps }
    }

    /// Says what calls do for which nothing is scripted.
    ///
    /// - Parameter step: called on the thread of the call; `nil` makes them fail.
    public func otherwise(_ step: (@Sendable (SourceRequest) -> SourceStep<T>)?) {
        handshake.update { $0.otherwise = step }
    }

    /// Records the call and takes its step.
    public func fetch(
        _ request: SourceRequest,
        completion: @escaping @Sendable (Result<PaginatorPage<T>, SourceError>) -> Void
    ) -> SourceCancellation {
        // A record of the call keeps no page alive.
        var recorded = request
        recorded.context.page = nil
        let (id, scripted, otherwise) = handshake.update { [recorded] state in
            let call = SourceCall(id: state.calls.count, request: recorded)
            state.calls.append(call)
            state.completions[call.id] = completion
            state.running += 1
            state.mostParallelCalls = max(state.mostParallelCalls, state.running)
            let isScripted =
                !state.inOrder.isEmpty
                || state.byKey[PageIdentity(key: request.key, pageSize: 0)]?.isEmpty == false
            return (call.id, state.takeStep(for: request), isScripted ? nil : state.otherwise)
        }
        perform(otherwise?(request) ?? scripted, id: id)
        return SourceCancellation { self.cancel(id) }
    }

    /// Answers what the closure given to the initializer says.
    public func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        neighborRule?(key, pageSize)
    }

    /// Gives answers to a call on the calling thread.
    ///
    /// - Returns: false when the call had let go of its completion, because it was answered before.
    @discardableResult
    func give(_ answers: [Result<PaginatorPage<T>, SourceError>], to id: Int) -> Bool {
        guard !answers.isEmpty else { return true }
        let completion = handshake.update { state -> Completion? in
            guard state.calls.indices.contains(id), let completion = state.completions[id] else { return nil }
            if state.calls[id].isPending { state.running -= 1 }
            state.calls[id].answers += answers.count
            if !keepsAnswered { state.completions[id] = nil }
            return completion
        }
        guard let completion else { return false }
        for answer in answers { completion(answer) }
        return true
    }

    private func perform(_ step: SourceStep<T>, id: Int) {
        guard !step.answers.isEmpty else { return }
        switch step.moment {
        case .insideFetch:
            give(step.answers, to: id)
        case .onQueue:
            lane.run { self.give(step.answers, to: id) }
        case .after(let delay):
            let deadline = clock.now.advanced(by: delay)
            let timer = clock.makeTimer { [weak self] in
                guard let self else { return }
                _ = handshake.update { $0.timers.removeValue(forKey: id) }
                give(step.answers, to: id)
            }
            handshake.update { $0.timers[id] = timer }
            timer.arm(at: deadline)
        }
    }

    private func cancel(_ id: Int) {
        handshake.update { state in
            if state.calls[id].isPending { state.running -= 1 }
            state.calls[id].isCancelled = true
        }
    }
}
