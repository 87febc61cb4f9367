// What happens to waiters as time passes: bursts, deadlines and fallbacks.
extension FetchMachine {
    // How long the error strategy may think about a waiter whose time is over.
    private static let strategyTime = Duration.seconds(1)

    mutating func supersede(_ key: ExactText) {
        guard let earlier = debouncing[key] else { return }
        settle(
            earlier,
            .failure(PaginatorError(.superseded, "A later fetch with the same debounce key took this one's place.")))
    }

    mutating func debounceEnded(_ id: UInt64) {
        guard case .debouncing(let key, let look)? = waiters[id]?.stage else { return }
        debouncing[key] = nil
        waiters.change(id) { $0.stage = .joining }
        begin(id, look)
    }

    // Stops the time of a load's prefetches while the load waits for its turn, since conditions may hold it back for as
    // long as they last, and lets it run while the load is at work.
    mutating func timePrefetches(of load: Load) {
        guard load.owners.hasUnawaited else { return }
        for waiter in liveWaiters(of: load) { timePrefetch(waiter) }
    }

    mutating func timePrefetch(_ id: UInt64) {
        guard let waiter = waiters[id], waiter.isUnawaited, let load = waiter.load.flatMap({ loads[$0] }) else {
            return
        }
        switch load.source {
        // Parked in the order of their coming, so that the oldest go where there are too many.
        case .queued, .held:
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
            // The error strategy, which is the user's, does not answer; its question tells a better reason than the time.
            return settle(id, .failure(error), thenAdvance: waiter.load)
        }
        let attempts = waiter.load.flatMap { loads[$0]?.attempts } ?? 0
        let error = PaginatorError(
            .timedOut, "The page \(waiter.identity) did not come in time.", attempts: attempts)
        end(id, because: error)
    }

    // Ends a waiter that the source cannot answer in time: with a fallback where its policy has one, else the error.
    mutating func end(_ id: UInt64, because error: PaginatorError) {
        guard let waiter = waiters[id] else { return }
        guard let load = waiter.load.flatMap({ loads[$0] }), let page = load.candidate, waiter.policy.usesCache else {
            return settle(id, .failure(error), thenAdvance: waiter.load)
        }
        guard !waiter.policy.insistsOnFallback else {
            return settle(id, .success(page.failing(with: error)), thenAdvance: load.id)
        }
        waiters.change(id) { $0.stage = .deciding(load: load.id, error) }
        // The strategy is the user's code, and the waiter's time is over already.
        deadlines.set(.waiter(id), at: now.advanced(by: Self.strategyTime))
        outbox.unordered.append(.decide(.waiter(id), failure(error, of: load, isRetryable: false)))
    }

    mutating func timeoutDecided(_ id: UInt64, _ decision: ErrorStrategy.Decision) {
        guard case .deciding(let load, let error)? = waiters[id]?.stage else { return }
        if let page = loads[load]?.candidate, decision != .fail {
            settle(id, .success(page.failing(with: error)), thenAdvance: load)
        } else {
            settle(id, .failure(error), thenAdvance: load)
        }
    }

    // The source has had its time: a cached page is the answer now, or as soon as it is read.
    mutating func fallbackDue(_ id: UInt64) {
        guard let load = waiters[id]?.load else { return }
        waiters.change(id) { $0.isFallbackDue = true }
        if let page = loads[load]?.candidate { fallBack(id, on: page) }
    }

    // Answers with a cached page while the load goes on for the caches.
    mutating func fallBack(_ id: UInt64, on page: LoadedPage) {
        guard let waiter = waiters[id], let load = waiter.load else { return }
        // Before the waiter goes: a load without owners would be stopped.
        addBackgroundWaiter(to: load, isAhead: waiter.isPrefetch)
        settle(id, .success(page), thenAdvance: load)
    }

    private mutating func settle(
        _ id: UInt64, _ outcome: Result<LoadedPage, PaginatorError>, thenAdvance load: UInt64?
    ) {
        settle(id, outcome)
        if let load { advance(load) }
    }
}
