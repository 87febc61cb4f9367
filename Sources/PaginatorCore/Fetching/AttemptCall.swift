/// One call of the source, from just before it is made until it has answered or is stopped.
///
/// `@unchecked Sendable`: `state`, `standsInFor` and `limits` are guarded by the lock that all tickets and calls of an engine
/// share, and `base` is set once, before the source has the call.
final class AttemptCall: SourceCaller, @unchecked Sendable {
    private enum State {
        /// It runs; its handle comes when the source has taken the call.
        case running(SourceCancellation?)
        case stopped
        case answered
    }

    let task: UInt64
    let identity: PageIdentity
    let edits: UInt64
    /// What the answer goes on from; set before the source is called.
    var base: LoadedPage?
    private var state = State.running(nil)
    /// Why a newer page could not be had, where the source says that its answer stands in for one.
    private var standsInFor: PaginatorError?
    private var limits: [@Sendable () -> PaginatorInstant?] = []
    private let reference: EngineReference

    init(_ task: UInt64, _ identity: PageIdentity, edits: UInt64, engine reference: EngineReference) {
        self.task = task
        self.identity = identity
        self.edits = edits
        self.reference = reference
    }

    func made(_ handle: SourceCancellation) {
        let isStopped = reference.lock.withLock {
            if case .running = state { state = .running(handle) }
            return if case .stopped = state { true } else { false }
        }
        if isStopped { handle.cancel() }
    }

    func stop() {
        if case .running(let handle) = end(.stopped) { handle?.cancel() }
    }

    func answer(_ result: Result<LoadedPage, SourceError>) {
        // The paginator is released, and so has answered everybody.
        guard let engine = reference.engine else { return }
        if case .answered = end(.answered) { return engine.feed(.answeredAgain(identity)) }
        let page = result.map { page in
            var page = page
            page.editCount = edits
            page.refreshError = reference.lock.withLock { standsInFor }
            return page
        }
        engine.take(page, of: self)
    }

    func show(_ page: LoadedPage) {
        let isRunning = reference.lock.withLock {
            if case .running = state { true } else { false }
        }
        var page = page
        page.editCount = edits
        if isRunning { reference.engine?.show(page, of: self) }
    }

    // The handle is the user's, and is released by the caller, without the lock.
    private func end(_ ended: State) -> State {
        reference.lock.withLock {
            let before = state
            if case .answered = state { return before }
            state = ended
            return before
        }
    }

    /// When parts of the call have to be over.
    var deadlines: [PaginatorInstant] { reference.lock.withLock { limits }.compactMap { $0() } }

    func limit(by due: @escaping @Sendable () -> PaginatorInstant?) {
        reference.lock.withLock { limits.append(due) }
    }

    var clock: any PaginatorClock { reference.clock }
    var executor: any WorkExecutor { reference.callExecutor }
    var attemptTimeout: Duration { reference.attemptTimeout }

    func pauseSource(for delay: Duration, because cause: (any Error)?) {
        reference.engine?.pauseSource(for: delay, because: cause)
    }

    func report(_ event: PaginatorEvent) { reference.engine?.report(event) }

    func answerStandsIn(for error: SourceError) {
        let error = PaginatorError(
            .sourceFailed, "The source could not renew \(identity).", underlying: error.underlying, attempts: 1)
        let earlier = reference.lock.withLock {
            defer { standsInFor = error }
            return standsInFor
        }
        // Released without the lock.
        withExtendedLifetime(earlier) {}
    }
}
