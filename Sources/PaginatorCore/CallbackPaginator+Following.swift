// Sources that change by themselves.
extension CallbackPaginator {
    /// Follows a source that pushes, until that ends, the execution is cancelled, or the paginator is released or shut down.
    ///
    /// ```swift
    /// let edits = paginator.edits(id: { (post: Post) in post.id })
    /// paginator.follow(changes, from: saved.lastEventID, onApplied: { id in saved.lastEventID = id }) { change in
    ///     switch change {
    ///     // What is older than a page, or than an answer to this device, changes nothing.
    ///     case .updated(let post): edits.update(post.id) { $0.version < post.version ? post : $0 }
    ///     case .removed(let id): edits.remove(id)
    ///     case .added(let post): edits.insert(post, at: .head)
    ///     }
    /// }
    /// ```
    ///
    /// Events are applied one at a time, in their order, each once. What `apply` does with ``Paginator/edits(id:)`` has happened then for
    /// pages that the source is asked for later, and is done again to those that it was asked for before. Where an item has a
    /// version, let the edit keep the newer one, as above: pages and answers of the source come on other ways than events.
    ///
    /// A row that an event inserts stands where the event says, also where the event is older than the page there. A source
    /// that has more rows to repeat than a page has should tell ``PushEvent/missed`` instead.
    ///
    /// A lost connection is opened again after a growing, random time, at the last event; there is none while the device is
    /// offline or the app in the background. Observers hear of ``PaginatorEvent/Kind/followed`` and
    /// ``PaginatorEvent/Kind/followingLost``.
    ///
    /// - Parameters:
    ///   - source: what is followed. Its rows and pages should be those of the paginator's data source.
    ///   - lastEventID: behind which event the source is to begin, such as one of an earlier launch; `nil`, the default, to
    ///     be told what happens from now on. Where an empty one was kept, all pages are stale, as by ``PushEvent/missed``.
    ///   - onApplied: takes the identity of each event that has been applied, and others that the source tells; an empty one
    ///     when there is nothing to go on from any more. To keep it across launches together with what
    ///     it did, call ``Paginator/flush(completion:)`` first. Rows that events insert are in lists alone: who keeps pages across
    ///     launches refreshes the first one then.
    ///   - onEnd: called once, when nothing is followed any more: with `nil` when the source has ended, else with the reason.
    ///   - apply: takes each change, on a background thread; what it keeps should not keep the paginator.
    /// - Returns: the execution. When ``PaginatorExecution/cancel()`` has returned no further event begins to be applied;
    ///   dropping it does not end it.
    @discardableResult
    public func follow<Change>(
        _ source: PushSource<Change>, from lastEventID: String? = nil,
        onApplied: @escaping @Sendable (_ eventID: String) -> Void = { _ in },
        onEnd: @escaping @Sendable (PaginatorError?) -> Void = { _ in },
        apply: @escaping @Sendable (Change) -> Void
    ) -> PaginatorExecution {
        let target = Follower<Change>.Target(
            run: { $0() }, take: apply, tell: { [weak engine] body in if let engine { body(engine) } },
            report: { [weak engine] event in engine?.report(event) }, onApplied: onApplied, onEnd: onEnd)
        return Follower(
            source, from: lastEventID, scheduler: engine.scheduler, clock: engine.clock, seed: engine.config.randomSeed,
            executor: engine.executor, target: target
        ).start(until: engine.endings)
    }
}
