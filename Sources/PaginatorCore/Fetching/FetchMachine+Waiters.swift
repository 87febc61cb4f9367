// Waiters: how they come, wait, and leave.
extension FetchMachine {
    mutating func fetch(
        _ ticket: FetchTicket, _ request: PageRequest, _ identity: PageIdentity, _ memory: CacheAnswer?
    ) {
        report(.fetchStarted, identity)
        if let lane = request.lane { supersede(lane.exactName) }
        let policy = (request.policy ?? settings.defaultPolicy).kind
        if let outcome = outcome(of: memory, for: policy, identity) {
            reportEnd(of: identity, since: now, outcome)
            post(ticket, .answer(outcome))
            if case .freshButRefresh? = memory { renew(identity) }
            return
        }
        let id = add(.ticket(ticket), request, identity, memory: memory)
        if let lane = request.lane, lane.debounce > .zero {
            waiters.change(id) { $0.lane = lane.exactName }
            lanes[lane.exactName] = id
            deadlines.set(.debounce(id), at: now.advanced(by: lane.debounce))
        } else {
            begin(id)
        }
    }

    /// Returns the answer where there is one without a load: none is possible, or memory has it.
    private mutating func outcome(
        of memory: CacheAnswer?, for policy: FetchPolicy.Kind, _ identity: PageIdentity
    ) -> Result<LoadedPage, PaginatorError>? {
        guard !isReleased else { return .failure(Self.released) }
        guard policy.isContentWithFreshCache else { return nil }
        switch memory {
        case .fresh(let page), .freshButRefresh(let page):
            report(.memoryHit, identity)
            return .success(page)
        case .stale(let page) where policy == .cacheOnly:
            report(.memoryHit, identity)
            return .success(page)
        case .rejected(let reason):
            return .failure(Self.rejection(reason, attempts: 0))
        case .stale, .miss, .dropped, .failed, nil:
            return nil
        }
    }

    mutating func refuse(_ ticket: FetchTicket, _ error: PaginatorError, isAround: Bool) {
        report(.fetchStarted, nil)
        report(.fetchEnded, nil) { $0.error = error }
        post(ticket, isAround ? .aroundEnd(.failure(error)) : .answer(.failure(error)))
    }

    mutating func prefetch(_ ticket: FetchTicket, _ requests: [PageRequest]) {
        guard !isReleased else { return }
        let ids = requests.map { add(.prefetch(ticket.id), $0, $0.identity) }
        prefetches[ticket.id] = Set(ids)
        for id in ids { begin(id) }
    }

    /// Makes a waiter that has not joined a load.
    mutating func add(
        _ sink: Waiter.Sink, _ request: PageRequest, _ identity: PageIdentity, memory: CacheAnswer? = nil
    ) -> UInt64 {
        let id: UInt64
        if case .ticket(let ticket) = sink { id = ticket.id } else { id = makeID() }
        waiters[id] = Waiter(
            sink: sink, identity: identity, policy: (request.policy ?? settings.defaultPolicy).kind,
            priority: request.priority, startedAt: now, notBefore: request.notBefore, isAhead: request.isPrefetch,
            memory: memory)
        deadlines.set(.waiter(id), at: now.advanced(by: max(.zero, request.timeout ?? settings.fetchTimeout)))
        return id
    }

    /// Joins the page's load, or starts one.
    mutating func begin(_ id: UInt64) {
        guard let waiter = waiters[id] else { return }
        let memory = waiter.memory
        if let memory {
            if memory.holdsObjects { outbox.retired.append(.answer(memory)) }
            waiters.change(id) { $0.memory = nil }
        }
        endOlderLoad(for: waiter)
        let load: UInt64
        if let current = index[waiter.identity] {
            load = current
            report(.joined, waiter.identity)
        } else {
            load = makeLoad(waiter.identity)
        }
        attach(id, to: load)
        if case .stale(let page)? = memory, loads[load]?.candidate == nil { setCandidate(page, of: load) }
        catchUp(id, with: load)
        endIfPauseIsTooLong(id)
        advance(load)
    }

    /// Ends the epoch of a load that has asked the source too early for a waiter.
    private mutating func endOlderLoad(for waiter: Waiter) {
        guard let notBefore = waiter.notBefore, waiter.usesSource, let current = index[waiter.identity],
            let (attempts, askedAt) = loads.change(current, { ($0.attempts, $0.askedAt) }), attempts > 0,
            askedAt < notBefore
        else { return }
        beginEpoch(.identity(waiter.identity))
    }

    mutating func attach(_ id: UInt64, to load: UInt64) {
        guard let waiter = waiters[id] else { return }
        waiters.change(id) { $0.load = load }
        loads.change(load) {
            $0.waiters.append(id)
            $0.owners.add(waiter)
        }
        timePrefetch(id)
        if case .networkFirst(let delay?) = waiter.policy {
            deadlines.set(.fallback(id), at: now.advanced(by: max(.zero, delay)))
        }
    }

    /// Gives a waiter that joined late what the load's caches have shown already.
    private mutating func catchUp(_ id: UInt64, with load: UInt64) {
        guard let waiter = waiters[id], let state = loads[load] else { return }
        if let page = state.candidate {
            let isGood = waiter.policy == .cacheOnly || (!page.isStale(at: now) && waiter.takes(page))
            if waiter.isContentWithFreshCache, isGood {
                settle(id, .success(page))
            } else {
                preview(page, to: id)
            }
        } else if state.cacheStage == .done, waiter.policy == .cacheOnly {
            settle(id, .failure(Self.notInCache(waiter.identity)))
        }
    }

    /// Shows a stale page to a waiter that takes previews, once.
    mutating func preview(_ page: LoadedPage, to id: UInt64) {
        guard let waiter = waiters[id], waiter.policy == .staleWhileRevalidate, !waiter.isPreviewed else { return }
        waiters.change(id) { $0.isPreviewed = true }
        switch waiter.sink {
        case .ticket(let ticket): post(ticket, .preview(page))
        case .around(let around, distance: 0): previewAround(around, page)
        case .around, .prefetch, .background: break
        }
    }

    /// Gives a waiter its outcome; it is gone then. Whoever calls it advances the load afterward.
    mutating func settle(_ id: UInt64, _ outcome: Result<LoadedPage, PaginatorError>) {
        guard let waiter = forget(id) else { return }
        switch waiter.sink {
        case .ticket(let ticket):
            reportEnd(of: waiter.identity, since: waiter.startedAt, outcome)
            post(ticket, .answer(outcome))
        case .around(let around, let distance):
            aroundSettled(around, distance, outcome)
        case .prefetch(let group):
            leaveGroup(group, id)
        case .background:
            break
        }
    }

    private mutating func leaveGroup(_ group: UInt64, _ id: UInt64) {
        prefetches[group]?.remove(id)
        if prefetches[group]?.isEmpty == true { prefetches[group] = nil }
    }

    /// Takes a waiter out of everything that knows it.
    @discardableResult
    mutating func forget(_ id: UInt64) -> Waiter? {
        guard let waiter = waiters.removeValue(forKey: id) else { return nil }
        outbox.retired.append(.waiter(waiter))
        deadlines.remove(.waiter(id))
        if waiter.isUnawaited { parked.remove(id) }
        if case .networkFirst(.some) = waiter.policy { deadlines.remove(.fallback(id)) }
        if let lane = waiter.lane, lanes[lane] == id {
            lanes[lane] = nil
            deadlines.remove(.debounce(id))
        }
        if let load = waiter.load { loads.change(load) { $0.owners.remove(waiter) } }
        return waiter
    }

    /// Takes a waiter away without an outcome, and stops what nobody wants any more.
    mutating func leave(_ id: UInt64) {
        guard let waiter = forget(id) else { return }
        if case .prefetch(let group) = waiter.sink { leaveGroup(group, id) }
        if let load = waiter.load { advance(load) }
    }

    mutating func cancel(_ ticket: FetchTicket) {
        if case .ticket? = waiters[ticket.id]?.sink {
            if let waiter = waiters[ticket.id] {
                reportEnd(of: waiter.identity, since: waiter.startedAt, .failure(Self.cancelled))
            }
            leave(ticket.id)
        } else if arounds[ticket.id] != nil {
            abandonAround(ticket.id)
        } else if let group = prefetches.removeValue(forKey: ticket.id) {
            for id in group.sorted() { leave(id) }
        }
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
        let duration = start.duration(to: now)
        report(.fetchEnded, identity) { event in
            event.duration = duration
            switch outcome {
            case .success(let page): event.origin = page.origin
            case .failure(let error): event.error = error
            }
        }
    }
}
