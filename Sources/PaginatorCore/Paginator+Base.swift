// Members that a paginator forwards to its base. When a change returns, memory has changed; the store follows in order.
extension Paginator {
    /// Loads pages through ``base``; see the requirement.
    @discardableResult
    public func prefetch(
        _ request: PrefetchRequest, completion: @escaping @Sendable (PrefetchSummary) -> Void
    ) -> PaginatorExecution {
        let (engine, place) = (base.engine, request.completes)
        let receiver: FetchTicket.Receiver = { delivery, _ in
            if case .prefetchEnd(let summary) = delivery { completion(summary) }
        }
        let ticket = engine.makeTicket(at: place, place == .noQueue ? nil : receiver)
        engine.prefetch(request, for: ticket)
        return ticket
    }

    /// Removes pages of ``base``; see the requirement.
    public func clear(_ selection: PageSelection, completion: (@Sendable (Result<Void, PaginatorError>) -> Void)?) {
        base.editBoard.clear(selection)
        base.engine.clear(selection, completion: completion)
    }

    /// Marks pages of ``base`` stale; see the requirement.
    public func invalidate(_ selection: PageSelection) {
        base.engine.feed(.invalidate(.selected(selection)))
    }

    /// Marks pages of ``base`` stale; see the requirement.
    public func invalidate(tags: [String]) {
        base.engine.feed(.invalidate(.tagged(Set(tags.map(ExactText.init)))))
    }

    /// Puts a page into the caches of ``base``; see the requirement, which also lists the errors.
    public func prime(_ page: PaginatorPage<T>, pageSize: Int, scope: String) throws(PaginatorError) {
        let engine = base.engine
        if let refusal = engine.check.refusal(ofKey: page.key, pageSize: pageSize, scope: scope)
            ?? engine.check.refusal(ofTags: page.tags)
        {
            throw refusal
        }
        let identity = PageIdentity(key: page.key, pageSize: pageSize, scope: scope)
        let loaded = LoadedPage(page, as: identity, from: .source, clock: engine.clock)
        try engine.prime(identity, loaded)
    }

    /// Reads the memory of ``base``; see the requirement.
    public func peek(_ identity: PageIdentity) -> FetchedPage<T>? {
        let engine = base.engine
        return engine.peek(identity).map { FetchedPage($0, at: engine.clock.now) }
    }

    /// Returns the state of a page of ``base``; see the requirement.
    public func state(of identity: PageIdentity) -> PaginatorPageResult<T>? {
        base.engine.state(of: identity)
    }

    /// Observes a page of ``base``; see the requirement.
    @discardableResult
    public func observe(
        _ identity: PageIdentity, onChange: @escaping @Sendable (PaginatorPageResult<T>?) -> Void
    ) -> PaginatorExecution {
        let engine = base.engine
        return engine.observe(identity) { [weak engine] in
            onChange(engine?.state(of: identity))
        }
    }

    /// Returns the paginator's edits by item identity.
    ///
    /// All edits of a paginator have one order and apply to all its lists, whatever their closure. If a list's closure
    /// identifies items differently, an edit makes the list search all its items; otherwise only one. Keep the returned
    /// object: caches index pages by this object, not by its closure.
    ///
    /// - Parameter id: returns an item's identity. It must be pure, and is called on any thread.
    public func edits<ID: Hashable & Sendable>(id: @escaping @Sendable (T) -> ID) -> PaginatorEdits<T, ID> {
        PaginatorEdits(base.editBoard, ItemIdentifier(id), scope: { nil })
    }

    /// Suspends loads until ``resume()``. Running calls of the source continue, and so do timeouts.
    ///
    /// Pages in memory and on disk are still answered. A second call has no effect.
    public func suspend() {
        base.engine.feed(.suspend)
    }

    /// Ends a suspension, however often ``suspend()`` was called. Waiting loads start in order.
    public func resume() {
        base.engine.feed(.resume)
    }

    /// Evicts pages from memory until at most a fraction remains. Complexity: O(evicted pages).
    ///
    /// Pinned pages, and those that the strategy's minimum holds, stay. On Apple platforms this happens automatically
    /// under memory pressure.
    ///
    /// - Parameter fraction: the fraction that may remain, from 0 to 1, of pages, items and bytes each.
    public func trim(toFraction fraction: Double) {
        base.engine.trim(toFraction: fraction)
    }

    /// Makes all changes before it durable, also edits, and changes sent to groups that the paginator's edits joined. No
    /// member of such a group may block until it completes.
    ///
    /// - Parameter completion: called on any thread with success or the store's error: at once without a store, and
    ///   after ``PaginatorConfig/storeTimeout`` at the latest.
    public func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        let base = base
        let (engine, board) = (base.engine, base.editBoard)
        guard let calls = engine.storeCalls else { return engine.executor.run { completion(.success(())) } }
        // Retains the engine, because edits that wait are dropped without it.
        calls.flush(
            afterEdits: { work in board.afterAllEdits { withExtendedLifetime(engine, work) } }, completion: completion)
    }

    /// Answers all waiters with ``PaginatorError/Code/released``, stops all work, and flushes the store.
    ///
    /// Later fetches end with the same error.
    ///
    /// - Parameter completion: called on any thread when the store is flushed, or with its error; after
    ///   ``PaginatorConfig/storeTimeout`` at the latest.
    public func shutdown(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void = { _ in }) {
        base.engine.release()
        flush(completion: completion)
    }
}

extension ConsistencyGroup {
    /// Adds a paginator as a member for ``invalidate(tags:)`` only, until it is released.
    ///
    /// A paginator that joined with its edits needs no second membership.
    ///
    /// - Parameter paginator: the paginator. The group does not retain it.
    /// - Returns: the membership; cancel it to leave.
    @discardableResult
    public func join<T>(_ paginator: some Paginator<T>) -> PaginatorExecution {
        join(invalidating: paginator.base.engine)
    }
}

extension FetchEngine {
    func prime(_ identity: PageIdentity, _ page: LoadedPage) throws(PaginatorError) {
        var page = page
        page.editCount = edits.count
        switch operations.judge(page.object, context(identity, page, .source, at: clock.now)) {
        case .accept: break
        case .useButRefresh: page.isInvalidated = true
        case .dropAndReload: throw FetchMachine.rejection("the validator does not want it", attempts: 0)
        case .fail(let reason): throw FetchMachine.rejection(reason, attempts: 0)
        }
        feed(.prime(identity, check.checked(page)))
    }
}
