// Loads: how they start, advance and end.
extension FetchMachine {
    mutating func makeLoad(_ identity: PageIdentity) -> UInt64 {
        let id = makeID()
        loads[id] = Load(id: id, identity: identity, startedAt: now)
        loads[id]?.wanted.needsConnection = settings.needsConnection
        index[identity] = id
        // Observers of the page see that it is loading.
        outbox.ordered.append(.pageChanged(identity, at: now))
        return id
    }

    // Takes the next step that the load's waiters need. It can be called at any time, and repeats nothing.
    mutating func advance(_ id: UInt64) {
        guard let load = loads[id] else { return }
        // Without waiters, the source must not work in vain.
        guard load.wanted.total > 0 else { return discard(id) }
        if case .unneeded = load.cache, load.wanted.usingCache > 0 {
            load.cache = .looking()
            outbox.unordered.append(.lookUp(load.identity, load: id, runsOnExecutor: load.wanted.hasAhead))
        }
        // In parallel with the memory lookup, because some waiters want the source at once.
        advanceSource(of: load)
        // Waiters that left are removed once they are the majority: O(1) each on average, and not O(waiters).
        if load.waiters.count > 32, load.waiters.count > 2 * load.wanted.total {
            load.waiters.removeAll { waiters[$0]?.load != load.id }
        }
    }

    private mutating func advanceSource(of load: Load) {
        switch load.source {
        // The fallback for the failure has been read, or no waiter is left that accepts one.
        case .failed(let error, let servesCached) where !isReadingCache(load):
            finish(load, failing: error, servesCached: servesCached)
        case .unneeded:
            // A network-only waiter calls the source in parallel with the caches; the others call it after a miss.
            if load.wanted.wantSource(afterCache: load.cache.isDone) { submit(load) }
        default:
            // Waiters that joined or left may have changed the priority, or whether the source is wanted at all.
            if load.wanted.mayWantSource { reprioritize(load) } else { stopSource(of: load) }
        }
    }

    /// Whether a running lookup in the caches can still help a waiter.
    func isReadingCache(_ load: Load) -> Bool { load.cache.isRunning && load.wanted.usingCache > 0 }

    mutating func renew(_ identity: PageIdentity, isAhead: Bool) {
        guard !isReleased else { return }
        // A running load will bring the page.
        let load = index[identity] ?? makeLoad(identity)
        addBackgroundWaiter(to: load, isAhead: isAhead)
        advance(load)
    }

    // Ensures that a load continues for the caches after all other waiters have left: with low priority, and while no
    // caller wants the page, as a load ahead.
    mutating func addBackgroundWaiter(to load: UInt64, isAhead: Bool) {
        // A load of an earlier epoch brings nothing into the caches.
        guard let state = loads[load], state.isCurrent else { return }
        let known = state.background
        if let renewal = known.flatMap({ waiters[$0] }), isAhead || !renewal.isAhead { return }
        let identity = state.identity
        // Network-only, so that a cached page does not count as the renewal.
        let request = PageRequest(
            key: identity.key, pageSize: identity.pageSize, scope: identity.scope, priority: .low, policy: .networkOnly)
        attach(add(.background(isAhead: isAhead), request, identity), to: load)
        // One is enough. It is replaced last, so that the load always has a waiter.
        if let known { _ = forget(known) }
    }

    mutating func finish(_ load: Load, with page: LoadedPage) {
        guard let time = load.invalidation(of: page) else { return complete(load, with: page) }
        // Waiters that joined after the invalidation want a newer page.
        let late = liveWaiters(of: load).filter { waiters[$0]?.needsPage(newerThan: time) == true }
        detach(late, from: load.id)
        var page = page
        page.isInvalidated = true
        complete(load, with: page)
        for waiter in late { begin(waiter) }
    }

    private mutating func complete(_ load: Load, with page: LoadedPage) {
        let id = load.id
        if page.isPartial { return finish(load, withPart: page) }
        if !load.fillsCaches, load.wanted.hasCacheOnly, isReadingCache(load) {
            // The caches will not get this page, so cache-only waiters wait for the running lookup.
            load.source = .unneeded
            settleAll(of: id, where: \.policy.usesSource, .success(page))
            return advance(id)
        }
        remove(load)
        // A page of an earlier epoch answers the remaining waiters, and is not cached.
        if load.isCurrent {
            errors.forget(.identity(load.identity))
            if load.isForCaches { cache(page, as: load.identity) }
        }
        reportEnd(of: load, error: nil)
        // For cache-only waiters, because memory has the page now.
        var cached = page
        cached.origin = .memory
        // `load.waiters` still contains waiters that left.
        for place in load.waiters {
            guard let waiter = waiters[place], waiter.load == id else { continue }
            settle(place, .success(waiter.policy.usesSource ? page : cached))
        }
    }

    mutating func finish(_ load: Load, failing error: PaginatorError, servesCached: Bool) {
        // A cached page that is still being read may become the answer, so the failure waits for it.
        if isReadingCache(load) {
            load.source = .failed(error, servesCached: servesCached)
            return
        }
        if !liveWaiters(of: load).allSatisfy({ waiters[$0]?.ends(with: error.code) ?? true }) {
            load.source = .unneeded
            // If a caller has joined since the conditions were checked, nothing is held back any more.
            if error.code != .heldBack || load.wanted.isAhead {
                if load.isCurrent { errors.record(error, for: load.identity) }
                setFailed(load, true)
                settleAll(of: load, failing: error, servesCached: servesCached)
            }
            return advance(load.id)
        }
        remove(load)
        if load.isCurrent { errors.record(error, for: load.identity) }
        // Keeps the part, so that another attempt loads only the rest, unless a cache has or may have the whole page.
        if load.fillsCaches, load.cache.isDone, load.candidate == nil, let part = load.part, part.source == .stream,
            part.page.details.isStorable, part.canBeContinued(load.identity, at: now)
        {
            cache(part.page, as: load.identity)
        }
        reportEnd(of: load, error: error)
        settleAll(of: load, failing: error, servesCached: servesCached)
    }

    // Lets observers see the error while only prefetches wait on, until a caller joins who wants the source.
    mutating func setFailed(_ load: Load, _ hasFailed: Bool) {
        guard load.hasFailed != hasFailed else { return }
        load.hasFailed = hasFailed
        outbox.ordered.append(.pageChanged(load.identity, at: now))
    }

    /// Whether observers of a page see that it is loading.
    func isLoading(_ identity: PageIdentity) -> Bool { index[identity].flatMap { loads[$0]?.hasFailed } == false }

    // Settles all waiters that the error ends, with the cached page if they accept it, otherwise with the error.
    private mutating func settleAll(of load: Load, failing error: PaginatorError, servesCached: Bool) {
        for id in load.waiters {
            guard let waiter = waiters[id], waiter.load == load.id, waiter.ends(with: error.code) else { continue }
            let fallsBack = waiter.policy.usesCache && (servesCached || waiter.policy.insistsOnFallback)
            let page = fallsBack ? load.candidate : nil
            settle(id, page.map { .success($0.failing(with: error)) } ?? .failure(error))
        }
    }

    // Ends a load whose waiters all have their answer.
    mutating func endAnswered(_ load: Load) {
        remove(load)
        if load.isCurrent { errors.forget(.identity(load.identity)) }
        reportEnd(of: load, error: nil)
    }

    mutating func discard(_ id: UInt64) {
        guard let load = loads[id] else { return }
        stopSource(of: load)
        remove(load)
        reportEnd(of: load, error: Self.cancelled)
    }

    private mutating func remove(_ load: Load) {
        loads[load.id] = nil
        endLook(of: load)
        // A later epoch may have its own load.
        if index[load.identity] == load.id { index[load.identity] = nil }
    }

    private mutating func reportEnd(of load: Load, error: PaginatorError?) {
        // For observers there was no load if the caches answered everything.
        if let start = load.sourceWantedAt {
            let attempt = load.attempts > 0 ? load.attempts : nil
            report(.loadEnded, load.identity, since: start, error: error, attempt: attempt)
        }
        outbox.ordered.append(.pageChanged(load.identity, at: now))
    }
}
