/// What an observer of a list is told: what the list shows now, and how that differs from what it was told before.
public struct PaginatorListUpdate<T: Sendable, ID: Hashable & Sendable>: Sendable {
    /// What the list shows.
    public let snapshot: PaginatorListSnapshot<T, ID>
    /// How the snapshot that was told before becomes this one; the first update inserts everything.
    public let difference: PaginatorListDifference<T>
    /// What the list is doing.
    public let status: PaginatorListStatus
    /// Where the first visible item is now, as last hinted; `nil` without a hint, or when it is gone. A view that
    /// scrolls by the difference of two anchors does not jump.
    public let anchor: Int?
    /// What else happened, in order.
    public let notices: [PaginatorListNotice]
    /// What may differ from the update before.
    let touches: ListTouches
    /// Which update of which observation it is.
    let number: Number

    struct Number: Sendable {
        let observation: ObjectIdentifier
        let count: Int

        func isFollowed(by other: Number) -> Bool { other.observation == observation && other.count == count + 1 }
    }
}

/// One observer of a list. Changes that come before it was called for an earlier one are told as one.
///
/// `told` and `updates` are touched in the mailbox's turns only, which come one at a time.
///
/// `@unchecked Sendable`: `pending`, `isPosted` and `ticket` are guarded by `lock`; `told` and `updates` by the mailbox's
/// order.
package final class ListObservation<T: Sendable, ID: Hashable & Sendable>: @unchecked Sendable {
    struct Change {
        var content: ListContent<T, ID>
        var touches: ListTouches
        var notices: [PaginatorListNotice]
    }

    private let handler: @Sendable (PaginatorListUpdate<T, ID>) -> Void
    private let lock = Lock()
    private var pending: Change?
    private var isPosted = false
    private var ticket: FetchTicket?
    private var told = PaginatorListSnapshot<T, ID>()
    private var updates = 0

    init(_ handler: @escaping @Sendable (PaginatorListUpdate<T, ID>) -> Void) {
        self.handler = handler
    }

    func start(with ticket: FetchTicket) {
        lock.withLock { self.ticket = ticket }
    }

    /// Posts a change, together with one that waits already.
    func changed(_ change: Change, in mailbox: Mailbox, at now: PaginatorInstant) {
        let (old, ticket) = lock.withLock { () -> (Change?, FetchTicket?) in
            let old = pending
            var change = change
            if let old {
                change.touches.formUnion(old.touches)
                change.notices = old.notices + change.notices
            }
            pending = change
            defer { isPosted = true }
            return (old, isPosted ? nil : self.ticket)
        }
        if let ticket { mailbox.post(.changed, to: ticket, decidedAt: now) }
        withExtendedLifetime(old) {}
    }

    func receive(_ delivery: Delivery, at now: PaginatorInstant) {
        guard case .changed = delivery else { return end() }
        let change = lock.withLock {
            defer {
                pending = nil
                isPosted = false
            }
            return pending
        }
        guard let change else { return }
        let snapshot = change.content.snapshot
        let difference = PaginatorListDifference(from: told, to: snapshot, touches: change.touches)
        told = snapshot
        updates += 1
        handler(
            PaginatorListUpdate(
                snapshot: snapshot, difference: difference, status: change.content.status,
                anchor: change.content.anchor, notices: change.notices, touches: change.touches,
                number: .init(observation: ObjectIdentifier(self), count: updates)))
    }

    /// Lets go of the ticket, which holds this observation in turn.
    func end() {
        let gone = lock.withLock { () -> (FetchTicket?, Change?) in
            defer {
                ticket = nil
                pending = nil
            }
            return (ticket, pending)
        }
        withExtendedLifetime(gone) {}
    }
}

/// What a list shows and does at one time.
package struct ListContent<T: Sendable, ID: Hashable & Sendable>: Sendable {
    package var snapshot = PaginatorListSnapshot<T, ID>()
    package var status = PaginatorListStatus()
    package var anchor: Int?
}
