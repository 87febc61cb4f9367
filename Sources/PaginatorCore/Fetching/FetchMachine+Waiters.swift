// Waiters: how they start, wait and leave.
extension FetchMachine {
    mutating func fetch(
        _ ticket: FetchTicket, _ request: PageRequest, _ identity: PageIdentity, _ look: MemoryLookup?
    ) {
        noteFetch(request, identity)
        guard !isReleased else { return end(ticket, identity, since: now, .failure(Self.released)) }
        let policy = request.policy ?? settings.config.defaultPolicy
        // The caller's lookup counts, unless memory has changed since.
        let found = current(look, of: identity)
        let meaning = found?.meaning(under: policy, notBefore: request.notBefore, part: request.part) ?? .load
        guard case .load = meaning else { return answer(ticket, request, identity, meaning) }
        let id = add(.ticket(ticket, isAhead: request.isAhead), request, identity)
        // Only a fetch that needs a load is debounced: a page from memory costs the source nothing.
        begin(id, look, after: request.debounce)
    }

    mutating func begin(_ id: UInt64, _ look: MemoryLookup? = nil, after key: DebounceKey?) {
        guard let key, key.delay > .zero else { return begin(id, look) }
        waiters.change(id) { $0.stage = .debouncing(key.exactName, look) }
        debouncing[key.exactName] = id
        deadlines.set(.debounce(id), at: now.advanced(by: key.delay))
    }

    mutating func served(_ request: PageRequest, _ identity: PageIdentity, _ meaning: MemoryMeaning) {
        noteFetch(request, identity)
        answer(nil, request, identity, meaning)
    }

    mutating func noteFetch(_ request: PageRequest, _ identity: PageIdentity) {
        report(.fetchStarted, identity)
        if let key = request.debounce { supersede(key.exactName) }
    }

    private mutating func answer(
        _ ticket: FetchTicket?, _ request: PageRequest, _ identity: PageIdentity, _ meaning: MemoryMeaning
    ) {
        switch meaning {
        case .page(let page, let isRenewed):
            report(.memoryHit, identity)
            end(ticket, identity, since: now, .success(page))
            // After the answer, which does not wait for the renewal.
            if isRenewed { renew(identity, isAhead: request.isAhead) }
        case .refusal(let reason):
            report(.memoryMiss, identity)
            end(ticket, identity, since: now, .failure(Self.rejection(reason, attempts: 0)))
        case .load:
            break
        }
    }

    mutating func refuse(_ ticket: FetchTicket?, _ error: PaginatorError, isAround: Bool) {
        report(.fetchStarted, nil)
        report(.fetchEnded, nil, error: error)
        if let ticket { post(ticket, isAround ? .aroundEnd(.failure(error)) : .answer(.failure(error))) }
    }

    mutating func add(_ sink: Waiter.Sink, _ request: PageRequest, _ identity: PageIdentity) -> UInt64 {
        let id = if case .ticket(let ticket, _) = sink { ticket.id } else { makeID() }
        waiters[id] = Waiter(
            sink: sink, identity: identity, policy: request.policy ?? settings.config.defaultPolicy,
            priority: request.priority, startedAt: now, notBefore: request.notBefore,
            calledAt: request.calledAt, addedAfter: lastRequestTime, part: request.part)
        deadlines.set(.waiter(id), at: now.advanced(by: max(.zero, request.timeout ?? settings.config.fetchTimeout)))
        return id
    }

    mutating func begin(_ id: UInt64, _ look: MemoryLookup? = nil) {
        guard let waiter = waiters[id] else { return }
        if case .around(let ticket, distance: 0) = waiter.sink, let request = arounds[ticket.id]?.request {
            if request.depthLevel > 0 { outbox.unordered.append(.neighborKeys(ticket.id, request)) }
        }
        // A load that called the source too early for this waiter, also for the part that it continues, is of an
        // earlier epoch.
        if let notBefore = waiter.notBefore, waiter.policy.usesSource,
            let load = index[waiter.identity].flatMap({ loads[$0] }), let call = load.call,
            (call.base?.fetchedAt ?? call.requestedAt) < notBefore
        {
            endEpoch(of: load.id)
        }
        // One load per page and epoch, shared by all waiters.
        let load: UInt64
        if let current = index[waiter.identity] {
            load = current
            report(.joined, waiter.identity)
        } else {
            load = makeLoad(waiter.identity)
        }
        attach(id, to: load)
        // The caller's lookup replaces the one of the load, unless the page has changed since.
        if let answer = current(look, of: waiter.identity) { takeLookup(answer, for: load) }
        // In this order: a page that the load already has takes precedence over a reason to give up.
        catchUp(id)
        endIfPauseIsTooLong(id)
        advance(load)
    }

    mutating func attach(_ id: UInt64, to load: UInt64) {
        guard let waiter = waiters[id], let state = loads[load] else { return }
        // The connection may be back, so the scheduler is asked again.
        if waiter.policy.usesSource, case .failed(let error, _) = state.source, error.code == .offline {
            state.source = .unneeded
        }
        waiters.change(id) { $0.stage = .waiting(load: load) }
        state.waiters.append(id)
        state.count(waiter, 1)
        if !waiter.isCleared { state.isForCaches = true }
        if waiter.policy.usesSource, !waiter.isOfPrefetch { setFailed(state, false) }
        if waiter.isBackground { state.background = id }
        if waiter.isOfPrefetch { timePrefetch(id) }
        // Not set again when the waiter begins again, so that the time counts from its first beginning.
        if case .networkFirst(let delay?) = waiter.policy, deadlines.deadline(of: .fallback(id)) == nil,
            !waiter.isFallbackAllowed
        {
            deadlines.set(.fallback(id), at: now.advanced(by: max(.zero, delay)))
        }
    }

    // Gives a waiter that joined late what the caches have already shown to the others.
    private mutating func catchUp(_ id: UInt64) {
        guard let waiter = waiters[id], let load = waiter.load.flatMap({ loads[$0] }) else { return }
        if load.part != nil, catchUpWithPart(id) { return }
        if let page = load.candidate {
            // While a fresh page is renewed, it counts as one that is to be.
            let fresh: CacheAnswer = load.background == nil ? .fresh(page) : .freshButRefresh(page)
            take(page.isStale(at: now) ? .stale(page) : fresh, attempts: load.attempts, for: id)
        } else if load.cache.isDone, waiter.policy == .cacheOnly {
            settle(id, .failure(Self.notInCache(waiter.identity)))
        }
    }

    mutating func show(_ page: LoadedPage, as shown: Waiter.Shown, to id: UInt64) {
        switch waiters[id]?.sink {
        case .ticket(let ticket, _), .around(let ticket, distance: 0):
            guard ticket.takesPreviews else { return }
            waiters.change(id) { $0.shown = shown }
            post(ticket, .preview(page))
        case .around, .prefetch, .background, nil: break
        }
    }

    // Ends a waiter with its outcome. The caller has to advance the load afterward.
    mutating func settle(_ id: UInt64, _ outcome: Result<LoadedPage, PaginatorError>) {
        guard let waiter = forget(id) else { return }
        switch waiter.sink {
        case .ticket(let ticket, _): end(ticket, waiter.identity, since: waiter.startedAt, outcome)
        case .around(let ticket, let distance): aroundSettled(ticket.id, distance, outcome)
        case .prefetch(let prefetch, let direction, _):
            prefetched(waiter.identity, for: prefetch, waiter: id, following: direction, outcome)
        case .background: break
        }
    }

    private mutating func end(
        _ ticket: FetchTicket?, _ identity: PageIdentity, since start: PaginatorInstant,
        _ outcome: Result<LoadedPage, PaginatorError>
    ) {
        reportEnd(of: identity, since: start, outcome)
        if let ticket { post(ticket, .answer(outcome)) }
    }

    mutating func forget(_ id: UInt64) -> Waiter? {
        guard let waiter = waiters.removeValue(forKey: id) else { return nil }
        deadlines.remove(.waiter(id))
        if waiter.isOfPrefetch { parked.remove(id) }
        if case .networkFirst(.some) = waiter.policy { deadlines.remove(.fallback(id)) }
        if case .debouncing(let key, _) = waiter.stage {
            debouncing[key] = nil
            deadlines.remove(.debounce(id))
        }
        // It remains in the load's joining order until `advance` compacts it.
        if let load = waiter.load { loads[load]?.count(waiter, -1) }
        return waiter
    }

    mutating func leave(_ id: UInt64) {
        guard let waiter = forget(id) else { return }
        if let load = waiter.load { advance(load) }
        if case .prefetch(let prefetch, let direction, _) = waiter.sink {
            prefetched(waiter.identity, for: prefetch, waiter: id, following: direction, nil)
        }
    }

    mutating func cancel(_ ticket: FetchTicket) {
        if let waiter = waiters[ticket.id] {
            reportEnd(of: waiter.identity, since: waiter.startedAt, .failure(Self.cancelled))
            leave(ticket.id)
        } else if arounds[ticket.id] != nil {
            endAround(ticket.id, with: .failure(Self.cancelled), isPosted: false)
        } else {
            endPrefetch(ticket.id)
        }
        // Also if the fetch has just been answered: the cancel won the race, so only the cancel may be delivered.
        post(ticket, .cancelled)
    }

    static let released = PaginatorError(.released, "The paginator was released or shut down.")

    static let cancelled = PaginatorError(.cancelled, "The fetch was cancelled.")

    static func notInCache(_ identity: PageIdentity) -> PaginatorError {
        PaginatorError(.notInCache, "The page \(identity) is not in the cache.")
    }

    static func rejection(_ reason: String, attempts: Int) -> PaginatorError {
        PaginatorError(.rejectedByValidation, "The page was rejected: \(reason)", attempts: attempts)
    }

    private mutating func reportEnd(
        of identity: PageIdentity, since start: PaginatorInstant, _ outcome: Result<LoadedPage, PaginatorError>
    ) {
        switch outcome {
        case .success(let page): report(.fetchEnded, identity, since: start, origin: page.origin)
        case .failure(let error): report(.fetchEnded, identity, since: start, error: error)
        }
    }
}
