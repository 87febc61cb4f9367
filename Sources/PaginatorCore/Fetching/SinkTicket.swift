/// The ticket of a fetch that delivers to an object.
///
/// `@unchecked Sendable`: `sink` is touched by the mailbox alone, as ``FetchTicket`` says.
package final class SinkTicket: FetchTicket, @unchecked Sendable {
    private var sink: (any DeliverySink)?

    /// Makes a pending ticket.
    ///
    /// - Parameters:
    ///   - id: names the fetch within its engine.
    ///   - sink: takes the deliveries; `nil` for nobody. It is kept until the terminal one.
    ///   - wantsMain: whether the callbacks run on the main queue.
    ///   - takesBarePages: whether the listener folds pending edits over the items itself.
    ///   - canceller: told by the cancel that won.
    package init(
        id: UInt64, sink: (any DeliverySink)?, wantsMain: Bool = false, takesBarePages: Bool = false,
        canceller: any TicketCanceller
    ) {
        self.sink = sink
        super.init(id: id, wantsMain: wantsMain, takesBarePages: takesBarePages, canceller: canceller)
    }

    deinit {
        if let sink { DeferredRelease.keep(sink) }
    }

    override func receive(_ delivery: Delivery, at now: PaginatorInstant) {
        sink?.receive(delivery, at: now)
    }

    override func finish(with delivery: Delivery, at now: PaginatorInstant) {
        let last = sink
        sink = nil
        last?.receive(delivery, at: now)
    }
}
