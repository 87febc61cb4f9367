struct Callback: Sendable {
    let ticket: FetchTicket
    let delivery: Delivery
    let decidedAt: PaginatorInstant

    /// Calls the user. `delivered` takes when a terminal callback was decided.
    func run(_ edits: EditLog?, _ delivered: (@Sendable (_ decidedAt: PaginatorInstant) -> Void)?) {
        // Now, and not when it was decided: edits may have come since.
        let current = ticket.takesBarePages ? delivery : edits?.shown(delivery) ?? delivery
        let wasCalled = ticket.deliver(current, at: decidedAt)
        if let delivered, wasCalled, delivery.isTerminal { delivered(decidedAt) }
    }
}

typealias CallbackMailbox = SerialMailbox<Callback>

extension CallbackMailbox {
    /// `main` is the same object as `own` when that is the main queue.
    convenience init(
        own: any WorkExecutor, main: any WorkExecutor, edits: EditLog? = nil,
        delivered: (@Sendable (_ decidedAt: PaginatorInstant) -> Void)? = nil
    ) {
        self.init(on: { $0.ticket.wantsMain ? main : own }) { callback in
            callback.run(edits, delivered)
            // One less, by wrapping around.
            if callback.delivery.hasPage { edits?.pagesOnTheirWay.add(.max) }
        }
    }

    func post(_ delivery: Delivery, to ticket: FetchTicket, decidedAt: PaginatorInstant) {
        post(Callback(ticket: ticket, delivery: delivery, decidedAt: decidedAt))
    }
}
