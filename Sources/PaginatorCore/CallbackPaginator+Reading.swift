// Synchronous results are return values, never callbacks.
extension CallbackPaginator {
    /// Calls `body` with the page in memory if the validator accepts it, and counts a use. Complexity: O(1).
    ///
    /// - Parameters:
    ///   - key: the page's key.
    ///   - pageSize: the number of items it was requested with.
    ///   - scope: distinguishes pages with the same key, such as those of two users.
    ///   - body: called on the caller's thread without a lock.
    /// - Returns: the result of `body`, or `nil` if no usable page, fresh or stale, is in memory.
    /// - Throws: what `body` throws.
    public func withPage<R, E: Error>(
        key: String, pageSize: Int, scope: String = "", _ body: (borrowing PaginatorPage<T>) throws(E) -> R
    ) throws(E) -> R? {
        let identity = PageIdentity(key: key, pageSize: pageSize, scope: scope)
        guard let page = engine.answerNow(identity) else { return nil }
        return try body(.from(page.object))
    }

    /// The paginator's counters so far.
    public var counters: PaginatorCounters { engine.counters }

    /// Describes the paginator's whole state for a bug report: cached pages, running loads, waiters, the last errors
    /// and the counters.
    ///
    /// Pages have their names of events, and in brackets those of logs without user data. The text contains keys.
    /// Complexity: O(everything).
    public func dump() -> String { engine.dump() }
}

extension FetchEngine {
    func state<T: Sendable>(of identity: PageIdentity) -> PaginatorPageResult<T>? {
        let (isLoading, error) = driver.withMachine { ($0.isLoading(identity), $0.errors[identity]) }
        let page = peek(identity).map { PaginatorPage<T>.from($0.object) }
        if isLoading { return .loading(previous: page) }
        if let error { return .error(error, previous: page) }
        return page.map { .success($0) }
    }

    func observe(_ identity: PageIdentity, _ handler: @escaping @Sendable () -> Void) -> PaginatorExecution {
        let observer = PageSubscriptions.Subscriber(merge: { _, later in later }) { observer in
            if observer.take() != nil { handler() }
        }
        let ticket = subscribe(observer) { [weak self] number in self?.endObservation(number, of: identity) }
        subscriptions.add(observer, as: ticket.id, to: .state(identity))
        observer.tell([.state(.identity(identity))], in: mailbox, at: clock.now)
        return ticket
    }

    // Ends an observation. With the last one of a page, a page that must not be kept is removed from memory.
    private func endObservation(_ number: UInt64, of identity: PageIdentity) {
        subscriptions.remove(number, from: .state(identity))
        guard !subscriptions.isObserved(identity),
            let page = memory.read(identity, at: clock.now, touching: false), !page.details.isStorable
        else { return }
        withExtendedLifetime(memory.remove(identity, ifObject: page.object, because: .replaced)) {}
    }
}
