/// The callbacks of one paginator: run one at a time, in the order posted, in bounded turns.
///
/// A turn runs on the queue that its first callback needs, and ends where the next one needs another queue. That way
/// callbacks for the main queue and for the paginator's own queue stay in one order.
///
/// `@unchecked Sendable`: `pending`, `head` and `isScheduled` are guarded by `lock`.
package final class Mailbox: @unchecked Sendable {
    private struct Letter {
        let ticket: FetchTicket
        let delivery: Delivery
        let decidedAt: PaginatorInstant
    }

    private static let turnLimit = 64

    private let own: any WorkExecutor
    private let main: any WorkExecutor
    private let clock: any PaginatorClock
    private let edits: EditLog?
    private let delivered: (@Sendable (_ waited: Duration) -> Void)?
    private let lock = Lock()
    /// Empty where a letter was taken out, so that it is released outside the lock.
    private var pending: [Letter?] = []
    private var head = 0
    private var isScheduled = false

    /// Makes an empty mailbox.
    ///
    /// - Parameters:
    ///   - own: runs the paginator's callbacks.
    ///   - main: runs callbacks for the main queue; the same object as `own` when that is the main queue.
    ///   - clock: the paginator's clock.
    ///   - edits: brings pages up to date when they are delivered; `nil` leaves them as they are.
    ///   - delivered: called after each terminal callback, with the time from its decision; `nil` for nobody.
    package init(
        own: any WorkExecutor,
        main: any WorkExecutor,
        clock: any PaginatorClock,
        edits: EditLog? = nil,
        delivered: (@Sendable (_ waited: Duration) -> Void)? = nil
    ) {
        self.own = own
        self.main = main
        self.clock = clock
        self.edits = edits
        self.delivered = delivered
    }

    /// Adds a callback; it never runs before this call returns. Complexity: O(1) amortized.
    package func post(_ delivery: Delivery, to ticket: FetchTicket, decidedAt: PaginatorInstant) {
        let starts: Bool = lock.withLock {
            pending.append(Letter(ticket: ticket, delivery: delivery, decidedAt: decidedAt))
            defer { isScheduled = true }
            return !isScheduled
        }
        if starts { schedule(onMain: ticket.wantsMain) }
    }

    private func schedule(onMain: Bool) {
        (onMain ? main : own).run { self.runTurn(onMain: onMain) }
    }

    private func runTurn(onMain: Bool) {
        for _ in 0..<Self.turnLimit {
            guard let letter = takeNext(onMain: onMain) else { break }
            let delivery =
                edits?.prepare(letter.delivery, isBare: letter.ticket.takesBarePages) ?? letter.delivery
            let wasCalled = letter.ticket.deliver(delivery, at: letter.decidedAt)
            if let delivered, wasCalled, letter.delivery.isTerminal {
                delivered(letter.decidedAt.duration(to: clock.now))
            }
        }
        let next: Bool? = lock.withLock {
            guard head < pending.count else {
                isScheduled = false
                return nil
            }
            return pending[head]?.ticket.wantsMain
        }
        if let next { schedule(onMain: next) }
    }

    /// Takes the first callback when it belongs to this turn's queue.
    private func takeNext(onMain: Bool) -> Letter? {
        lock.withLock {
            guard head < pending.count, let letter = pending[head] else { return nil }
            guard main === own || letter.ticket.wantsMain == onMain else { return nil }
            pending[head] = nil
            head += 1
            if head == pending.count {
                pending.removeAll(keepingCapacity: pending.capacity <= 1_024)
                head = 0
            } else if head >= 1_024, head * 2 >= pending.count {
                pending.removeFirst(head)
                head = 0
            }
            return letter
        }
    }
}
