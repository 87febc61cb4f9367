// The cache stage of a load, and the epochs of pages.
extension FetchMachine {
    mutating func looked(_ id: UInt64, _ answer: CacheAnswer) {
        guard let load = loads[id], case .looking = load.cache else { return }
        takeFromMemory(answer.invalidated(by: load.cache.invalidatedTags), for: load)
    }

    mutating func takeLookup(_ answer: CacheAnswer, for id: UInt64) {
        guard let load = loads[id] else { return }
        if case .unneeded = load.cache, load.wanted.usingCache > 0 { return takeFromMemory(answer, for: load) }
        if case .miss = answer, case .done = load.cache, settings.judgesPages, load.candidate != nil {
            // Memory no longer has the page that the load took, so no validator has judged it for the new waiter.
            load.candidate = nil
            return takeFromMemory(answer, for: load)
        }
        switch answer {
        case .part(let page):
            takePart(page, for: id)
        case .dropped(let page):
            // The page may have been valid when the load found it; it is no fallback any more.
            load.candidate = nil
            drop(page, of: load)
        case .rejected:
            load.candidate = nil
        default:
            if load.candidate == nil, let page = answer.page { load.candidate = page }
        }
    }

    private mutating func takeFromMemory(_ answer: CacheAnswer, for load: Load) {
        // The store never has a newer page than memory, so it is read only if memory has none.
        guard case .miss = answer else {
            report(answer.found == nil ? .memoryMiss : .memoryHit, load.identity)
            return take(answer, for: load.id)
        }
        report(.memoryMiss, load.identity)
        beginStoreRead(load)
    }

    mutating func beginStoreRead(_ load: Load) {
        let id = load.id
        guard settings.hasStore, load.wanted.usingCache > 0 else { return cacheMissed(id) }
        report(.storeReadStarted, load.identity)
        load.cache = .reading(since: now, invalidated: load.cache.invalidatedTags)
        deadlines.set(.storeRead(id), at: now.advanced(by: max(.zero, settings.config.storeTimeout)))
        outbox.ordered.append(.readStore(load.identity, load: id))
        advance(id)
    }

    mutating func readStore(_ id: UInt64, _ answer: CacheAnswer) {
        guard let load = loads[id], case .reading(let since, let invalidated) = load.cache else { return }
        deadlines.remove(.storeRead(id))
        let answer = answer.invalidated(by: invalidated)
        report(answer.page == nil ? .storeMiss : .storeHit, load.identity, since: since)
        // A clear ends earlier reads, and the page of a load from an earlier epoch must not get into memory either. A
        // part in memory is newer than the page of the store.
        if let page = answer.page, load.isCurrent, load.part.map({ $0.source == .stream }) ?? true {
            admit(page, as: load.identity)
        }
        if case .failed(let error) = answer { report(.storeFailed, load.identity, error: error) }
        take(answer, for: id)
    }

    // Handles a store that did not answer in time: the load continues as if the store did not have the page.
    mutating func storeTimedOut(_ id: UInt64) {
        guard let load = loads[id] else { return }
        readStore(id, .failed(PaginatorError(.storeFailed, "The store did not answer for \(load.identity) in time.")))
    }

    // Removes a page that the validator rejected, unless a newer page has replaced it.
    private mutating func drop(_ page: LoadedPage, of load: Load) {
        guard load.isCurrent else { return }
        changeMemory(of: .identity(load.identity), by: .dropFromMemory(load.identity, page))
        changeStore(.remove(.identity(load.identity)))
    }

    private mutating func take(_ answer: CacheAnswer, for id: UInt64) {
        guard let load = loads[id] else { return }
        switch answer {
        case .miss, .failed:
            return cacheMissed(id)
        case .part(let page):
            return takePart(page, for: id)
        case .dropped(let page):
            load.hasReloaded = true
            load.candidate = nil
            drop(page, of: load)
            return cacheMissed(id)
        case .rejected(let reason, let isStale):
            if load.isCurrent, !isStale {
                errors.record(Self.rejection(reason, attempts: load.attempts), for: load.identity)
            }
        case .fresh, .freshButRefresh, .stale:
            break
        }
        load.cache = .done
        load.candidate = answer.page
        for waiter in liveWaiters(of: id) { take(answer, attempts: load.attempts, for: waiter) }
        // They were spared while the cache was read.
        endIfPauseIsTooLong(all: id)
        advance(id)
    }

    mutating func take(_ answer: CacheAnswer, attempts: Int, for id: UInt64) {
        guard let waiter = waiters[id] else { return }
        switch answer.meaning(under: waiter.policy, notBefore: waiter.notBefore) {
        case .refusal(let reason): return settle(id, .failure(Self.rejection(reason, attempts: attempts)))
        // A prefetch loads the stale page itself, under its own conditions and limits.
        case .page(_, isRenewed: true) where waiter.isOfPrefetch: break
        case .page(let page, let isRenewed):
            // The renewal continues even if all waiters leave.
            if isRenewed, let load = waiter.load { addBackgroundWaiter(to: load, isAhead: waiter.isAhead) }
            return settle(id, .success(page))
        case .load: break
        }
        guard let page = answer.page else { return }
        // A page that is stale or too old for the waiter is a preview: one at most, because a second stale page tells
        // nothing new, and none after a part, which is newer.
        if waiter.policy == .staleWhileRevalidate, case .items(0) = waiter.shown { show(page, as: .page, to: id) }
        if waiter.isFallbackAllowed { fallBack(id, on: page) }
    }

    /// Returns the live waiters of a load, in joining order.
    func liveWaiters(of load: Load) -> [UInt64] { load.waiters.filter { waiters[$0]?.load == load.id } }

    func liveWaiters(of id: UInt64) -> [UInt64] { loads[id].map { liveWaiters(of: $0) } ?? [] }

    // Handles that no cache has the page. An earlier lookup may have found a stale one.
    private mutating func cacheMissed(_ id: UInt64) {
        guard let load = loads[id] else { return }
        // Also after a failure of the store: a waiter that can use the source waits for it.
        load.cache = .done
        if load.wanted.hasCacheOnly {
            let outcome: Result<LoadedPage, PaginatorError> =
                load.candidate.map { .success($0) } ?? .failure(Self.notInCache(load.identity))
            settleAll(of: id, where: { !$0.policy.usesSource }, outcome)
        }
        endIfPauseIsTooLong(all: id)
        advance(id)
    }

    mutating func settleAll(
        of id: UInt64, where matches: (Waiter) -> Bool, _ outcome: Result<LoadedPage, PaginatorError>
    ) {
        for waiter in liveWaiters(of: id) where waiters[waiter].map(matches) == true { settle(waiter, outcome) }
    }

    mutating func prime(_ identity: PageIdentity, _ page: LoadedPage) {
        guard !isReleased else { return }
        // Pages on their way were requested earlier, and must not overwrite this one.
        if let id = index[identity] { endEpoch(of: id) }
        errors.forget(.identity(identity))
        var page = page
        page.fetchedAt = makeRequestTime()
        cache(page, as: identity)
    }

    // Puts a new page into the caches. If it must not be stored, the older page in the store is removed.
    mutating func cache(_ page: LoadedPage, as identity: PageIdentity) {
        admit(page, as: identity)
        guard page.details.isStorable else { return changeStore(.remove(.identity(identity))) }
        if !page.isPartial { changeStore(.save(identity, page)) }
    }

    private mutating func changeStore(_ change: StoreOperation) {
        if settings.hasStore { outbox.ordered.append(.changeStore(change)) }
    }

    private mutating func admit(_ page: LoadedPage, as identity: PageIdentity) {
        changeMemory(of: .identity(identity), by: .admit(identity, page))
    }

    // Clears pages, also after a release, because an app may shut down before it clears at log-out.
    mutating func clear(_ selection: PageSelection) {
        // Fetches go on, but bring nothing into the caches, also by loads that begin later.
        for (id, waiter) in waiters where selection.contains(waiter.identity) {
            waiters.change(id) { $0.isCleared = true }
        }
        for id in arounds.keys { arounds.change(id) { _ = $0.cleared.insert(selection) } }
        // Prefetches end, as renewals do: their pages are no longer wanted in the caches.
        for waiter in matching(selection).flatMap({ prefetchWaiters(of: $0) }) { leave(waiter) }
        for id in matching(selection) { endEpoch(of: id) }
        errors.forget(selection)
        changeMemory(of: selection, by: .removeFromMemory(selection, .cleared))
        changeStore(.remove(selection))
        // Loads of earlier epochs may also hold a page for a preview or a fallback.
        for id in matching(selection) { discardCached(id) }
    }

    private func matching(_ selection: PageSelection) -> [UInt64] {
        loads.values.filter { selection.contains($0.identity) }.map(\.id).sorted()
    }

    mutating func invalidate(_ selection: PageSelection) {
        guard !isReleased else { return }
        for id in matching(selection) {
            guard let load = loads[id] else { continue }
            // A load that waits for its first call will bring a newer page. A renewal ends, as with an epoch.
            if load.call != nil || load.cache.isRunning {
                endEpoch(of: id)
            } else if let renewal = load.background {
                leave(renewal)
            }
        }
        // Pages that loads hold as a fallback become stale like those in memory.
        for load in loads.values where selection.contains(load.identity) {
            load.candidate?.isInvalidated = true
            load.part?.page.isInvalidated = true
        }
        changeUndelivered { if selection.contains($0) { $1.isInvalidated = true } }
        changeMemory(of: selection, by: .invalidateMemory(.selected(selection), makeRequestTime()))
        changeStore(.invalidate(selection))
    }

    mutating func invalidate(tags: Set<ExactText>) {
        guard !isReleased else { return }
        let time = makeRequestTime()
        for load in loads.values { load.invalidate(tags: tags, at: time) }
        changeUndelivered { $1 = $1.invalidated(by: tags) }
        changeMemory(of: .all, by: .invalidateMemory(.tagged(tags), time))
        changeStore(.invalidateTags(tags))
    }

    mutating func refresh(_ ticket: FetchTicket, _ request: PageRequest) {
        let identity = request.identity
        // A load that has not called the source yet will bring a page newer than this call.
        if let current = index[identity], loads[current]?.call != nil { endEpoch(of: current) }
        // Overrides the caller's policy, because a cached page would be no refresh.
        var request = request
        request.policy = .networkOnly
        request.debounce = nil
        fetch(ticket, request, identity, nil)
    }

    // Ends the epoch of a load, which may no longer cache what it brings. Prefetches want the page in the caches, so
    // they join the next one's load. A renewal ends: whoever wants the page next loads it anyway.
    mutating func endEpoch(of id: UInt64) {
        guard let load = loads[id], load.isCurrent else { return }
        load.isCurrent = false
        index[load.identity] = nil
        let moving = prefetchWaiters(of: id)
        detach(moving, from: id)
        // The old load first: without waiters it ends and frees its slot.
        if let renewal = load.background { leave(renewal) }
        advance(id)
        for waiter in moving { begin(waiter) }
    }

    // Removes waiters from their load, so that they can join another one.
    mutating func detach(_ moving: [UInt64], from id: UInt64) {
        for waiter in moving {
            guard let state = waiters[waiter] else { continue }
            loads[id]?.count(state, -1)
            waiters.change(waiter) { $0.stage = .joining }
        }
        // They may join the same load again.
        let moved = Set(moving)
        loads[id]?.waiters.removeAll { moved.contains($0) }
    }

    private func prefetchWaiters(of id: UInt64) -> [UInt64] {
        liveWaiters(of: id).filter { waiters[$0]?.isOfPrefetch == true }
    }

    // Discards what the caches gave a load before they were cleared; a running lookup becomes a miss.
    private mutating func discardCached(_ id: UInt64) {
        guard let load = loads[id] else { return }
        load.candidate = nil
        load.part = nil
        if case .unneeded = load.cache { return }
        endLook(of: load)
        cacheMissed(id)
    }

    // Ends a lookup in memory or the store whose result is no longer used.
    mutating func endLook(of load: Load) {
        switch load.cache {
        case .looking: report(.memoryMiss, load.identity)
        case .reading(let since, _):
            deadlines.remove(.storeRead(load.id))
            report(.storeMiss, load.identity, since: since, error: Self.cancelled)
        case .unneeded, .done: break
        }
    }
}
