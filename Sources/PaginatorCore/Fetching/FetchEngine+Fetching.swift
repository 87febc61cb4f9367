package enum FetchStart: Sendable {
    case settled(Result<LoadedPage, PaginatorError>)
    /// It has to go on with what the look into memory gave; `nil` when nobody looked.
    case open(memory: MemoryLook?)
}

// The calls of a paginator, with the item type off.
extension FetchEngine {
    func fetch(_ request: PageRequest, for ticket: FetchTicket) {
        if let refusal = check.refusal(of: request) { return feed(.refuse(ticket, refusal, isAround: false)) }
        resume(request, memory: look(for: request, request.identity), for: ticket)
    }

    /// Answers a request at once where a fetch would, with the same counters, events and renewals. The page is as its
    /// reader sees it, with pending edits.
    package func start(_ request: PageRequest) -> FetchStart {
        if let refusal = check.refusal(of: request) {
            feed(.refuse(nil, refusal, isAround: false))
            return .settled(.failure(refusal))
        }
        let identity = request.identity
        guard let look = look(for: request, identity) else { return .open(memory: nil) }
        let meaning = look.answer.meaning(
            under: (request.policy ?? config.defaultPolicy).kind, notBefore: request.notBefore)
        let result: Result<LoadedPage, PaginatorError>
        switch meaning {
        case .load: return .open(memory: look)
        case .page(let page, _): result = .success(edits.shown(page))
        case .refusal(let reason): result = .failure(FetchMachine.rejection(reason, attempts: 0))
        }
        guard !isReleased else { return .settled(.failure(FetchMachine.released)) }
        if case .page(_, isRenewed: false) = meaning, events == nil, request.debounce == nil {
            // Nobody has to learn of it, so it is only counted.
            memoryHits.add(1)
        } else {
            feed(.served(request, identity, meaning))
        }
        return .settled(result)
    }

    package func resume(_ request: PageRequest, memory: MemoryLook?, for ticket: FetchTicket) {
        feed(.fetch(ticket, request, request.identity, memory: memory))
    }

    private func look(for request: PageRequest, _ identity: PageIdentity) -> MemoryLook? {
        guard (request.policy ?? config.defaultPolicy).kind.usesCache else { return nil }
        let changes = memoryChanges.value
        return MemoryLook(answer: lookUp(identity), changes: changes)
    }

    func fetchAround(_ request: AroundRequest, for ticket: FetchTicket) {
        if let refusal = check.refusal(of: request) { return feed(.refuse(ticket, refusal, isAround: true)) }
        feed(.fetchAround(ticket, request))
    }

    func refresh(_ request: PageRequest, for ticket: FetchTicket) {
        if let refusal = check.refusal(of: request) { return feed(.refuse(ticket, refusal, isAround: false)) }
        feed(.refresh(ticket, request))
    }

    func prefetch(_ requests: [PageRequest], for ticket: FetchTicket) {
        let good = requests.filter { check.refusal(of: $0) == nil }
        if !good.isEmpty { feed(.prefetch(ticket, good)) }
    }

    func answerNow(_ identity: PageIdentity) -> LoadedPage? {
        // Where nobody judges it, readers on several threads share nothing but the page.
        let page = operations.judgesPages ? lookUp(identity).page : inMemory(identity, touching: true)
        return page.map { edits.shown($0) }
    }

    func peek(_ identity: PageIdentity) -> LoadedPage? {
        inMemory(identity, touching: false).map { edits.shown($0) }
    }

    func inMemory(_ identity: PageIdentity, touching: Bool) -> LoadedPage? {
        memory.read(identity, at: clock.now, touching: touching)
    }

    package func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        guard let storeCalls else { return executor.run { completion(.success(())) } }
        storeCalls.flush(completion: completion)
    }

    /// Removes pages from memory before it returns, and from the store before it completes, on any thread; false, without
    /// completing, where there is no store and hence nothing to wait for.
    package func clear(
        _ selection: PageSelection, completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) -> Bool {
        guard let storeCalls else {
            feed(.clear(selection))
            return false
        }
        storeCalls.flush(after: { [self] in feed(.clear(selection)) }, completion: completion)
        return true
    }

    package var hasStore: Bool { storeCalls != nil }
}
