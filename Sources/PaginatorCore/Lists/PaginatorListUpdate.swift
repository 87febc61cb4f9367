/// What an observer of a list is told: what the list shows now, and how that differs from what it was told before.
public struct PaginatorListUpdate<T: Sendable, ID: Hashable & Sendable>: Sendable {
    /// What the list shows.
    public var snapshot: PaginatorListSnapshot<T, ID> { content.snapshot }
    /// How the snapshot that was told before becomes this one; the first update inserts everything.
    public let difference: PaginatorListDifference<T>
    /// What the list is doing.
    public var status: PaginatorListStatus { content.status }
    /// Where the first visible item is now, as last hinted; `nil` without a hint, or when it is gone. A view that
    /// scrolls by the difference of two anchors does not jump.
    public let anchor: Int?
    /// What else happened, in order.
    public let notices: [PaginatorListNotice]
    let content: ListContent<T, ID>
    /// What may differ from the update before.
    let touches: ListTouches
    /// Which updates of which observation it tells.
    let numbers: Numbers

    /// The first and the last of the updates that one stands for.
    struct Numbers: Sendable {
        let observation: ObjectIdentifier
        var first: Int
        let last: Int

        func isFollowed(by other: Numbers) -> Bool { other.observation == observation && other.first == last + 1 }
    }
}

extension PaginatorListUpdate {
    /// This update in place of the one before it, which nobody took. Its difference is wrong until
    /// ``following(_:)`` has made it anew.
    package func replacing(_ skipped: PaginatorListUpdate, noticeLimit: Int) -> PaginatorListUpdate {
        var touches = touches
        touches.formUnion(skipped.touches)
        var numbers = numbers
        numbers.first = skipped.numbers.first
        return PaginatorListUpdate(
            difference: difference, anchor: anchor, notices: (skipped.notices + notices).suffix(noticeLimit),
            content: content, touches: touches, numbers: numbers)
    }

    /// This update with the difference from a snapshot: the one that was told before all that this update stands for.
    package func following(_ told: PaginatorListSnapshot<T, ID>) -> PaginatorListUpdate {
        guard numbers.first != numbers.last else { return self }
        return PaginatorListUpdate(
            difference: PaginatorListDifference(from: told, to: snapshot, touches: touches), anchor: anchor,
            notices: notices, content: content, touches: touches, numbers: numbers)
    }
}

/// One observer of a list. Changes that come before it was called for an earlier one are told as one.
///
/// `told` and `updates` are touched in the mailbox's turns only, which come one at a time.
///
/// `@unchecked Sendable`: `pending`, `isPosted` and `ticket` are guarded by `lock`; `told` and `updates` by the mailbox's
/// order.
final class ListObservation<T: Sendable, ID: Hashable & Sendable>: @unchecked Sendable {
    private let handler: @Sendable (PaginatorListUpdate<T, ID>) -> Void
    private let lock = Lock()
    // Not checked for overlapping uses at run time: lock and order see to that, and no user code runs while one is used.
    @exclusivity(unchecked) private var pending: ListChange<T, ID>?
    @exclusivity(unchecked) private var isPosted = false
    @exclusivity(unchecked) private var ticket: FetchTicket?
    @exclusivity(unchecked) private var told = ListContent<T, ID>()
    @exclusivity(unchecked) private var updates = 0

    init(_ handler: @escaping @Sendable (PaginatorListUpdate<T, ID>) -> Void) {
        self.handler = handler
    }

    func start(with ticket: FetchTicket) {
        lock.withLock { self.ticket = ticket }
    }

    /// Posts a change, together with one that waits already.
    func changed(_ change: ListChange<T, ID>, in mailbox: CallbackMailbox, at now: PaginatorInstant) {
        var change: ListChange? = change
        let ticket = lock.withLock { () -> FetchTicket? in
            // What was pending leaves the lock in the place of what takes over from it.
            swap(&change, &pending)
            if let old = change { pending?.follow(old) }
            defer { isPosted = true }
            return isPosted ? nil : self.ticket
        }
        if let ticket { mailbox.post(.changed, to: ticket, decidedAt: now) }
    }

    func receive(_ delivery: Delivery, at now: PaginatorInstant) {
        guard case .changed = delivery else { return end() }
        var pending: ListChange<T, ID>?
        lock.withLock {
            swap(&pending, &self.pending)
            isPosted = false
        }
        guard let change = pending else { return }
        let difference =
            change.touches.isEmpty
            ? PaginatorListDifference<T>()
            : PaginatorListDifference(
                from: told.snapshot, to: change.content.snapshot, touches: change.touches)
        told = change.content
        updates += 1
        handler(
            PaginatorListUpdate(
                difference: difference, anchor: change.anchor, notices: change.notices, content: change.content,
                touches: change.touches,
                numbers: .init(observation: ObjectIdentifier(self), first: updates, last: updates)))
    }

    /// Lets go of the ticket, which holds this observation in turn.
    func end() {
        let gone = lock.withLock { () -> (FetchTicket?, ListChange<T, ID>?) in
            defer {
                ticket = nil
                pending = nil
            }
            return (ticket, pending)
        }
        withExtendedLifetime(gone) {}
    }
}

/// What a list shows and does at one time: one object for all who are told of it.
final class ListContent<T: Sendable, ID: Hashable & Sendable>: Sendable {
    let snapshot: PaginatorListSnapshot<T, ID>
    let status: PaginatorListStatus

    init(
        snapshot: PaginatorListSnapshot<T, ID> = PaginatorListSnapshot(),
        status: PaginatorListStatus = PaginatorListStatus()
    ) {
        self.snapshot = snapshot
        self.status = status
    }
}

/// What observers of a list are told of one event, or of several that followed each other.
struct ListChange<T: Sendable, ID: Hashable & Sendable>: Sendable {
    var content: ListContent<T, ID>
    var anchor: Int?
    var touches: ListTouches
    var notices: [PaginatorListNotice]

    /// Takes in what an earlier change told that nobody has seen.
    mutating func follow(_ earlier: ListChange) {
        if !earlier.touches.isEmpty { touches.formUnion(earlier.touches) }
        if !earlier.notices.isEmpty { notices = earlier.notices + notices }
    }
}

extension ListMachine {
    /// Whether the last event asks for anything, or has changed more than the anchor.
    var hasChanges: Bool { !actions.isEmpty || !touches.isEmpty || !notices.isEmpty }

    /// Returns what is shown now and what has changed since this was called before.
    mutating func takeChanges() -> ListChange<T, ID> {
        let anchor = findAnchor()
        let change = ListChange(
            content: ListContent(snapshot: snapshot, status: status), anchor: anchor, touches: touches,
            notices: notices)
        touches = ListTouches()
        notices = []
        return change
    }
}
