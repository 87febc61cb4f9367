struct Callback: Sendable {
    let ticket: FetchTicket
    let delivery: Delivery
    let decidedAt: PaginatorInstant

    /// Calls the user's code. `delivered` gets the time at which a terminal callback was decided.
    func run(_ edits: EditLog?, _ delivered: (@Sendable (_ decidedAt: PaginatorInstant) -> Void)?) {
        // Pending edits are applied at delivery, not at the decision, because edits may have been added since.
        let current = ticket.appliesPendingEdits ? delivery : edits?.shown(delivery) ?? delivery
        let wasCalled = ticket.deliver(current, at: decidedAt)
        if let delivered, wasCalled, delivery.isTerminal { delivered(decidedAt) }
    }
}

typealias CallbackMailbox = SerialMailbox<Callback>

extension CallbackMailbox {
    /// Creates a mailbox. `main` is the same object as `own` if that is the main queue.
    convenience init(
        own: any WorkExecutor, main: any WorkExecutor, edits: EditLog? = nil,
        delivered: (@Sendable (_ decidedAt: PaginatorInstant) -> Void)? = nil
    ) {
        self.init(on: { $0.ticket.place == .mainQueue ? main : own }) { callback in
            callback.run(edits, delivered)
            // Subtracts one, by overflow.
            if callback.delivery.hasPage { edits?.undeliveredPages.add(.max) }
        }
    }

    func post(_ delivery: Delivery, to ticket: FetchTicket, decidedAt: PaginatorInstant) {
        post(Callback(ticket: ticket, delivery: delivery, decidedAt: decidedAt))
    }
}
