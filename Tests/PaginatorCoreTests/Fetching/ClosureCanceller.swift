@testable import PaginatorCore

extension SinkTicket {
    /// Makes a ticket whose cancel calls a closure.
    convenience init(
        id: UInt64, sink: (any DeliverySink)?, wantsMain: Bool = false,
        onCancel: @escaping @Sendable (FetchTicket) -> Void
    ) {
        self.init(id: id, sink: sink, wantsMain: wantsMain, canceller: ClosureCanceller(onCancel: onCancel))
    }
}

private final class ClosureCanceller: TicketCanceller {
    private let onCancel: @Sendable (FetchTicket) -> Void

    init(onCancel: @escaping @Sendable (FetchTicket) -> Void) {
        self.onCancel = onCancel
    }

    func ticketWasCancelled(_ ticket: FetchTicket) { onCancel(ticket) }
}
