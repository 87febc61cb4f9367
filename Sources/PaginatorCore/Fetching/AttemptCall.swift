/// One call of the source, from just before it is made until the source answers or the call is stopped.
///
/// `@unchecked Sendable`: `state`, `replacedError` and `limits` are guarded by the lock that all tickets and calls of
/// an engine share. `base` is set once, before the call is passed to the source.
final class AttemptCall: SourceCaller, @unchecked Sendable {
    private enum State {
        /// The call runs; the handle is set once the source has returned it.
        case running(SourceCancellation?)
        case stopped
        case answered
    }

    let task: UInt64
    let identity: PageIdentity
    let edits: UInt64
    /// The part that the answer continues; set before the source is called.
    var base: LoadedPage?
    private var state = State.running(nil)
    /// Why the source could not get a newer page, if it says that its answer is a substitute.
    private var replacedError: PaginatorError?
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
        // The engine was released, and has already answered every fetch.
        guard let engine = reference.engine else { return }
        if case .answered = end(.answered) {
            return engine.report(PaginatorEvent(.duplicateAnswer, at: clock.now, identity: identity))
        }
        let page = result.map { page in
            var page = page
            page.editCount = edits
            page.refreshError = reference.lock.withLock { replacedError }
            return page
        }
        engine.take(page, of: self)
    }

    func show(_ page: LoadedPage) {
        let isRunning = reference.lock.withLock { if case .running = state { true } else { false } }
        var page = page
        page.editCount = edits
        if isRunning { reference.engine?.show(page, of: self) }
    }

    // The previous state holds the user's handle: it is returned, so that the caller releases it outside the lock.
    private func end(_ ended: State) -> State {
        reference.lock.withLock {
            let before = state
            if case .answered = state { return before }
            state = ended
            return before
        }
    }

    /// The times by which parts of the call must end.
    var deadlines: [PaginatorInstant] { reference.lock.withLock { limits }.compactMap { $0() } }

    func limit(by due: @escaping @Sendable () -> PaginatorInstant?) {
        reference.lock.withLock { limits.append(due) }
    }

    var clock: any PaginatorClock { reference.clock }
    var executor: any WorkExecutor { reference.callExecutor }
    var attemptTimeout: Duration { reference.attemptTimeout }
    var isOffline: Bool { reference.engine?.scheduler.blockingConditions.contains(.offline) ?? false }

    func pauseSource(_ own: SourcePause?, for delay: Duration, because cause: (any Error)?) {
        reference.engine?.pauseSource(own, for: delay, because: cause)
    }

    func report(_ event: PaginatorEvent) { reference.engine?.report(event) }

    func answerIsFallback(for error: SourceError) {
        let error = PaginatorError(
            error.lacksConnection ? .offline : .sourceFailed, "The source could not renew \(identity).",
            underlying: error.underlying, attempts: 1)
        let earlier = reference.lock.withLock {
            defer { replacedError = error }
            return replacedError
        }
        // Keeps the user's error alive until the lock is released.
        withExtendedLifetime(earlier) {}
    }

    func makeRequestTime() -> PaginatorInstant { reference.engine?.makeRequestTime() ?? clock.now }

    func answerIsRead(afterRefreshAt time: PaginatorInstant, isRefresh: Bool) {
        reference.engine?.driver.withMachine { $0.noteRead(task, afterRefreshAt: time, isRefresh: isRefresh) }
    }
}
