// The cache stage of a load, and the epochs of pages.
extension FetchMachine {
    /// Memory was looked into, for the second time: a load that ended since the caller's look may have filled it.
    mutating func looked(_ token: CacheToken, _ answer: CacheAnswer) {
        guard let load = loads[token.load], load.cacheStage == .looking(token.number) else { return }
        if case .miss = answer {
            report(.memoryMiss, load.identity)
            guard settings.hasStore else { return cacheMissed(token.load) }
            let read = CacheToken(load: token.load, number: makeID())
            loads.change(token.load) { [now] load in
                load.cacheStage = .reading(read.number)
                load.readStartedAt = now
            }
            deadlines.set(.storeRead(token.load), at: now.advanced(by: max(.zero, settings.storeTimeout)))
            outbox.ordered.append(.readStore(load.identity, read))
            return advance(token.load)
        }
        if answer.page != nil { report(.memoryHit, load.identity) }
        take(answer, for: token.load)
    }

    mutating func readStore(_ token: CacheToken, _ answer: CacheAnswer) {
        guard let load = loads[token.load], load.cacheStage == .reading(token.number) else { return }
        deadlines.remove(.storeRead(token.load))
        let duration = load.readStartedAt.duration(to: now)
        if let page = answer.page {
            report(.storeHit, load.identity) { $0.duration = duration }
            if load.isCurrent { outbox.ordered.append(.admit(load.identity, page)) }
        } else {
            report(.storeMiss, load.identity) { $0.duration = duration }
        }
        if case .failed(let error) = answer { report(.storeFailed, load.identity) { $0.error = error } }
        take(answer, for: token.load)
    }

    /// The store has had its time: the load goes on as if the store did not have the page.
    mutating func storeTimedOut(_ id: UInt64) {
        guard let load = loads[id], case .reading(let number) = load.cacheStage else { return }
        let error = PaginatorError(.storeFailed, "The store did not answer for \(load.identity) in time.")
        readStore(CacheToken(load: id, number: number), .failed(error))
    }

    /// Gives a load what a cache has.
    private mutating func take(_ answer: CacheAnswer, for id: UInt64) {
        guard let load = loads[id] else { return }
        loads.change(id) { $0.cacheStage = .done }
        switch answer {
        case .miss, .failed:
            return cacheMissed(id)
        case .dropped(let page):
            loads.change(id) { $0.reloads += 1 }
            setCandidate(nil, of: id)
            drop(page, of: load)
            return cacheMissed(id)
        case .rejected(let reason):
            setCandidate(nil, of: id)
            let error = Self.rejection(reason, attempts: load.attempts)
            if load.isCurrent { remember(error, for: load.identity) }
            settleAll(of: id, where: \.isContentWithFreshCache, .failure(error))
        case .fresh(let page):
            setCandidate(page, of: id)
            settleAll(of: id, where: { $0.isContentWithFreshCache && $0.takes(page) }, .success(page))
        case .freshButRefresh(let page):
            setCandidate(page, of: id)
            addBackgroundWaiter(to: id)
            settleAll(of: id, where: { $0.isContentWithFreshCache && $0.takes(page) }, .success(page))
        case .stale(let page):
            setCandidate(page, of: id)
            settleAll(of: id, where: { $0.policy == .cacheOnly }, .success(page))
        }
        // To whom it is stale, or not new enough, it is a preview.
        if let page = loads[id]?.candidate {
            for waiter in load.waiters where waiters[waiter]?.load == id { preview(page, to: waiter) }
        }
        if let page = loads[id]?.candidate {
            for waiter in load.waiters where waiters[waiter]?.load == id && waiters[waiter]?.isFallbackDue == true {
                fallBack(waiter, on: page)
            }
        }
        advance(id)
    }

    /// No cache has the page, though an earlier look may have found a stale one.
    private mutating func cacheMissed(_ id: UInt64) {
        guard let load = loads[id] else { return }
        loads.change(id) { $0.cacheStage = .done }
        if load.owners.hasCacheOnly {
            let outcome: Result<LoadedPage, PaginatorError> =
                load.candidate.map { .success($0) } ?? .failure(Self.notInCache(load.identity))
            settleAll(of: id, where: { $0.policy == .cacheOnly }, outcome)
        }
        advance(id)
    }

    mutating func settleAll(
        of id: UInt64, where matches: (Waiter) -> Bool, _ outcome: Result<LoadedPage, PaginatorError>
    ) {
        guard let owned = loads.change(id, { $0.waiters }) else { return }
        for waiterID in owned {
            guard let waiter = waiters[waiterID], waiter.load == id, matches(waiter) else { continue }
            settle(waiterID, outcome)
        }
    }

    /// Removes a page that a validator wants gone, unless a newer one has taken its place.
    mutating func drop(_ page: LoadedPage, of load: Load) {
        guard load.isCurrent else { return }
        outbox.ordered.append(.dropFromMemory(load.identity, page))
        if settings.hasStore { outbox.ordered.append(.removeFromStore(.identity(load.identity))) }
    }

    mutating func put(_ identity: PageIdentity, _ page: LoadedPage) {
        guard !isReleased else { return }
        beginEpoch(.identity(identity))
        forgetErrors(.identity(identity))
        var page = page
        page.fetchedAt = makeTimeOfAsking()
        keep(page, as: identity)
    }

    /// Gives the caches a new page. What the store has of one that it must not have is older, and goes.
    mutating func keep(_ page: LoadedPage, as identity: PageIdentity) {
        outbox.ordered.append(.admit(identity, page))
        guard settings.hasStore else { return }
        outbox.ordered.append(page.isStorable ? .save(identity, page) : .removeFromStore(.identity(identity)))
    }

    /// Also after a release: who logs out may have shut down before.
    mutating func clear(_ selection: PageSelection) {
        // What is loaded for the caches alone is not wanted there any more.
        for id in matching(selection) {
            for waiter in prefetches(of: id) { leave(waiter) }
        }
        beginEpoch(selection)
        forgetErrors(selection)
        outbox.ordered.append(.removeFromMemory(selection, .cleared))
        if settings.hasStore { outbox.ordered.append(.removeFromStore(selection)) }
        // Loads of earlier epochs, too, may still hold a page for a preview or a fallback.
        for id in matching(selection) { forgetCached(id) }
        for id in lanes.values { forgetMemory(of: id, in: selection) }
    }

    /// The loads of the pages named, of whatever epoch.
    private func matching(_ selection: PageSelection) -> [UInt64] {
        loads.values.filter { selection.contains($0.identity) }.map(\.id).sorted()
    }

    /// Makes a debouncing waiter forget what memory gave it.
    private mutating func forgetMemory(of id: UInt64, in selection: PageSelection) {
        guard let waiter = waiters[id], let memory = waiter.memory, selection.contains(waiter.identity) else { return }
        outbox.retired.append(.answer(memory))
        waiters.change(id) { $0.memory = nil }
    }

    mutating func invalidate(_ selection: PageSelection) {
        guard !isReleased else { return }
        beginEpoch(selection)
        for id in matching(selection) { loads[id]?.candidate?.isInvalidated = true }
        outbox.ordered.append(.invalidateMemory(selection))
        if settings.hasStore { outbox.ordered.append(.invalidateStore(selection)) }
    }

    mutating func refresh(_ ticket: FetchTicket, _ request: PageRequest) {
        let identity = request.identity
        // A load that has not asked the source yet will bring what is newer than this call.
        if let current = index[identity], loads[current]?.attempts != 0 { beginEpoch(.identity(identity)) }
        var request = request
        request.policy = .networkOnly
        request.lane = nil
        fetch(ticket, request, identity, nil)
    }

    /// Ends the epoch of the pages named: their loads no longer may cache what they bring.
    mutating func beginEpoch(_ selection: PageSelection) {
        if case .identity(let identity) = selection {
            if let id = index[identity] { endEpoch(of: id) }
            return
        }
        for id in matching(selection) { endEpoch(of: id) }
    }

    /// Ends the epoch of a load. Its prefetches, who want the page in the caches, begin again in the next one.
    private mutating func endEpoch(of id: UInt64) {
        guard let load = loads[id], load.isCurrent else { return }
        loads.change(id) { $0.isCurrent = false }
        index[load.identity] = nil
        let moving = prefetches(of: id)
        guard !moving.isEmpty else { return }
        for waiter in moving {
            guard let state = waiters[waiter] else { continue }
            loads.change(id) { $0.owners.remove(state) }
            waiters.change(waiter) { $0.load = nil }
        }
        advance(id)
        for waiter in moving { begin(waiter) }
    }

    /// The prefetches among the waiters of a load.
    private mutating func prefetches(of id: UInt64) -> [UInt64] {
        guard let waiting = loads.change(id, { $0.owners.hasUnawaited ? $0.waiters : [] }) else { return [] }
        return waiting.filter { waiters[$0]?.load == id && waiters[$0]?.isUnawaited == true }
    }

    /// Makes a load forget what the caches gave it before they were cleared; a look under way becomes a miss.
    private mutating func forgetCached(_ id: UInt64) {
        guard let load = loads[id] else { return }
        setCandidate(nil, of: id)
        if load.cacheStage != .unneeded { cacheMissed(id) }
    }
}

extension CacheAnswer {
    /// The page that the answer lets use.
    package var page: LoadedPage? {
        switch self {
        case .fresh(let page), .freshButRefresh(let page), .stale(let page): page
        case .miss, .dropped, .rejected, .failed: nil
        }
    }

    /// Whether releasing it may release something of the user's.
    var holdsObjects: Bool {
        switch self {
        case .miss, .rejected: false
        case .fresh, .freshButRefresh, .stale, .dropped, .failed: true
        }
    }
}
