// What a paginator does not do itself: its base does. When a change returns, memory has changed; the store follows in the
// same order.
extension Paginator {
    /// Loads pages by ``base``; see the requirement.
    @discardableResult
    public func prefetch(
        _ request: PrefetchRequest, completion: @escaping @Sendable (PrefetchSummary) -> Void
    ) -> PaginatorExecution {
        let engine = base.engine
        let ticket =
            request.completes == .nowhere
            ? engine.makeTicket(resumesTask: true, nil)
            : engine.makeTicket(wantsMain: request.completes == .mainQueue) { delivery, _ in
                if case .prefetchEnd(let summary) = delivery { completion(summary) }
            }
        engine.prefetch(request, for: ticket)
        return ticket
    }

    /// Removes pages of ``base``; see the requirement.
    public func clear(_ selection: PageSelection, completion: (@Sendable (Result<Void, PaginatorError>) -> Void)?) {
        base.engine.clear(selection, completion: completion)
    }

    /// Marks pages of ``base`` stale; see the requirement.
    public func invalidate(_ selection: PageSelection) {
        base.engine.feed(.invalidate(selection))
    }

    /// Marks pages of ``base`` stale; see the requirement.
    public func invalidate(tags: [String]) {
        base.engine.invalidate(tags: tags)
    }

    /// Puts a page into the caches of ``base``; throws as the requirement says.
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

    /// Looks into the memory of ``base``; see the requirement.
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

    /// Returns the paginator's edits by one way to tell items from one another.
    ///
    /// All edits of a paginator are in one order and concern all its lists, by whichever closure. An edit costs a list
    /// that was made with another closure a look at all its items where the two tell items differently, and no more than
    /// one of its own where they agree. Keep what this returns: edits by one object are told once where items are, and by
    /// another object, though its closure be the same, anew.
    ///
    /// - Parameter id: tells one item from another; pure, and called on any thread.
    public func edits<ID: Hashable & Sendable>(id: @escaping @Sendable (T) -> ID) -> PaginatorEdits<T, ID> {
        PaginatorEdits(base.editBoard, ItemIdentifier(id))
    }

    /// Starts no load until ``resume()``; those that call the source already go on, and time-outs go on counting.
    ///
    /// Pages in memory and on disk are still answered. A second call changes nothing.
    public func suspend() {
        base.engine.feed(.suspend)
    }

    /// Ends a suspension, however often ``suspend()`` was called; what waits starts in its order.
    public func resume() {
        base.engine.feed(.resume)
    }

    /// Removes pages from memory until at most a fraction of them is left. Complexity: O(pages removed).
    ///
    /// Pinned pages and what the strategy keeps at the least stay. On Apple platforms it happens by itself when memory
    /// is short.
    ///
    /// - Parameter fraction: how much may stay, from 0 to 1, of pages, items and bytes each.
    public func trim(toFraction fraction: Double) {
        base.engine.feed(.trim(fraction: fraction))
    }

    /// Makes everything durable that was handed to the store.
    ///
    /// - Parameter completion: called on any thread when it is, or with what went wrong; at once without a store, and after
    ///   ``PaginatorConfig/storeTimeout`` at the latest.
    public func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        base.engine.flush(completion: completion)
    }

    /// Answers everybody who waits with ``PaginatorError/Code/released``, stops all work, and flushes the store.
    ///
    /// Later fetches end with the same error.
    ///
    /// - Parameter completion: called on any thread when the store is flushed, or with what went wrong; after
    ///   ``PaginatorConfig/storeTimeout`` at the latest.
    public func shutdown(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void = { _ in }) {
        base.engine.release()
        base.engine.flush(completion: completion)
    }
}

extension ConsistencyGroup {
    /// Adds a paginator as a member for ``invalidate(tags:)`` alone, until it is released.
    ///
    /// A paginator that has joined with its edits needs no second membership: its pages are invalidated with it.
    ///
    /// - Parameter paginator: the paginator, which the group does not keep alive.
    /// - Returns: the membership, by which it can leave.
    @discardableResult
    public func join<T>(_ paginator: some Paginator<T>) -> PaginatorExecution {
        join(invalidating: paginator.base.engine)
    }
}

extension FetchEngine {
    func invalidate(tags: [String]) {
        feed(.invalidateTags(Set(tags.map(ExactText.init))))
    }

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
