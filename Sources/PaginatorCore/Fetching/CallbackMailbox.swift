struct Callback: Sendable {
    let ticket: FetchTicket
    let delivery: Delivery
    let decidedAt: PaginatorInstant
}

typealias CallbackMailbox = SerialMailbox<Callback>

extension CallbackMailbox {
    /// `main` is the same object as `own` when that is the main queue; `delivered` takes how long a callback waited.
    convenience init(
        own: any WorkExecutor, main: any WorkExecutor, clock: any PaginatorClock, edits: EditLog? = nil,
        delivered: (@Sendable (_ waited: Duration) -> Void)? = nil
    ) {
        self.init(on: { $0.ticket.wantsMain ? main : own }) { callback in
            let (ticket, delivery) = (callback.ticket, callback.delivery)
            // Now, and not when it was decided: edits may have come since.
            let current = ticket.takesBarePages ? delivery : edits?.shown(delivery) ?? delivery
            let wasCalled = ticket.deliver(current, at: callback.decidedAt)
            // One less, by wrapping around.
            if delivery.hasPage { edits?.pagesOnTheirWay.add(.max) }
            if let delivered, wasCalled, delivery.isTerminal { delivered(callback.decidedAt.duration(to: clock.now)) }
        }
    }

    func post(_ delivery: Delivery, to ticket: FetchTicket, decidedAt: PaginatorInstant) {
        post(Callback(ticket: ticket, delivery: delivery, decidedAt: decidedAt))
    }
}
