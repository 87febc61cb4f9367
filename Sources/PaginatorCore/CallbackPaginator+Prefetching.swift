// Loads that nobody waits for.
extension CallbackPaginator {
    /// Loads pages into the caches though nobody waits for them yet; those that are cached fresh are left alone.
    ///
    /// It waits for better conditions, however long they last: until it is cancelled, cleared, or one of the oldest of more
    /// than 4,096 that wait. Nobody is told how it ends; see ``prefetch(_:completion:)``.
    ///
    /// - Parameters:
    ///   - keys: the pages' keys; bad ones are left out.
    ///   - pageSize: how many items to ask for.
    ///   - scope: separates pages with the same key, such as those of two users.
    ///   - priority: how urgent the loads are, low by default. A prefetch never takes the last free slot.
    /// - Returns: the execution, by which what is still loading can be cancelled.
    @discardableResult
    public func prefetch(
        keys: [String], pageSize: Int, scope: String = "", priority: FetchPriority = .low
    ) -> PaginatorExecution {
        let request = PrefetchRequest(keys: keys, pageSize: pageSize, scope: scope, priority: priority)
        return prefetch(request, engine.makeTicket(resumesTask: true, nil))
    }

    /// Loads pages into the caches, or those that follow a page, and tells at the end what came.
    ///
    /// ```swift
    /// var request = PrefetchRequest(from: posts.firstKey, pages: 20, pageSize: 30)
    /// request.allows = .background
    /// let work = paginator.prefetch(request) { summary in
    ///     // What came is cached; a flush makes it durable, before the system stops the app.
    ///     paginator.flush { _ in print("\(summary.loaded.count) pages came, \(summary.failed.count) failed") }
    /// }
    /// // When the system takes the time away:
    /// work.cancel()
    /// ```
    ///
    /// - Parameters:
    ///   - request: the pages, the conditions and the limits.
    ///   - completion: takes what came, what was fresh and what failed, once, on the paginator's callback queue: also after a
    ///     cancel, a time-out or the paginator's release. The pages that came and that caches may keep are cached by then; a flush makes them
    ///     durable.
    /// - Returns: the execution. Cancelling it stops the loads that nobody else waits for, and leads to the completion.
    @discardableResult
    public func prefetch(
        _ request: PrefetchRequest, completion: @escaping @Sendable (PrefetchSummary) -> Void
    ) -> PaginatorExecution {
        prefetch(request, engine.makeTicket(completion: completion))
    }

    /// Loads pages into the caches and tells on the main actor what came; otherwise as the form above.
    @discardableResult
    public func prefetch(
        _ request: PrefetchRequest, onMain completion: @escaping @MainActor @Sendable (PrefetchSummary) -> Void
    ) -> PaginatorExecution {
        let ticket = engine.makeTicket(wantsMain: true) { summary in MainQueue.run { completion(summary) } }
        return prefetch(request, ticket)
    }

    private func prefetch(_ request: PrefetchRequest, _ ticket: FetchTicket) -> PaginatorExecution {
        engine.prefetch(request, for: ticket)
        return ticket
    }
}

extension FetchEngine {
    fileprivate func makeTicket(
        wantsMain: Bool = false, completion: @escaping @Sendable (PrefetchSummary) -> Void
    ) -> FetchTicket {
        makeTicket(wantsMain: wantsMain) { delivery, _ in
            if case .prefetchEnd(let summary) = delivery { completion(summary) }
        }
    }
}
