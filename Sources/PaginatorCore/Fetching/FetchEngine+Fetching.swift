package enum FetchStart: Sendable {
    case answered(Result<LoadedPage, PaginatorError>, at: PaginatorInstant)
    /// The fetch must continue with this memory lookup; `nil` if memory was not read.
    case open(PageIdentity, memory: MemoryLookup?)
}

// The operations of a paginator, with the item type erased.
extension FetchEngine {
    func fetch(_ request: PageRequest, for ticket: FetchTicket) {
        if let refusal = check.refusal(of: request) { return feed(.refuse(ticket, refusal, isAround: false)) }
        let identity = request.identity
        let look = look(for: request, identity)
        if let look, case .page(let page, isRenewed: false) = meaning(of: look, for: request),
            needsNoEvent(of: request)
        {
            // Checks under the driver's lock that the machine would decide the same. This orders the answer among the
            // others and detects a change after the lookup.
            let callback = Callback(ticket: ticket, delivery: .answer(.success(page)), decidedAt: look.time)
            let isAnswered = driver.withMachine { [changes = look.changes] machine in
                guard !machine.isReleased, machine.isCurrent(identity, since: changes) else { return false }
                post(callback)
                memoryHits.add(1)
                return true
            }
            if isAnswered { return }
        }
        feed(.fetch(ticket, request, identity, memory: look))
    }

    /// Answers a request at once if a fetch would, with the same counters, events and renewals. Pending edits are
    /// applied to the page.
    package func start(_ request: PageRequest) -> FetchStart {
        if let refusal = check.refusal(of: request) {
            feed(.refuse(nil, refusal, isAround: false))
            return .answered(.failure(refusal), at: .zero)
        }
        let identity = request.identity
        guard let look = look(for: request, identity) else { return .open(identity, memory: nil) }
        let meaning = meaning(of: look, for: request)
        let answer: Result<LoadedPage, PaginatorError>
        switch meaning {
        case .page(let page, _): answer = .success(page)
        case .refusal(let reason): answer = .failure(FetchMachine.rejection(reason, attempts: 0))
        case .load: return .open(identity, memory: look)
        }
        guard !isReleased else { return .answered(.failure(FetchMachine.released), at: look.time) }
        if case .page(_, isRenewed: false) = meaning, needsNoEvent(of: request) {
            memoryHits.add(1)
        } else {
            feed(.served(request, identity, meaning))
        }
        return .answered(answer.map { edits.shown($0) }, at: look.time)
    }

    /// Continues an open fetch for a task that awaits the answer.
    package func resume(
        _ request: PageRequest, _ identity: PageIdentity, memory: MemoryLookup?,
        resuming: @escaping @Sendable (Result<LoadedPage, PaginatorError>, PaginatorInstant) -> Void
    ) -> FetchTicket {
        let ticket = makeTicket(at: .noQueue, takesPreviews: false) { delivery, now in
            switch delivery {
            case .answer(let result): resuming(result, now)
            case .cancelled: resuming(.failure(FetchMachine.cancelled), now)
            case .preview, .neighbor, .neighborFailure, .aroundEnd, .prefetchEnd, .listEnd, .changed, .unobserved: break
            }
        }
        feed(.fetch(ticket, request, identity, memory: memory))
        return ticket
    }

    private func look(for request: PageRequest, _ identity: PageIdentity) -> MemoryLookup? {
        guard (request.policy ?? config.defaultPolicy).usesCache else { return nil }
        let (changes, now) = (memoryChanges.value, clock.now)
        return MemoryLookup(answer: lookUp(identity, at: now), changes: changes, time: now)
    }

    private func meaning(of look: MemoryLookup, for request: PageRequest) -> MemoryMeaning {
        look.answer.meaning(
            under: request.policy ?? config.defaultPolicy, notBefore: request.notBefore, part: request.part)
    }

    // Whether a hit in memory only has to be counted, because no observer and no debounce key needs an event.
    private func needsNoEvent(of request: PageRequest) -> Bool { !events.isObserved && request.debounce == nil }

    func fetchAround(_ request: AroundRequest, for ticket: FetchTicket) {
        if let refusal = check.refusal(of: request) { return feed(.refuse(ticket, refusal, isAround: true)) }
        feed(.fetchAround(ticket, request))
    }

    func refresh(_ request: PageRequest, for ticket: FetchTicket) {
        if let refusal = check.refusal(of: request) { return feed(.refuse(ticket, refusal, isAround: false)) }
        feed(.refresh(ticket, request))
    }

    func prefetch(_ request: PrefetchRequest, for ticket: FetchTicket) {
        var (good, refused) = (request, [PageIdentity: PaginatorError]())
        good.keys.removeAll { key in
            let page = request.page(key)
            guard let refusal = check.refusal(of: page) else { return false }
            refused[page.identity] = refusal
            return true
        }
        feed(.prefetch(ticket, good, refused: refused))
    }

    /// Whether the current conditions would make a prefetch wait.
    package func holdsBack(_ request: PrefetchRequest) -> Bool {
        scheduler.holdsBack(request.conditions, needsConnection: operations.needsConnection)
    }

    func answerNow(_ identity: PageIdentity) -> LoadedPage? {
        // Without a validator, threads that read memory share nothing but the page.
        let page = operations.judgesPages ? lookUp(identity, at: clock.now).found : inMemory(identity, touching: true)
        return page.map { edits.shown($0) }
    }

    func peek(_ identity: PageIdentity) -> LoadedPage? {
        inMemory(identity, touching: false).map { edits.shown($0) }
    }

    func inMemory(_ identity: PageIdentity, touching: Bool) -> LoadedPage? {
        memory.read(identity, at: clock.now, touching: touching)
    }

    func clear(_ selection: PageSelection, completion: (@Sendable (Result<Void, PaginatorError>) -> Void)?) {
        if let completion, let storeCalls {
            return storeCalls.flush(after: { [self] in feed(.clear(selection)) }, completion: completion)
        }
        feed(.clear(selection))
        if let completion { executor.run { completion(.success(())) } }
    }

    package var hasStore: Bool { storeCalls != nil }
}
