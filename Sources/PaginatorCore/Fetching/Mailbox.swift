/// The callbacks of one paginator: run one at a time, in the order posted, in bounded turns.
///
/// A turn runs on the queue that its first callback needs, and ends where the next one needs another queue. That way
/// callbacks for the main queue and for the paginator's own queue stay in one order.
///
/// `@unchecked Sendable`: `incoming` and `isScheduled` are guarded by `lock`; `current` and `head` belong to the running
/// turn: there is one at a time, and its executor hands over from one to the next.
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
    // Not checked for overlapping uses at run time: lock and turns see to that, and no user code runs while one is used.
    @exclusivity(unchecked) private var incoming: [Letter?] = []
    @exclusivity(unchecked) private var isScheduled = false
    /// Empty where a letter was taken out.
    @exclusivity(unchecked) private var current: [Letter?] = []
    @exclusivity(unchecked) private var head = 0

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
            incoming.append(Letter(ticket: ticket, delivery: delivery, decidedAt: decidedAt))
            defer { isScheduled = true }
            return !isScheduled
        }
        if starts { schedule(onMain: ticket.wantsMain) }
    }

    private func schedule(onMain: Bool) {
        (onMain ? main : own).run { self.runTurn(onMain: onMain) }
    }

    private func runTurn(onMain: Bool) {
        // In variables of the turn, because those who post write into the mailbox's own lines of the processor's cache.
        var letters: [Letter?] = []
        swap(&letters, &current)
        var next = head
        for _ in 0..<Self.turnLimit {
            if next == letters.count {
                next = 0
                guard collect(into: &letters) else { break }
            }
            guard let letter = letters[next], main === own || letter.ticket.wantsMain == onMain else { break }
            letters[next] = nil
            next += 1
            let delivery =
                edits?.prepare(letter.delivery, isBare: letter.ticket.takesBarePages) ?? letter.delivery
            let wasCalled = letter.ticket.deliver(delivery, at: letter.decidedAt)
            if let delivered, wasCalled, letter.delivery.isTerminal {
                delivered(letter.decidedAt.duration(to: clock.now))
            }
        }
        swap(&letters, &current)
        head = next
        if let onMain = nextTurnIsOnMain() { schedule(onMain: onMain) }
    }

    /// Takes over what came in, in place of what is worked through; says whether there is any.
    private func collect(into letters: inout [Letter?]) -> Bool {
        letters.removeAll(keepingCapacity: letters.capacity <= 1_024)
        lock.withLock { swap(&letters, &incoming) }
        return !letters.isEmpty
    }

    /// Whether the next turn is for the main queue; `nil`, and this was the last turn, when nothing waits.
    private func nextTurnIsOnMain() -> Bool? {
        if head < current.count { return current[head]?.ticket.wantsMain }
        return lock.withLock {
            guard let first = incoming.first else {
                isScheduled = false
                return nil
            }
            return first?.ticket.wantsMain
        }
    }
}
