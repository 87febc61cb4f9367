// Timeouts of waiters: debounce intervals, deadlines and fallbacks.
extension FetchMachine {
    // The time that the error strategy has to decide about a waiter whose deadline has passed.
    private static let strategyTime = Duration.seconds(1)

    mutating func supersede(_ key: ExactText) {
        guard let earlier = debouncing[key] else { return }
        let error = PaginatorError(.superseded, "A later fetch with the same debounce key took this one's place.")
        settle(earlier, .failure(error))
    }

    mutating func debounceEnded(_ id: UInt64) {
        guard case .debouncing(let key, let look)? = waiters[id]?.stage else { return }
        debouncing[key] = nil
        waiters.change(id) { $0.stage = .joining }
        begin(id, look)
    }

    // Stops the timeout of a load's prefetches while the load is queued, because conditions may hold it back for any
    // time, and restarts it when the load runs.
    mutating func timePrefetches(of load: Load) {
        guard load.wanted.hasPrefetches else { return }
        for waiter in liveWaiters(of: load) { timePrefetch(waiter) }
    }

    mutating func timePrefetch(_ id: UInt64) {
        guard let waiter = waiters[id], waiter.isOfPrefetch, let load = waiter.load.flatMap({ loads[$0] }) else {
            return
        }
        switch load.source {
        // Ordered by the time of parking, so that the oldest are dropped if there are too many.
        case .queued, .suspended:
            deadlines.remove(.waiter(id))
            parked.set(id, at: now)
        case .unneeded, .attempting, .judging, .deciding, .failed:
            parked.remove(id)
            deadlines.set(.waiter(id), at: now.advanced(by: max(.zero, settings.config.fetchTimeout)))
        }
    }

    mutating func limitParked() {
        while parked.count > settings.waitingPrefetches, let oldest = parked.popDue(at: .distantFuture) {
            leave(oldest)
        }
    }

    mutating func waiterTimedOut(_ id: UInt64) {
        guard let waiter = waiters[id] else { return }
        if case .deciding(_, let error) = waiter.stage {
            // The error strategy did not decide in time. Its error tells the cause better than a timeout would.
            return settle(id, with: nil, because: error, of: waiter.load)
        }
        let attempts = waiter.load.flatMap { loads[$0]?.attempts } ?? 0
        let error = PaginatorError(
            .timedOut, "The page \(waiter.identity) did not come in time.", attempts: attempts)
        end(id, because: error)
    }

    // Ends a waiter that the source cannot answer in time, with a fallback if its policy has one, else with the error.
    mutating func end(_ id: UInt64, because error: PaginatorError) {
        guard let waiter = waiters[id] else { return }
        guard let load = waiter.load.flatMap({ loads[$0] }), let page = load.candidate, waiter.policy.usesCache else {
            return settle(id, with: nil, because: error, of: waiter.load)
        }
        guard !waiter.policy.insistsOnFallback else {
            return settle(id, with: page, because: error, of: load.id)
        }
        waiters.change(id) { $0.stage = .deciding(load: load.id, error) }
        // A new deadline, because the strategy is user code and may never answer.
        deadlines.set(.waiter(id), at: now.advanced(by: Self.strategyTime))
        outbox.unordered.append(.decide(.waiter(id), failure(error, of: load, isRetryable: false)))
    }

    mutating func timeoutDecided(_ id: UInt64, _ decision: ErrorStrategy.Decision) {
        guard case .deciding(let load, let error)? = waiters[id]?.stage else { return }
        let page = decision == .fail ? nil : loads[load]?.candidate
        settle(id, with: page, because: error, of: load)
    }

    // Handles the end of the source's time: a cached page becomes the answer, now or as soon as it is read.
    mutating func fallbackDue(_ id: UInt64) {
        guard let load = waiters[id]?.load else { return }
        waiters.change(id) { $0.isFallbackAllowed = true }
        if let page = loads[load]?.candidate { fallBack(id, on: page) }
    }

    // Answers with a cached page while the load continues for the caches.
    mutating func fallBack(_ id: UInt64, on page: LoadedPage) {
        guard let waiter = waiters[id], let load = waiter.load.flatMap({ loads[$0] }) else { return }
        // First items that the caller has seen are newer than the cached page.
        if case .items(1...) = waiter.shown { return }
        // The failure ends the waiter when the caches have been read, and becomes the refresh error of the page.
        if case .failed(let error, _) = load.source, error.code != .heldBack, waiter.ends(with: error.code) { return }
        // Added before the waiter leaves, because a load without waiters is stopped.
        addBackgroundWaiter(to: load.id, isAhead: waiter.isAhead)
        settle(id, .success(page))
        advance(load.id)
    }

    // Ends a waiter before its load. The last waiter ends the load, too, which has then failed with this error.
    private mutating func settle(
        _ id: UInt64, with fallback: LoadedPage?, because error: PaginatorError, of load: UInt64?
    ) {
        let wantedSource = waiters[id]?.policy.usesSource == true
        settle(id, fallback.map { .success($0.failing(with: error)) } ?? .failure(error))
        guard let load = load.flatMap({ loads[$0] }) else { return }
        if wantedSource, load.isCurrent, load.wanted.total == 0 { errors.record(error, for: load.identity) }
        advance(load.id)
    }
}
