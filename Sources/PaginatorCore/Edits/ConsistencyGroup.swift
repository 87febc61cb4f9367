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
public final class ConsistencyGroup<Change: Sendable>: Sendable {
    private struct Member: Sendable {
        let id: UInt64
        /// Taken when it leaves.
        let left = OnceFlag()
        let take: @Sendable (Change) -> Void
    }

    private struct Members: Sendable {
        var present: [Member] = []
        var lastID: UInt64 = 0
    }

    /// A change, with the last member that had joined before.
    private struct Message: Sendable {
        let change: Change
        let lastMember: UInt64
    }

    private let members: Guarded<Members>
    private let changes: SerialMailbox<Message>

    /// Makes a group without members.
    public convenience init() {
        self.init(executor: QueueExecutor.work)
    }

    package init(executor: any WorkExecutor) {
        let members = Guarded(Members())
        self.members = members
        changes = SerialMailbox(on: executor) { message in
            let present = members.withLock { $0.present }
            // One of them may take another one's membership away.
            for member in present where member.id <= message.lastMember && !member.left.isTaken {
                member.take(message.change)
            }
        }
    }

    /// Adds a member.
    ///
    /// - Parameter take: takes each change that is sent from now on, one at a time, on a background thread; it may call
    ///   the group.
    /// - Returns: the membership. It ends when it is cancelled, from when on no change is told; dropping it does not end it.
    @discardableResult
    public func join(_ take: @escaping @Sendable (Change) -> Void) -> PaginatorExecution {
        let member = members.withLock { members in
            members.lastID += 1
            let member = Member(id: members.lastID, take: take)
            members.present.append(member)
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
        // Posted under the lock: whoever joins later is not told of it.
        members.withLock { changes.post(Message(change: change, lastMember: $0.lastID)) }
    }

    private func leave(_ id: UInt64) {
        // Released outside the lock.
        let gone = members.withLock { members in
            defer { members.present.removeAll { $0.id == id } }
            return members.present
        }
        withExtendedLifetime(gone) {}
    }
}
