/// Keeps things of different types consistent: a list of previews, a detail, a counter.
///
/// Members opt in, and each says how its items take a change. Whatever the group is told reaches all members that have
/// not left, in the same order for all, off the caller's thread.
///
/// ```swift
/// let group = ConsistencyGroup<PostLiked>()
/// group.join(previews.edits(id: \.id)) { liked in (liked.id, { $0.liked() }) }
/// group.join(details.edits(id: \.id)) { liked in (liked.id, { $0.with(likes: $0.likes + 1) }) }
/// group.send(PostLiked(id: 7))
/// ```
///
/// What a server has yet to confirm is begun, and shows everywhere until it is committed or taken back everywhere:
///
/// ```swift
/// let like = group.begin(PostLiked(id: 7))
/// api.like(7) { result in
///     switch result {
///     case .success: like.commit()
///     case .failure: like.rollBack()
///     }
/// }
/// ```
///
/// What a write has changed in ways that nobody can tell on the device is invalidated by the pages' tags, for all
/// paginators that are members:
///
/// ```swift
/// group.join(details)
/// group.invalidate(tags: ["posts", "post-7"])
/// ```
///
/// `@unchecked Sendable`: `members` and `pending` belong to whoever handles a message of `messages`, which hands them on.
public final class ConsistencyGroup<Change: Sendable>: @unchecked Sendable {
    private struct Item: Hashable {
        let paginator: ObjectIdentifier
        let id: AnyHashable
    }

    // Ends what shows as pending, except for an item that has taken the change, and adds the one that takes it now.
    private typealias End = (_ outcome: EditOutcome<Change>, _ served: inout Set<Item>) -> Void

    // What a change does to a member.
    private struct Effect {
        let take: () -> Void
        // Where it can be shown while it is pending.
        var shown: (item: Item, begin: () -> End)?
    }

    private struct Member: Sendable {
        // Taken when it leaves.
        let hasLeft = OnceFlag()
        let isThere: @Sendable () -> Bool
        // `nil` where the change does not concern the member.
        let effect: @Sendable (Change) -> Effect?
        // Of the paginator, where there is one.
        var engine: @Sendable () -> FetchEngine? = { nil }

        // One of them may take another one's membership away while a message is handled.
        var isPresent: Bool { !hasLeft.isTaken && isThere() }
    }

    private struct Pending {
        let token: UInt64
        let change: Change
        // Of members that have left, too.
        var edits: [(item: Item, isThere: @Sendable () -> Bool, end: End)] = []

        // A screen may join anew while its last membership, or what that one shows as pending, is still there: what an item
        // shows already it is not to show twice.
        mutating func begin(in member: Member) {
            guard let (item, begin) = member.effect(change)?.shown, !edits.contains(where: { $0.item == item }) else {
                return
            }
            edits.append((item, member.isThere, begin()))
        }
    }

    private let executor: any WorkExecutor
    private let messages: SerialMailbox<@Sendable () -> Void>
    private let endings = Endings()
    private let lastToken = AtomicWord()
    private var members: [Member] = []
    // In the order of their beginnings.
    private var pending: [Pending] = []

    /// Makes a group without members.
    public convenience init() {
        self.init(executor: QueueExecutor.work)
    }

    package init(executor: any WorkExecutor) {
        self.executor = executor
        messages = SerialMailbox(on: executor) { $0() }
    }

    deinit {
        endings.run()
    }

    // MARK: - Members

    /// Adds a member that is told of committed changes: of those that are sent, and of those that were begun when they
    /// are committed.
    ///
    /// - Parameter take: takes each change from now on, one at a time, on a background thread; it may call the group.
    /// - Returns: the membership. It ends when it is cancelled, from when on no change is told; dropping it does not end it.
    @discardableResult
    public func join(_ take: @escaping @Sendable (Change) -> Void) -> PaginatorExecution {
        join(Member(isThere: { true }, effect: { change in Effect { take(change) } }))
    }

    /// Adds the items of a paginator as a member, until the paginator is released.
    ///
    /// What is pending when it joins it shows, too. When it leaves, what it shows as pending still ends with the others,
    /// and `edit` may be called for that once more. It may join again at any time, also before it has left: however many
    /// memberships a paginator has, an item takes each change once, by the first of them that concerns it.
    ///
    /// - Parameters:
    ///   - edits: the paginator's edits; the group does not keep the paginator alive.
    ///   - edit: says which item a change concerns and what becomes of it; `nil` when it concerns none. Where the source
    ///     addresses its pages by offset and the item may be on none that is cached, remove it by
    ///     ``PaginatorEdits/remove(_:)`` in a member with a plain closure: lists then know that a row is gone.
    /// - Returns: the membership, by which it can leave.
    @discardableResult
    public func join<T, ID>(
        _ edits: PaginatorEdits<T, ID>,
        _ edit: @escaping @Sendable (Change) -> (id: ID, change: @Sendable (T) -> T?)?
    ) -> PaginatorExecution {
        let paginator = edits.boardIdentity
        return join(
            Member(
                isThere: { edits.engine != nil },
                effect: { change in
                    guard let (id, itemChange) = edit(change) else { return nil }
                    let item = Item(paginator: paginator, id: id)
                    return Effect(
                        take: { edits.update(id, itemChange) },
                        shown: (item, { Self.begin(id, itemChange, of: item, in: edits, edit) }))
                }, engine: { edits.engine }),
            of: edits.engine)
    }

    private static func begin<T, ID>(
        _ id: ID, _ itemChange: @escaping @Sendable (T) -> T?, of item: Item, in edits: PaginatorEdits<T, ID>,
        _ edit: @escaping @Sendable (Change) -> (id: ID, change: @Sendable (T) -> T?)?
    ) -> End {
        let current = Guarded(itemChange)
        let pending = edits.begin(id) { current.withLock { $0 }($0) }
        return { outcome, served in
            switch outcome {
            case .rolledBack, .committedValue(nil): pending.rollBack()
            case .committed:
                served.insert(item)
                pending.commit()
            case .committedValue(let final?):
                guard let (finalID, finalChange) = edit(final),
                    served.insert(Item(paginator: item.paginator, id: finalID)).inserted
                else { return pending.rollBack() }
                guard finalID == id else {
                    pending.rollBack()
                    return edits.update(finalID, finalChange)
                }
                // In place of the first one, so that nobody sees a step between them.
                let first = current.withLock { current in
                    defer { current = finalChange }
                    return current
                }
                // Released outside the lock, with what it has of the user's.
                withExtendedLifetime(first) {}
                pending.commit()
            }
        }
    }

    func join(invalidating engine: FetchEngine) -> PaginatorExecution {
        join(
            Member(
                isThere: { [weak engine] in engine != nil }, effect: { _ in nil }, engine: { [weak engine] in engine }),
            of: engine)
    }

    private func join(_ member: Member, of engine: FetchEngine? = nil) -> PaginatorExecution {
        // Else it would stay until the group is told something, with what its closure has of the user's.
        engine?.endings.set(
            { [weak self] in self?.messages.post { [weak self] in self?.removeGone() } }, for: ObjectIdentifier(self))
        messages.post { [self] in
            guard member.isPresent else { return }
            members.append(member)
            for index in pending.indices { pending[index].begin(in: member) }
        }
        // Without the member, so that its closures go when it leaves.
        return .custom { [weak self, hasLeft = member.hasLeft] in
            guard hasLeft.take() else { return false }
            self?.messages.post { [weak self] in self?.members.removeAll { $0.hasLeft === hasLeft } }
            return true
        }
    }

    // MARK: - Changes

    /// Tells all members of a change, later, after everything that the group was told before. Complexity: O(1).
    public func send(_ change: Change) {
        messages.post { [self] in take(change) }
    }

    /// Shows a change in all members that joined with edits, later, until it is committed or rolled back.
    ///
    /// Several may be pending at once, also on one item, and end in any order. Members of which it concerns no item, and
    /// those that joined with a plain closure, learn of it when it is committed. Every call may come from any thread; the
    /// order of the calls is the order for all members. Complexity: O(1).
    ///
    /// - Parameter change: what is to be shown.
    /// - Returns: the edit, which stays pending if it is dropped. To commit it with a value is to commit that change
    ///   instead, such as the server's version, which may also concern another item. It is made of the items as they are
    ///   then, with what was committed since; a change of single fields keeps the others' edits.
    public func begin(_ change: Change) -> PaginatorEdit<Change> {
        let token = lastToken.add(1)
        messages.post { [self] in
            var edit = Pending(token: token, change: change)
            for member in present() { edit.begin(in: member) }
            pending.append(edit)
        }
        // With the group, so that what is pending can be ended whoever lets it go.
        return PaginatorEdit { [self] outcome in messages.post { [self] in end(token, outcome) } }
    }

    /// Marks the pages stale that have one of the tags, in all paginators that are members, later, after everything that
    /// the group was told before; see ``Paginator/invalidate(tags:)``. Complexity: O(1).
    ///
    /// - Parameter tags: the tags, compared by their UTF-8 bytes.
    public func invalidate(tags: [String]) {
        messages.post { [self] in tell { $0.feed(.invalidateTags(Set(tags.map(ExactText.init)))) } }
    }

    private func tell(_ body: (FetchEngine) -> Void) {
        var told: [FetchEngine] = []
        for member in present() where member.isPresent {
            guard let engine = member.engine(), !told.contains(where: { $0 === engine }) else { continue }
            told.append(engine)
            body(engine)
        }
    }

    /// Follows a source that pushes, for all members: its changes are sent, and what it tells of pages concerns all
    /// paginators that are members. It ends with the group, and otherwise as
    /// ``CallbackPaginator/follow(_:from:onApplied:onEnd:apply:)``.
    ///
    /// ```swift
    /// let group = ConsistencyGroup<PostLiked>()
    /// group.join(previews.edits(id: \.id)) { liked in (liked.id, { $0.liked() }) }
    /// group.join(details.edits(id: \.id)) { liked in (liked.id, { $0.liked() }) }
    /// group.follow(likes, scheduler: scheduler)
    /// ```
    ///
    /// - Parameters:
    ///   - source: what is followed.
    ///   - lastEventID: behind which event the source is to begin; `nil`, the default, to be told what happens from now on.
    ///   - scheduler: the scheduler of the members, which knows whether there is a connection; `nil`, the default, where
    ///     there is one at all times.
    ///   - onApplied: takes the identity of each event that all members have taken, as a paginator's does.
    ///   - onEnd: called once, when nothing is followed any more: with `nil` when the source has ended, else with the reason.
    /// - Returns: the execution; dropping it does not end it.
    @discardableResult
    public func follow(
        _ source: PushSource<Change>, from lastEventID: String? = nil, scheduler: PaginatorScheduler? = nil,
        onApplied: @escaping @Sendable (_ eventID: String) -> Void = { _ in },
        onEnd: @escaping @Sendable (PaginatorError?) -> Void = { _ in }
    ) -> PaginatorExecution {
        let target = Follower<Change>.Target(
            run: { [messages] in messages.post($0) }, take: { [weak self] in self?.take($0) },
            tell: { [weak self] in self?.tell($0) }, report: { [weak self] event in self?.tell { $0.report(event) } },
            onApplied: onApplied, onEnd: onEnd)
        return Follower(
            source, from: lastEventID, scheduler: scheduler, clock: scheduler?.clock ?? SystemPaginatorClock(),
            seed: nil,
            executor: executor, target: target
        ).start(until: endings)
    }

    private func end(_ token: UInt64, _ outcome: EditOutcome<Change>) {
        guard let index = pending.firstIndex(where: { $0.token == token }) else { return }
        let ended = pending.remove(at: index)
        var served: Set<Item> = []
        for edit in ended.edits { edit.end(outcome, &served) }
        switch outcome {
        case .rolledBack, .committedValue(nil): break
        case .committed: take(ended.change, except: served)
        case .committedValue(let change?): take(change, except: served)
        }
    }

    // However often a paginator has joined, its item takes the change once.
    private func take(_ change: Change, except served: Set<Item> = []) {
        var served = served
        for member in present() where member.isPresent {
            guard let effect = member.effect(change) else { continue }
            if let (item, _) = effect.shown, !served.insert(item).inserted { continue }
            effect.take()
        }
    }

    private func present() -> [Member] {
        members.removeAll { !$0.isPresent }
        return members
    }

    private func removeGone() {
        _ = present()
        for index in pending.indices { pending[index].edits.removeAll { !$0.isThere() } }
    }
}
