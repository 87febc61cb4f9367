/// Keeps things of different types consistent: a list of previews, a detail, a counter.
///
/// Members opt in, and each says how its items take a change. A change is told to all members that have not left, in the
/// same order for all, off the caller's thread.
///
/// ```swift
/// let group = ConsistencyGroup<PostLiked>()
/// group.join(previews.edits) { liked in (liked.id, { $0.liked() }) }
/// group.join(details.edits) { liked in (liked.id, { $0.with(likes: $0.likes + 1) }) }
/// group.send(PostLiked(id: 7))
/// ```
///
/// `@unchecked Sendable`: `members`, `waiting` and `isWorking` are guarded by `lock`.
public final class ConsistencyGroup<Change: Sendable>: @unchecked Sendable {
    private let executor: any WorkExecutor
    private let lock = Lock()
    private struct Member {
        let id: UInt64
        /// Taken when it leaves.
        let left = OnceFlag()
        let take: @Sendable (Change) -> Void
    }

    private var members: [Member] = []
    /// The changes to be told, each with the last member that had joined before.
    private var waiting: [(change: Change, lastMember: UInt64)] = []
    private var isWorking = false
    private var lastID: UInt64 = 0

    /// Makes a group without members.
    public convenience init() {
        self.init(executor: QueueExecutor.work)
    }

    package init(executor: any WorkExecutor) {
        self.executor = executor
    }

    /// Adds a member.
    ///
    /// - Parameter take: takes each change that is sent from now on, one at a time, on a background thread; it may call
    ///   the group.
    /// - Returns: the membership. It ends when it is cancelled, from when on no change is told; dropping it does not end it.
    @discardableResult
    public func join(_ take: @escaping @Sendable (Change) -> Void) -> PaginatorExecution {
        let member = lock.withLock {
            lastID += 1
            let member = Member(id: lastID, take: take)
            members.append(member)
            return member
        }
        let (id, left) = (member.id, member.left)
        return .custom { [weak self] in
            guard left.take() else { return false }
            self?.leave(id)
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
        let starts = lock.withLock {
            waiting.append((change, lastID))
            defer { isWorking = true }
            return !isWorking
        }
        if starts { executor.run { self.runTurn() } }
    }

    private func leave(_ id: UInt64) {
        // Released outside the lock.
        var gone: [Member] = []
        lock.withLock {
            gone = members
            members.removeAll { $0.id == id }
        }
        withExtendedLifetime(gone) {}
    }

    private func runTurn() {
        var changes: [(change: Change, lastMember: UInt64)] = []
        lock.withLock { swap(&changes, &waiting) }
        for (change, lastMember) in changes {
            var present: [Member] = []
            lock.withLock { present = members }
            // One of them may take another one's membership away.
            for member in present where member.id <= lastMember && !member.left.isTaken { member.take(change) }
        }
        let goesOn = lock.withLock {
            isWorking = !waiting.isEmpty
            return isWorking
        }
        if goesOn { executor.run { self.runTurn() } }
    }
}
