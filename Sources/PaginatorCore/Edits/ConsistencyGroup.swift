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
    private struct Member: Sendable {
        // Taken when it leaves.
        let hasLeft = OnceFlag()
        let isThere: @Sendable () -> Bool
        // Takes a committed change.
        let take: @Sendable (Change) -> Void
        // Shows a pending change, where it concerns the member and one can be shown.
        var begin: @Sendable (Change) -> PaginatorEdit<Change>? = { _ in nil }
        var invalidate: @Sendable ([String]) -> Void = { _ in }

        // One of them may take another one's membership away while a message is handled.
        var isPresent: Bool { !hasLeft.isTaken && isThere() }
    }

    private struct Pending {
        let token: UInt64
        let change: Change
        // By those who show it.
        var edits: [(member: OnceFlag, edit: PaginatorEdit<Change>)] = []

        mutating func begin(in member: Member) {
            if let edit = member.begin(change) { edits.append((member.hasLeft, edit)) }
        }
    }

    private let messages: SerialMailbox<@Sendable () -> Void>
    private let lastToken = AtomicWord()
    private var members: [Member] = []
    // In the order of their beginnings.
    private var pending: [Pending] = []

    /// Makes a group without members.
    public convenience init() {
        self.init(executor: QueueExecutor.work)
    }

    package init(executor: any WorkExecutor) {
        messages = SerialMailbox(on: executor) { $0() }
    }

    // MARK: - Members

    /// Adds a member that is told of committed changes: of those that are sent, and of those that were begun when they
    /// are committed.
    ///
    /// - Parameter take: takes each change from now on, one at a time, on a background thread; it may call the group.
    /// - Returns: the membership. It ends when it is cancelled, from when on no change is told; dropping it does not end it.
    @discardableResult
    public func join(_ take: @escaping @Sendable (Change) -> Void) -> PaginatorExecution {
        join(Member(isThere: { true }, take: take))
    }

    /// Adds the items of a paginator as a member, until the paginator is released.
    ///
    /// What is pending when it joins it shows, too. When it leaves, what it shows as pending still ends with the others,
    /// and `edit` may be called for that once more.
    ///
    /// - Parameters:
    ///   - edits: the paginator's edits; the group does not keep the paginator alive.
    ///   - edit: says which item a change concerns and what becomes of it; `nil` when it concerns none.
    /// - Returns: the membership, by which it can leave.
    @discardableResult
    public func join<T, ID>(
        _ edits: PaginatorEdits<T, ID>,
        _ edit: @escaping @Sendable (Change) -> (id: ID, change: @Sendable (T) -> T?)?
    ) -> PaginatorExecution {
        let take: @Sendable (Change) -> Void = { change in
            if let (id, itemChange) = edit(change) { edits.update(id, itemChange) }
        }
        return join(
            Member(
                isThere: { edits.isThere }, take: take,
                begin: { change in
                    guard let (id, itemChange) = edit(change) else { return nil }
                    let current = Guarded(itemChange)
                    let pending = edits.begin(id) { current.withLock { $0 }($0) }
                    return PaginatorEdit { outcome in
                        switch outcome {
                        case .rolledBack, .committedValue(nil): pending.rollBack()
                        case .committed: pending.commit()
                        case .committedValue(let final?):
                            guard let (finalID, itemChange) = edit(final), finalID == id else {
                                pending.rollBack()
                                return take(final)
                            }
                            // In place of the first one, so that nobody sees a step between them.
                            current.withLock { $0 = itemChange }
                            pending.commit()
                        }
                    }
                }, invalidate: { edits.invalidate(tags: $0) }))
    }

    func join(invalidating engine: FetchEngine) -> PaginatorExecution {
        join(
            Member(
                isThere: { [weak engine] in engine != nil }, take: { _ in },
                invalidate: { [weak engine] in engine?.invalidate(tags: $0) }))
    }

    private func join(_ member: Member) -> PaginatorExecution {
        messages.post { [self] in
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
    ///   instead, such as the server's version, which may also concern another item.
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
    /// the group was told before; see ``CallbackPaginator/invalidate(tags:)``. Complexity: O(1).
    ///
    /// - Parameter tags: the tags, compared by their UTF-8 bytes.
    public func invalidate(tags: [String]) {
        messages.post { [self] in
            for member in present() where member.isPresent { member.invalidate(tags) }
        }
    }

    private func end(_ token: UInt64, _ outcome: EditOutcome<Change>) {
        guard let index = pending.firstIndex(where: { $0.token == token }) else { return }
        let ended = pending.remove(at: index)
        for (_, edit) in ended.edits { edit.end(outcome) }
        switch outcome {
        case .rolledBack, .committedValue(nil): break
        case .committed: take(ended.change, except: ended)
        case .committedValue(let change?): take(change, except: ended)
        }
    }

    private func take(_ change: Change, except begun: Pending? = nil) {
        for member in present() where member.isPresent {
            if begun?.edits.contains(where: { $0.member === member.hasLeft }) != true { member.take(change) }
        }
    }

    private func present() -> [Member] {
        members.removeAll { !$0.isPresent }
        return members
    }
}
