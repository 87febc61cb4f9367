// The cache stage of a load, and the epochs of pages.
extension FetchMachine {
    mutating func looked(_ id: UInt64, _ answer: CacheAnswer) {
        guard let load = loads[id], case .looking = load.cache else { return }
        takeFromMemory(answer.invalidated(by: load.staleTags), for: load)
    }

    mutating func learn(_ answer: CacheAnswer, for id: UInt64) {
        guard let load = loads[id] else { return }
        if case .unneeded = load.cache, load.owners.usingCache > 0 { return takeFromMemory(answer, for: load) }
        if case .miss = answer, case .done = load.cache, settings.judgesPages, load.candidate != nil {
            // What the load took is in memory no longer, so nobody judged it for who comes now.
            load.candidate = nil
            return takeFromMemory(answer, for: load)
        }
        switch answer {
        case .part(let page):
            takePart(page, for: id)
        case .dropped(let page):
            // The load may have found it when it was good; by now it is no fallback for anybody.
            load.candidate = nil
            drop(page, of: load)
        case .rejected:
            load.candidate = nil
        default:
            if load.candidate == nil, let page = answer.page { load.candidate = page }
        }
    }

    private mutating func takeFromMemory(_ answer: CacheAnswer, for load: Load) {
        // The store never has a newer page than memory, so that it is only read where memory has none.
        guard case .miss = answer else {
            report(answer.found == nil ? .memoryMiss : .memoryHit, load.identity)
            return take(answer, for: load.id)
        }
        report(.memoryMiss, load.identity)
        beginStoreRead(load)
    }

    mutating func beginStoreRead(_ load: Load) {
        let id = load.id
        guard settings.hasStore, load.owners.usingCache > 0 else { return cacheMissed(id) }
        report(.storeReadStarted, load.identity)
        load.cache = .reading(since: now)
        deadlines.set(.storeRead(id), at: now.advanced(by: max(.zero, settings.config.storeTimeout)))
        outbox.ordered.append(.readStore(load.identity, load: id))
        advance(id)
    }

    mutating func readStore(_ id: UInt64, _ answer: CacheAnswer) {
        guard let load = loads[id], case .reading(let since) = load.cache else { return }
        deadlines.remove(.storeRead(id))
        let answer = answer.invalidated(by: load.staleTags)
        report(answer.page == nil ? .storeMiss : .storeHit, load.identity, since: since)
        // A clear ends the reads that began before it; what a load of an earlier epoch reads must not get into memory either.
        // Where memory has a part, that is newer.
        if let page = answer.page, load.isCurrent, load.part.map({ $0.source == .stream }) ?? true {
            admit(page, as: load.identity)
        }
        if case .failed(let error) = answer { report(.storeFailed, load.identity, error: error) }
        take(answer, for: id)
    }

    // The store has had its time: the load goes on as if the store did not have the page.
    mutating func storeTimedOut(_ id: UInt64) {
        guard let load = loads[id] else { return }
        readStore(id, .failed(PaginatorError(.storeFailed, "The store did not answer for \(load.identity) in time.")))
    }

    // Removes a page that the validator wants gone; a newer page may have taken its place.
    private mutating func drop(_ page: LoadedPage, of load: Load) {
        guard load.isCurrent else { return }
        changeMemory(of: .identity(load.identity), by: .dropFromMemory(load.identity, page))
        if settings.hasStore { outbox.ordered.append(.removeFromStore(.identity(load.identity))) }
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
        case .rejected(let reason):
            if load.isCurrent { errors.record(Self.rejection(reason, attempts: load.attempts), for: load.identity) }
        case .fresh, .freshButRefresh, .stale:
            break
        }
        load.cache = .done
        load.candidate = answer.page
        for waiter in liveWaiters(of: id) { take(answer, attempts: load.attempts, for: waiter) }
        advance(id)
    }

    private mutating func take(_ answer: CacheAnswer, attempts: Int, for id: UInt64) {
        guard let waiter = waiters[id] else { return }
        let meaning = answer.meaning(under: waiter.policy, notBefore: waiter.notBefore)
        if case .refusal(let reason) = meaning {
            return settle(id, .failure(Self.rejection(reason, attempts: attempts)))
        }
        guard let page = answer.page else { return }
        // A prefetch renews the page itself: under its conditions, and within its limits.
        if case .page(let isRenewed) = meaning, !(isRenewed && waiter.isUnawaited) {
            return settle(id, with: page, isRenewed: isRenewed)
        }
        // To whom it is stale, or not new enough, it is a preview; who sees a part sees what is newer.
        if waiter.shownItems == 0 { preview(page, to: id) }
        if waiter.isFallbackDue { fallBack(id, on: page) }
    }

    // The renewal of the page that is the answer goes on though everybody leaves.
    mutating func settle(_ id: UInt64, with page: LoadedPage, isRenewed: Bool) {
        if isRenewed, let waiter = waiters[id], let load = waiter.load {
            addBackgroundWaiter(to: load, isAhead: waiter.isPrefetch)
        }
        settle(id, .success(page))
    }

    /// In joining order.
    func liveWaiters(of load: Load) -> [UInt64] { load.waiters.filter { waiters[$0]?.load == load.id } }

    func liveWaiters(of id: UInt64) -> [UInt64] { loads[id].map { liveWaiters(of: $0) } ?? [] }

    // No cache has the page, though an earlier look may have found a stale one.
    private mutating func cacheMissed(_ id: UInt64) {
        guard let load = loads[id] else { return }
        // Also where the store failed: whoever can wait for the source does.
        load.cache = .done
        if load.owners.hasCacheOnly {
            let outcome: Result<LoadedPage, PaginatorError> =
                load.candidate.map { .success($0) } ?? .failure(Self.notInCache(load.identity))
            settleAll(of: id, where: { !$0.policy.usesSource }, outcome)
        }
        advance(id)
    }

    mutating func settleAll(
        of id: UInt64, where matches: (Waiter) -> Bool, _ outcome: Result<LoadedPage, PaginatorError>
    ) {
        for waiter in liveWaiters(of: id) where waiters[waiter].map(matches) == true { settle(waiter, outcome) }
    }

    mutating func prime(_ identity: PageIdentity, _ page: LoadedPage) {
        guard !isReleased else { return }
        // What is on its way was asked for earlier and must not overwrite it.
        beginEpoch(.identity(identity))
        errors.forget(.identity(identity))
        var page = page
        page.fetchedAt = makeTimeOfAsking()
        keep(page, as: identity)
    }

    // Gives the caches a new page. What the store has of one that it must not have is older, and goes.
    mutating func keep(_ page: LoadedPage, as identity: PageIdentity) {
        admit(page, as: identity)
        guard settings.hasStore else { return }
        guard page.details.isStorable else { return outbox.ordered.append(.removeFromStore(.identity(identity))) }
        if !page.isPartial { outbox.ordered.append(.save(identity, page)) }
    }

    private mutating func admit(_ page: LoadedPage, as identity: PageIdentity) {
        changeMemory(of: .identity(identity), by: .admit(identity, page))
    }

    // Also after a release: who logs out may have shut down before.
    mutating func clear(_ selection: PageSelection) {
        // What is loaded for the caches alone is not wanted there any more.
        for id in matching(selection) {
            for waiter in prefetches(of: id) { leave(waiter) }
        }
        beginEpoch(selection)
        errors.forget(selection)
        changeMemory(of: selection, by: .removeFromMemory(selection, .cleared))
        if settings.hasStore { outbox.ordered.append(.removeFromStore(selection)) }
        // Loads of earlier epochs, too, may still hold a page for a preview or a fallback.
        for id in matching(selection) { forgetCached(id) }
    }

    private func matching(_ selection: PageSelection) -> [UInt64] {
        loads.values.filter { selection.contains($0.identity) }.map(\.id).sorted()
    }

    mutating func invalidate(_ selection: PageSelection) {
        guard !isReleased else { return }
        beginEpoch(selection)
        // What loads hold as a fallback is as stale now as what memory has.
        for load in loads.values where selection.contains(load.identity) {
            load.candidate?.isInvalidated = true
            load.part?.page.isInvalidated = true
        }
        changeHeldNeighbors { if selection.contains($0) { $1.isInvalidated = true } }
        changeMemory(of: selection, by: .invalidateMemory(selection, makeTimeOfAsking()))
        if settings.hasStore { outbox.ordered.append(.invalidateStore(selection)) }
    }

    mutating func invalidate(tags: Set<ExactText>) {
        guard !isReleased else { return }
        let time = makeTimeOfAsking()
        for load in loads.values { load.invalidate(tags: tags, at: time) }
        changeHeldNeighbors { $1 = $1.invalidated(by: tags) }
        changeMemory(of: .all, by: .invalidateTags(tags, time))
    }

    mutating func refresh(_ ticket: FetchTicket, _ request: PageRequest) {
        let identity = request.identity
        // A load that has not asked the source yet will bring what is newer than this call.
        if let current = index[identity], loads[current]?.askedAt != nil { beginEpoch(.identity(identity)) }
        // Whatever the caller set: a page from a cache would be no refresh.
        var request = request
        request.policy = .networkOnly
        request.debounce = nil
        fetch(ticket, request, identity, nil)
    }

    // Ends the epoch of the pages named: their loads no longer may cache what they bring.
    mutating func beginEpoch(_ selection: PageSelection) {
        if case .identity(let identity) = selection {
            if let id = index[identity] { endEpoch(of: id) }
            return
        }
        for id in matching(selection) { endEpoch(of: id) }
    }

    // Ends the epoch of a load. Its prefetches, who want the page in the caches, begin again in the next one.
    mutating func endEpoch(of id: UInt64) {
        guard let load = loads[id], load.isCurrent else { return }
        load.isCurrent = false
        index[load.identity] = nil
        let moving = prefetches(of: id)
        guard !moving.isEmpty else { return }
        detach(moving, from: id)
        // The old load first: where nobody is left it ends, and its slot is free.
        advance(id)
        for waiter in moving { begin(waiter) }
    }

    // Takes waiters off their load, which are to begin again.
    mutating func detach(_ moving: [UInt64], from id: UInt64) {
        for waiter in moving {
            guard let state = waiters[waiter] else { continue }
            loads[id]?.count(state, -1)
            waiters.change(waiter) { $0.stage = .joining }
        }
    }

    private mutating func prefetches(of id: UInt64) -> [UInt64] {
        liveWaiters(of: id).filter { waiters[$0]?.isUnawaited == true }
    }

    // Makes a load forget what the caches gave it before they were cleared; a look under way becomes a miss.
    private mutating func forgetCached(_ id: UInt64) {
        guard let load = loads[id] else { return }
        load.candidate = nil
        load.part = nil
        if case .unneeded = load.cache { return }
        endLook(of: load)
        cacheMissed(id)
    }

    // Ends a look into memory or the store whose answer nobody will take.
    mutating func endLook(of load: Load) {
        switch load.cache {
        case .looking: report(.memoryMiss, load.identity)
        case .reading(let since):
            deadlines.remove(.storeRead(load.id))
            report(.storeMiss, load.identity, since: since, error: Self.cancelled)
        case .unneeded, .done: break
        }
    }
}
