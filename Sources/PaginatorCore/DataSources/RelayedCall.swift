/// A call of a data source that forwards to other sources one after the other. It answers once, and cancelling it stops
/// the running one.
final class RelayedCall<T: Sendable>: Sendable {
    typealias Completion = @Sendable (Result<PaginatorPage<T>, SourceError>) -> Void

    // The latest part of the call, which may have ended; `nil` once the call is over.
    private let state: Guarded<(completion: Completion, part: CallPart?)?>

    init(completion: @escaping Completion) {
        state = Guarded((completion, nil))
    }

    func begin() -> CallPart? {
        state.withLock { state in
            guard state != nil else { return nil }
            let part = CallPart(isFirst: state?.part == nil)
            state?.part = part
            return part
        }
    }

    func run<R: Sendable>(
        _ source: any PaginatorDataSource<R>, _ request: SourceRequest, within time: Duration? = nil,
        then: @escaping @Sendable (Result<PaginatorPage<R>, SourceError>) -> Void
    ) {
        guard let part = begin() else { return }
        if let time { part.limit(to: time, of: request) { then(.failure($0)) } }
        part.run(source, time.map { request.limited(to: $0) } ?? request, then: then)
    }

    func end(_ result: Result<PaginatorPage<T>, SourceError>) {
        state.withLock { $0.take() }?.completion(result)
    }

    func cancel() {
        state.withLock { $0.take() }?.part?.stop()
    }
}

/// One part of a call: a call of a source, or a wait for one. Its answer, a stop or its time limit ends it, whichever
/// is first; the others are ignored.
final class CallPart: Sendable {
    private enum State: Sendable {
        /// The handle may not be set yet, and there may be no limit.
        case running(SourceCancellation?, timer: (any PaginatorTimer)?)
        case ended
        /// Stopped before the handle was returned.
        case stopped
    }

    private let state = Guarded(State.running(nil, timer: nil))
    private let isFirst: Bool

    init(isFirst: Bool = false) {
        self.isFirst = isFirst
    }

    func run<R: Sendable>(
        _ source: any PaginatorDataSource<R>, _ request: SourceRequest,
        then: @escaping @Sendable (Result<PaginatorPage<R>, SourceError>) -> Void
    ) {
        let fetch: @Sendable () -> Void = { [self] in
            // It may have been stopped before this thread began.
            guard isRunning else { return }
            // The source may answer before it returns the handle, which is dropped then.
            setHandle(source.fetch(request) { result in if self.end() { then(result) } })
        }
        // Another source may have answered before, on any thread, even the main one, and this one may block.
        if isFirst { fetch() } else { request.executor.run(fetch) }
    }

    func setHandle(_ cancellation: SourceCancellation) {
        let isStopped = state.withLock { state in
            switch state {
            case .running(_, let timer): state = .running(cancellation, timer: timer)
            case .ended: break
            case .stopped: return true
            }
            return false
        }
        if isStopped { cancellation.cancel() }
    }

    /// Stops the part after a time, and continues without it on a thread that may block. Call it once, before the part
    /// may block.
    func limit(to time: Duration, of request: SourceRequest, then: @escaping @Sendable (SourceError) -> Void) {
        let (clock, due) = (request.clock, request.clock.now.advanced(by: time))
        // Weak, so that an ended call is not retained until its timer fires.
        let timer = clock.makeTimer { [weak self, executor = request.executor] in
            executor.run { [weak self] in
                guard let self, self.stop() else { return }
                then(.retry(PaginatorError(.timedOut, "One of several sources did not answer within \(time).")))
            }
        }
        let isRunning = state.withLock { state in
            guard case .running(let cancellation, _) = state else { return false }
            state = .running(cancellation, timer: timer)
            return true
        }
        request.context.caller?.limit { [weak self] in self?.isRunning == true ? due : nil }
        if isRunning { timer.arm(at: due) }
    }

    private var isRunning: Bool { state.withLock { if case .running = $0 { true } else { false } } }

    @discardableResult
    func end() -> Bool {
        // The handle belongs to the user, and is released without the lock.
        if case .running = change(to: .ended) { true } else { false }
    }

    @discardableResult
    func stop() -> Bool {
        guard case .running(let cancellation, _) = change(to: .stopped) else { return false }
        cancellation?.cancel()
        return true
    }

    private func change(to end: State) -> State {
        state.withLock { state in
            let former = state
            if case .running = former { state = end }
            return former
        }
    }
}
