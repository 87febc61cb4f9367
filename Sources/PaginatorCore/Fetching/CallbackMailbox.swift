/// A callback of a paginator: what is delivered to whom.
struct Callback: Sendable {
    let ticket: FetchTicket
    let delivery: Delivery
    let decidedAt: PaginatorInstant
}

/// The callbacks of one paginator, run one at a time in the order posted, each on the queue that it needs.
typealias CallbackMailbox = SerialMailbox<Callback>

extension CallbackMailbox {
    /// Makes an empty mailbox.
    ///
    /// - Parameters:
    ///   - own: runs the paginator's callbacks.
    ///   - main: runs callbacks for the main queue; the same object as `own` when that is the main queue.
    ///   - clock: the paginator's clock.
    ///   - edits: brings pages up to date when they are delivered; `nil` leaves them as they are.
    ///   - delivered: called after each terminal callback, with the time from its decision; `nil` for nobody.
    convenience init(
        own: any WorkExecutor, main: any WorkExecutor, clock: any PaginatorClock, edits: EditLog? = nil,
        delivered: (@Sendable (_ waited: Duration) -> Void)? = nil
    ) {
        self.init(on: { $0.ticket.wantsMain ? main : own }) { callback in
            let (ticket, delivery) = (callback.ticket, callback.delivery)
            let current = ticket.takesBarePages ? delivery : edits?.shown(delivery) ?? delivery
            let wasCalled = ticket.deliver(current, at: callback.decidedAt)
            if let delivered, wasCalled, delivery.isTerminal { delivered(callback.decidedAt.duration(to: clock.now)) }
        }
    }

    /// Adds a callback; it never runs before this call returns. Complexity: O(1) amortized.
    func post(_ delivery: Delivery, to ticket: FetchTicket, decidedAt: PaginatorInstant) {
        post(Callback(ticket: ticket, delivery: delivery, decidedAt: decidedAt))
    }
}
