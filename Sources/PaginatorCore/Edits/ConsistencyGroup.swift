/// Keeps values of different types consistent: a list of previews, a detail, a counter.
///
/// Members join the group, and each states how a change affects its items. Every change reaches all members that have
/// not left, in the same order, off the caller's thread.
///
/// ```swift
/// let group = ConsistencyGroup<PostLiked>()
/// group.join(previews.edits(id: \.id)) { liked in (liked.id, { $0.liked() }) }
/// group.join(details.edits(id: \.id)) { liked in (liked.id, { $0.with(likes: $0.likes + 1) }) }
/// group.send(PostLiked(id: 7))
/// ```
///
/// Begin a change that a server must confirm. All members show it until it is committed or rolled back:
///
/// ```swift
/// let like = group.begin(PostLiked(id: 7))
/// api.like(7) { result in
///     if case .success = result { like.commit() } else { like.rollBack() }
/// }
/// ```
///
/// Invalidate pages by their tags, in all member paginators, after a write whose effects the device cannot compute:
///
/// ```swift
/// group.join(details)
/// group.invalidate(tags: ["posts", "post-7"])
/// ```
///
/// If the stores of two members share a namespace, both members change the pages stored there, so what a change adds is
/// added twice. Give each its own namespace, or send changes that set a value, such as the number of likes.
///
/// `@unchecked Sendable`: `members` and `pending` are used only by the handler of `messages`.
public final class ConsistencyGroup<Change: Sendable>: @unchecked Sendable {
    private struct Item: Hashable {
        let paginator: ObjectIdentifier
        let id: AnyHashable
    }

    // Ends a pending change, except for items that already took it, and adds the item that takes it now.
    private typealias End = (_ outcome: EditOutcome<Change>, _ served: inout Set<Item>) -> Void

    // The effect of a change on a member.
    private struct Effect {
        let take: () -> Void
        // Set if the change can be shown while it is pending.
        var shown: (item: Item, begin: () -> End)?
    }

    private struct Member: Sendable {
        // Taken when the member leaves.
        let hasLeft = OnceFlag()
        let isThere: @Sendable () -> Bool
        // Returns `nil` if the change does not concern the member.
        let effect: @Sendable (Change) -> Effect?
        // The engine of the member's paginator, if there is one.
        var engine: @Sendable () -> FetchEngine? = { nil }
        // Runs a closure when the member's edits are applied.
        var afterEdits: @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }

        // A member may remove another one while a message is handled.
        var isPresent: Bool { !hasLeft.isTaken && isThere() }
    }

    // A membership whose paginator can be told of stale pages on any thread.
    private typealias Reach = (hasLeft: OnceFlag, engineID: ObjectIdentifier, engine: @Sendable () -> FetchEngine?)

    private struct Pending {
        let token: UInt64
        let change: Change
        // Includes edits of members that have left.
        var edits: [(item: Item, isThere: @Sendable () -> Bool, end: End)] = []

        // A screen may join again while its previous membership, or that membership's pending edit, still exists. An
        // item must not show the change twice.
        mutating func begin(in member: Member) {
            if let (item, begin) = member.effect(change)?.shown, !edits.contains(where: { $0.item == item }) {
                edits.append((item, member.isThere, begin()))
            }
        }
    }

    private let executor: any WorkExecutor
    private let messages: SerialMailbox<@Sendable () -> Void>
    let endings = EndHandlers()
    private let lastToken = AtomicWord()
    private let reached = Guarded<[Reach]>([])
    private var members: [Member] = []
    // In the order in which they began.
    private var pending: [Pending] = []

    /// Creates a group without members.
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

    /// Adds a member that gets committed changes: those that are sent, and pending ones when they are committed.
    ///
    /// - Parameter take: called with each further change, one at a time, on a background thread. It may call the group.
    /// - Returns: the membership. After it is cancelled no change is delivered; dropping it does not end it.
    @discardableResult
    public func join(_ take: @escaping @Sendable (Change) -> Void) -> PaginatorExecution {
        join(Member(isThere: { true }, effect: { change in Effect { take(change) } }))
    }

    /// Adds a paginator's items as a member, until the paginator is released.
    ///
    /// It also shows changes that are pending when it joins. After it leaves, its pending changes still end with the
    /// others, and `edit` may be called once more for them. It may join again at any time, even before it has left: an
    /// item takes each change once, through the first membership that concerns it.
    ///
    /// - Parameters:
    ///   - edits: the paginator's edits. The group does not retain the paginator.
    ///   - edit: returns the item that a change concerns and its edit, or `nil` for none. With offset keys, if no
    ///     cached page may have the item, remove it in a member with a plain closure by ``PaginatorEdits/remove(_:)``,
    ///     which always shifts the following offsets; an edit that returns `nil` does so only if a page has the item.
    /// - Returns: the membership; cancel it to leave.
    @discardableResult
    public func join<T, ID>(
        _ edits: PaginatorEdits<T, ID>, _ edit: @escaping @Sendable (Change) -> (id: ID, change: @Sendable (T) -> T?)?
    ) -> PaginatorExecution {
        let paginator = ObjectIdentifier(edits.board)
        edits.board.joined(messages)
        return join(
            Member(
                isThere: { edits.board.engine != nil },
                effect: { change in
                    guard let (id, itemChange) = edit(change) else { return nil }
                    let item = Item(paginator: paginator, id: id)
                    return Effect(
                        take: { edits.update(id, itemChange) },
                        shown: (item, { Self.begin(id, itemChange, of: item, in: edits, edit) }))
                }, afterEdits: { edits.afterEdits($0) }),
            of: edits.board.engine)
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
                // Replaces the first change in one step, so that no intermediate value is shown.
                current.replace(with: finalChange)
                pending.commit()
            }
        }
    }

    func join(invalidating engine: FetchEngine) -> PaginatorExecution {
        join(Member(isThere: { [weak engine] in engine != nil }, effect: { _ in nil }), of: engine)
    }

    private func join(_ member: Member, of engine: FetchEngine? = nil) -> PaginatorExecution {
        var member = member
        if let engine {
            let (groupID, engineID) = (ObjectIdentifier(self), ObjectIdentifier(engine))
            // Nothing else: `reached` releases it with its lock held.
            member.engine = { [weak engine] in engine }
            let reach: Reach = (member.hasLeft, engineID, member.engine)
            reached.withLock { $0.append(reach) }
            // Whichever ends first leaves nothing in the other.
            endings.set({ [weak theirs = engine.endings] in theirs?.set(nil, for: groupID) }, for: engineID)
            // Otherwise the member and its closures would be kept until the group's next message.
            engine.endings.set(
                { [weak self] in
                    self?.endings.set(nil, for: engineID)
                    self?.reached.withLock { $0.removeAll { $0.engineID == engineID } }
                    self?.messages.post { [weak self] in self?.removeGone() }
                }, for: groupID)
        }
        messages.post { [self, member] in
            guard member.isPresent else { return }
            members.append(member)
            for index in pending.indices { pending[index].begin(in: member) }
        }
        // Without the member, so that its closures are released when it leaves.
        return .custom { [weak self, hasLeft = member.hasLeft] in
            guard hasLeft.take() else { return false }
            self?.reached.withLock { $0.removeAll { $0.hasLeft === hasLeft } }
            self?.messages.post { [weak self] in self?.members.removeAll { $0.hasLeft === hasLeft } }
            return true
        }
    }

    // MARK: - Changes

    /// Sends a change to all members, asynchronously, after everything sent before. Complexity: O(1).
    public func send(_ change: Change) {
        messages.post { [self] in take(change) }
    }

    /// Shows a change in all members that joined with edits, asynchronously, until it is committed or rolled back.
    ///
    /// Several changes may be pending, even of the same item, and may end in any order. Members whose items are not
    /// concerned, and members with a plain closure, get the change when it is committed. Every method may be called
    /// from any thread; all members see changes in the order of the calls. Complexity: O(1).
    ///
    /// - Parameter change: the change to show.
    /// - Returns: the edit, which stays pending if it is dropped. Committing it with a value commits that change
    ///   instead, such as the server's version; it may concern another item. It is applied to the items as they are
    ///   then, so a change of single fields keeps other committed edits.
    public func begin(_ change: Change) -> PaginatorEdit<Change> {
        let token = lastToken.add(1)
        messages.post { [self] in
            var edit = Pending(token: token, change: change)
            for member in present() { edit.begin(in: member) }
            pending.append(edit)
        }
        // Retains the group, so that pending changes can end after all other references to it are gone.
        return PaginatorEdit { [self] outcome in messages.post { [self] in end(token, outcome) } }
    }

    /// Marks pages with one of the tags stale in all member paginators, before it returns; see
    /// ``Paginator/invalidate(tags:)``. Complexity: O(members).
    ///
    /// - Parameter tags: the tags, compared by their UTF-8 bytes.
    public func invalidate(tags: [String]) {
        let tags = Set(tags.map(ExactText.init))
        var told: Set<ObjectIdentifier> = []
        // Not by `messages`: whoever fetches next must not get the old page.
        for member in reached.withLock({ $0 }) where told.insert(member.engineID).inserted {
            member.engine()?.feed(.invalidate(.tagged(tags)))
        }
    }

    private func tell(_ body: (FetchEngine) -> Void) {
        var told: Set<ObjectIdentifier> = []
        for member in present() where member.isPresent {
            if let engine = member.engine(), told.insert(ObjectIdentifier(engine)).inserted { body(engine) }
        }
    }

    /// Follows a source that pushes, for all members: its changes are sent to them, and its events about pages apply to
    /// all member paginators. It ends with the group, and otherwise like
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
    ///   - source: the source to follow.
    ///   - lastEventID: the event to begin after; `nil`, the default, begins now.
    ///   - scheduler: the members' scheduler, which knows the connectivity; `nil`, the default, assumes a connection.
    ///   - onApplied: called with the identity of each event that all members have taken, as for a paginator.
    ///   - onEnd: called once when following ends: with `nil` if the source has ended, else with the reason.
    /// - Returns: the execution; dropping it does not end it.
    @discardableResult
    public func follow(
        _ source: PushSource<Change>, from lastEventID: String? = nil, scheduler: PaginatorScheduler? = nil,
        onApplied: @escaping @Sendable (_ eventID: String) -> Void = { _ in },
        onEnd: @escaping @Sendable (PaginatorError?) -> Void = { _ in }
    ) -> PaginatorExecution {
        let target = Follower<Change>.Target(
            run: { [messages] in messages.post($0) }, take: { [weak self] in self?.take($0) },
            tell: { [weak self] in self?.tell($0) }, afterEdits: { [weak self] work in self?.afterEdits(work) },
            onApplied: onApplied, onEnd: onEnd)
        return Follower(
            source, from: lastEventID, scheduler: scheduler, clock: scheduler?.clock ?? SystemPaginatorClock(),
            seed: nil, executor: executor, target: target
        ).start(until: endings)
    }

    private func afterEdits(_ work: @escaping @Sendable () -> Void) {
        present().reduce(work) { work, member in { member.afterEdits(work) } }()
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

    // An item takes the change once, even if its paginator has several memberships.
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
