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

/// Ends an observation, of a page or of a list, when it is cancelled.
final class ObservationCanceller: TicketCanceller {
    private let mailbox: CallbackMailbox
    private let clock: any PaginatorClock
    private let end: @Sendable () -> Void

    /// - Parameter end: takes the observation away; it keeps neither the engine nor the list alive.
    init(_ engine: FetchEngine, end: @escaping @Sendable () -> Void) {
        mailbox = engine.mailbox
        clock = engine.clock
        self.end = end
    }

    func ticketWasCancelled(_ ticket: FetchTicket) {
        end()
        mailbox.post(.unobserved, to: ticket, decidedAt: clock.now)
    }
}
