// Loads: how they come, move on, and end.
extension FetchMachine {
    mutating func makeLoad(_ identity: PageIdentity) -> UInt64 {
        let id = makeID()
        loads[id] = Load(id: id, identity: identity, startedAt: now)
        index[identity] = id
        // Who observes the page sees that it is loading.
        outbox.ordered.append(.pageChanged(identity, at: now))
        return id
    }

    // Does what the load's waiters need next. It may be called at any time; what is done already is not done again.
    mutating func advance(_ id: UInt64) {
        guard let load = loads[id] else { return }
        // Nobody wants it any more: the source must not work for nothing.
        guard load.owners.total > 0 else { return discard(id) }
        if case .unneeded = load.cache, load.owners.usingCache > 0 {
            load.cache = .looking
            outbox.unordered.append(.lookUp(load.identity, load: id, isHandedOn: load.owners.hasUnawaited))
        }
        // Beside the look into memory: some want the source at once.
        advanceSource(of: load)
        compactWaiters(of: load)
    }

    private mutating func advanceSource(of load: Load) {
        switch load.source {
        // The fallback that the failure waited for has been read, or nobody is left who would take it.
        case .failed(let error, let servesCached) where !isReadingCache(load):
            finish(load.id, failing: error, servesCached: servesCached)
        case .unneeded:
            // Network-only asks the source beside the caches; the others only when the caches have nothing for them.
            if load.owners.wantSource(afterCache: load.cache.isDone) { submit(load) }
        default:
            // Those who came or left may have changed how urgent it is, or whether the source is wanted at all.
            if load.owners.mayWantSource { reprioritize(load) } else { stopSource(of: load.id) }
        }
    }

    /// Whether a look into the caches is under way that a waiter could still profit from.
    func isReadingCache(_ load: Load) -> Bool {
        switch load.cache {
        case .looking, .reading: load.owners.usingCache > 0
        case .unneeded, .done: false
        }
    }

    mutating func renew(_ identity: PageIdentity, isAhead: Bool) {
        guard !isReleased else { return }
        // A load that runs already brings what is wanted.
        let load = index[identity] ?? makeLoad(identity)
        addBackgroundWaiter(to: load, isAhead: isAhead)
        advance(load)
    }

    // Makes sure that a load goes on for the caches when everybody else has left. For one who looks ahead it goes on as one
    // ahead, which is no more urgent and waits for no less.
    mutating func addBackgroundWaiter(to load: UInt64, isAhead: Bool) {
        guard let state = loads[load] else { return }
        if let known = state.background.flatMap({ waiters[$0] }), isAhead || !known.isAhead { return }
        let identity = state.identity
        var request = PageRequest(
            key: identity.key, pageSize: identity.pageSize, scope: identity.scope, priority: .low,
            policy: .networkOnly)
        request.isPrefetch = isAhead
        // Network-only, so that no cached page counts as the renewal.
        let id = add(.background, request, identity)
        state.background = id
        attach(id, to: load)
    }

    mutating func finish(_ id: UInt64, with page: LoadedPage) {
        guard let load = loads[id] else { return }
        guard let time = load.invalidation(of: page) else { return complete(load, with: page) }
        // Who came after that wants a newer one.
        let late = liveWaiters(of: load).filter { waiters[$0]?.wantsPage(newerThan: time) == true }
        detach(late, from: id)
        var page = page
        page.isInvalidated = true
        if let load = loads[id] { complete(load, with: page) }
        for waiter in late { begin(waiter) }
    }

    private mutating func complete(_ load: Load, with page: LoadedPage) {
        let id = load.id
        if page.isPartial { return finish(id, withPart: page) }
        if !load.isCurrent, load.owners.hasCacheOnly, isReadingCache(load) {
            // The caches will not have this page; who is content with nothing else waits for what they have.
            load.source = .unneeded
            settleAll(of: id, where: \.policy.usesSource, .success(page))
            return advance(id)
        }
        remove(load)
        // Of an earlier epoch, it still answers those who wait, and leaves no trace in the caches.
        if load.isCurrent {
            errors.forget(.identity(load.identity))
            keep(page, as: load.identity)
        }
        reportEnd(of: load, error: nil)
        // Those that left are still in the joining order.
        for place in load.waiters {
            guard let waiter = waiters[place], waiter.load == id else { continue }
            settle(place, waiter.policy.usesSource ? .success(page) : cachedOutcome(of: load, page))
        }
    }

    // What a waiter gets that must not be answered by the source: the page as memory has it now, or had it before.
    private func cachedOutcome(of load: Load, _ page: LoadedPage) -> Result<LoadedPage, PaginatorError> {
        guard load.isCurrent else {
            return load.candidate.map { .success($0) } ?? .failure(Self.notInCache(load.identity))
        }
        var cached = page
        cached.origin = .memory
        return .success(cached)
    }

    mutating func finish(_ id: UInt64, failing error: PaginatorError, servesCached: Bool) {
        guard let load = loads[id] else { return }
        // Somebody might be answered with a cached page that is still being read: the failure waits for it.
        if isReadingCache(load) {
            load.source = .failed(error, servesCached: servesCached)
            return
        }
        if !liveWaiters(of: load).allSatisfy({ waiters[$0]?.ends(with: error.code) ?? true }) {
            load.source = .unneeded
            // Where somebody who waits has come since the conditions spoke, nothing is held back any more.
            if error.code != .heldBack || load.owners.isPrefetch {
                settleAll(of: load, failing: error, servesCached: servesCached)
            }
            return advance(id)
        }
        remove(load)
        if load.isCurrent { errors.record(error, for: load.identity) }
        // So that another try loads the rest only; but not where a cache has the whole page, or might have it.
        if load.isCurrent, load.cache.isDone, load.candidate == nil, let part = load.part, part.source == .stream,
            part.page.details.isStorable, part.goesOn(load.identity, at: now)
        {
            keep(part.page, as: load.identity)
        }
        reportEnd(of: load, error: error)
        settleAll(of: load, failing: error, servesCached: servesCached)
    }

    // Gives a failure to all whom it ends, or the cached page to those of them who take it in its place.
    private mutating func settleAll(of load: Load, failing error: PaginatorError, servesCached: Bool) {
        for id in load.waiters {
            guard let waiter = waiters[id], waiter.load == load.id, waiter.ends(with: error.code) else { continue }
            let fallsBack = waiter.policy.usesCache && (servesCached || waiter.policy.insistsOnFallback)
            if fallsBack, let page = load.candidate {
                settle(id, .success(page.failing(with: error)))
            } else {
                settle(id, .failure(error))
            }
        }
    }

    // All whom it had to answer have their answer.
    mutating func end(_ id: UInt64) {
        guard let load = loads[id] else { return }
        remove(load)
        if load.isCurrent { errors.forget(.identity(load.identity)) }
        reportEnd(of: load, error: nil)
    }

    mutating func discard(_ id: UInt64) {
        stopSource(of: id)
        guard let load = loads[id] else { return }
        remove(load)
        reportEnd(of: load, error: Self.cancelled)
    }

    private mutating func remove(_ load: Load) {
        loads[load.id] = nil
        endLook(of: load)
        // A later epoch may have a load of its own.
        if index[load.identity] == load.id { index[load.identity] = nil }
    }

    private mutating func reportEnd(of load: Load, error: PaginatorError?) {
        // To observers, what the caches have answered is none.
        if let start = load.sourceWantedAt {
            report(.loadEnded, load.identity, since: start, error: error, attempt: load.attempts)
        }
        outbox.ordered.append(.pageChanged(load.identity, at: now))
    }

    // Drops those that left from the joining order, once they are the greater part.
    private mutating func compactWaiters(of load: Load) {
        // Removing one by one would cost O(waiters) each; once in so many leaves it costs O(1) on average.
        guard load.waiters.count > 32, load.waiters.count > 2 * load.owners.total else { return }
        load.waiters.removeAll { waiters[$0]?.load != load.id }
    }
}
