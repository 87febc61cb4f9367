// Following sources that push.
extension CallbackPaginator {
    /// Follows a source that pushes, until the source ends, the execution is cancelled, or the paginator is released or
    /// shut down.
    ///
    /// ```swift
    /// let edits = paginator.edits(id: { (post: Post) in post.id })
    /// let save: @Sendable (String) -> Void = { [weak paginator] id in
    ///     // What the event changed is on disk before the event counts as done.
    ///     paginator?.flush { if case .success = $0 { saved.lastEventID = id } }
    /// }
    /// paginator.follow(changes, from: saved.lastEventID, onApplied: save) { change in
    ///     switch change {
    ///     // An event older than a page, or than an answer to this device, changes nothing.
    ///     case .updated(let post): edits.update(post.id) { $0.version < post.version ? post : $0 }
    ///     case .removed(let id): edits.remove(id)
    ///     case .added(let post): edits.insert(post, at: .head)
    ///     }
    /// }
    /// ```
    ///
    /// Events are applied one at a time, in order, each once. Changes that `apply` makes through
    /// ``Paginator/edits(id:)`` count as older than pages that are requested later; they are applied again to pages
    /// that were requested earlier. Pages and answers of the source may overtake events, so if items have a version,
    /// keep the newer one, as above.
    ///
    /// A row that an event inserts is placed as the event says, even if the event is older than the page there. A
    /// source that would have to repeat more rows than a page has should send ``PushEvent/missed`` instead.
    ///
    /// A lost connection is reopened at the last event, after a growing random delay, but not while the device is
    /// offline or the app is in the background. Observers get ``PaginatorEvent/Kind/followed`` and
    /// ``PaginatorEvent/Kind/followingLost``.
    ///
    /// - Parameters:
    ///   - source: the source to follow. Its rows and pages should be those of the paginator's data source.
    ///   - lastEventID: the event to begin after, such as the last one of an earlier launch. `nil`, the default, begins
    ///     when the connection opens: what changes after an earlier request of a page is not told. If the first
    ///     attempt fails, all pages are stale when one succeeds. An empty text makes all pages stale when the first
    ///     connection opens, as ``PushEvent/missed`` does, so nothing is lost that changed before.
    ///   - onApplied: called with the identity of each applied event, with identities that the source reports alone,
    ///     and with an empty text if there is none to continue from. To save it across launches with its effects, call
    ///     ``Paginator/flush(completion:)`` first. Inserted rows are not stored: an app with a store should refresh the
    ///     first page after a launch, once its list has loaded. (An empty list that is refreshed shows no stored page.)
    ///   - onEnd: called once when following ends: with `nil` if the source has ended, else with the reason.
    ///   - apply: called with each change on a background thread. It should not retain the paginator.
    /// - Returns: the execution. After ``PaginatorExecution/cancel()`` returns, no further event is applied; dropping
    ///   it does not end it.
    @discardableResult
    public func follow<Change>(
        _ source: PushSource<Change>, from lastEventID: String? = nil,
        onApplied: @escaping @Sendable (_ eventID: String) -> Void = { _ in },
        onEnd: @escaping @Sendable (PaginatorError?) -> Void = { _ in }, apply: @escaping @Sendable (Change) -> Void
    ) -> PaginatorExecution {
        let target = Follower<Change>.Target(
            run: { $0() }, take: apply, tell: { [weak engine] body in if let engine { body(engine) } },
            afterEdits: { [weak editBoard] work in editBoard?.afterEdits(work) }, onApplied: onApplied, onEnd: onEnd)
        return Follower(
            source, from: lastEventID, scheduler: engine.scheduler, clock: engine.clock, seed: engine.config.randomSeed,
            executor: engine.executor, target: target
        ).start(until: engine.endings)
    }
}
