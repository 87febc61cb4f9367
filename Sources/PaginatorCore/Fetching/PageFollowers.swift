import Synchronization

/// Something that happens to pages in memory and that lists follow.
enum PageChange: Sendable {
    /// The source gave a page, or somebody put it.
    case renewed(PageIdentity, LoadedPage)
    case invalidated(PageSelection)
}

/// Who follows what happens to the pages of one scope and page size.
///
/// Changes are kept in order until they are taken; who takes them may be told first, by a callback, or look of its own
/// accord.
package final class PageFollower: Sendable {
    let scope: String
    let pageSize: Int
    private let changes = Guarded<[PageChange]>([])
    private let isPosted = Atomic(false)

    init(scope: String, pageSize: Int) {
        self.scope = scope
        self.pageSize = pageSize
    }

    /// Takes what happened since this was called before, in order.
    func take() -> [PageChange] {
        isPosted.store(false, ordering: .releasing)
        return changes.withLock { changes in
            defer { if !changes.isEmpty { changes = [] } }
            return changes
        }
    }

    fileprivate func concerns(_ change: PageChange) -> Bool {
        switch change {
        case .renewed(let identity, _): identity.pageSize == pageSize && identity.scope.hasSameBytes(as: scope)
        case .invalidated(.scope(let scope)): scope.hasSameBytes(as: self.scope)
        case .invalidated: true
        }
    }

    /// Keeps a change; says whether somebody is to be told of it.
    fileprivate func add(_ change: PageChange) -> Bool {
        changes.withLock { $0.append(change) }
        return !isPosted.exchange(true, ordering: .acquiringAndReleasing)
    }
}

/// All who follow pages of one paginator.
final class PageFollowers: Sendable {
    private struct Entry: Sendable {
        let follower: PageFollower
        let wake: @Sendable (PaginatorInstant) -> Void
    }

    private let entries = Guarded<[UInt64: Entry]>([:])

    /// Adds a follower.
    ///
    /// - Parameter wake: called once for the changes that are not taken yet, with the engine's turn held: it may only post.
    func add(_ follower: PageFollower, as number: UInt64, wake: @escaping @Sendable (PaginatorInstant) -> Void) {
        entries.withLock { $0[number] = Entry(follower: follower, wake: wake) }
    }

    /// Takes a follower away.
    func remove(_ number: UInt64) {
        let removed = entries.withLock { $0.removeValue(forKey: number) }
        withExtendedLifetime(removed) {}
    }

    /// Tells everybody whom a change concerns. Complexity: O(followers); O(1) without any.
    func tell(_ change: PageChange, at now: PaginatorInstant) {
        let concerned = entries.withLock { entries -> [Entry] in
            guard !entries.isEmpty else { return [] }
            // In the order of their coming, so that a simulated world replays.
            return entries.filter { $0.value.follower.concerns(change) }.sorted { $0.key < $1.key }.map(\.value)
        }
        for entry in concerned where entry.follower.add(change) { entry.wake(now) }
    }
}

extension FetchEngine {
    /// Adds somebody who follows pages: `handler` is called on the callback queue when there is something to take.
    func follow(_ follower: PageFollower, _ handler: @escaping @Sendable () -> Void) -> UInt64 {
        let number = makeTicketID()
        let mailbox = mailbox
        followers.add(follower, as: number) { now in
            let ticket = FetchTicket(id: number, onCancel: { _ in }) { _, _ in handler() }
            mailbox.post(.changed, to: ticket, decidedAt: now)
        }
        return number
    }
}
