/// Keeps things of different types consistent: a list of previews, a detail, a counter.
///
/// Members opt in, and each says how its items take a change. A change is told to all members that have not left, in the
/// same order for all, off the caller's thread.
///
/// ```swift
/// let group = ConsistencyGroup<PostLiked>()
/// group.join(previews.edits(id: \.id)) { liked in (liked.id, { $0.liked() }) }
/// group.join(details.edits(id: \.id)) { liked in (liked.id, { $0.with(likes: $0.likes + 1) }) }
/// group.send(PostLiked(id: 7))
/// ```
///
public final class ConsistencyGroup<Change: Sendable>: Sendable {
    private final class Member: Sendable {
        let hasLeft = OnceFlag()
        let take: @Sendable (Change) -> Void

        init(_ take: @escaping @Sendable (Change) -> Void) {
            self.take = take
        }
    }

    private let members = Guarded<[Member]>([])
    // Each change with those who were members when it was sent.
    private let changes: SerialMailbox<(Change, members: [Member])>

    /// Makes a group without members.
    public convenience init() {
        self.init(executor: QueueExecutor.work)
    }

    package init(executor: any WorkExecutor) {
        changes = SerialMailbox(on: executor) { change, members in
            // One of them may take another one's membership away.
            for member in members where !member.hasLeft.isTaken { member.take(change) }
        }
    }

    /// Adds a member.
    ///
    /// - Parameter take: takes each change that is sent from now on, one at a time, on a background thread; it may call
    ///   the group.
    /// - Returns: the membership. It ends when it is cancelled, from when on no change is told; dropping it does not end it.
    @discardableResult
    public func join(_ take: @escaping @Sendable (Change) -> Void) -> PaginatorExecution {
        let member = Member(take)
        members.withLock { $0.append(member) }
        // Weakly, so that the closure goes when it leaves.
        return .custom { [weak self, weak member] in
            guard let member, member.hasLeft.take() else { return false }
            self?.members.withLock { members in members.removeAll { $0 === member } }
            return true
        }
    }

    /// Adds the items of a paginator as a member.
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
        join { change in
            if let (id, itemChange) = edit(change) { edits.update(id, itemChange) }
        }
    }

    /// Tells all members of a change, later, after every change that was sent before. Complexity: O(1).
    public func send(_ change: Change) {
        // Posted under the lock: all members are told in one order.
        members.withLock { changes.post((change, $0)) }
    }
}
