/// A mailbox of events for the observer: delivered in order, one at a time, without delaying the posting thread.
typealias EventMailbox = SerialMailbox<PaginatorEvent>

extension SerialMailbox where Message == PaginatorEvent {
    // Events beyond the capacity are dropped and counted; one `eventsLost` event is delivered in their place.
    convenience init(
        observer: any PaginatorObserver, executor: any WorkExecutor, capacity: Int = 1_024
    ) {
        self.init(on: executor, bound: (capacity, PaginatorEvent.countingLost)) { event in
            observer.paginatorDidReport(event)
        }
    }
}

extension PaginatorEvent {
    /// Adds a lost event to the notice, which has the time of the first lost event.
    package static func countingLost(_ notice: PaginatorEvent?, _ lost: PaginatorEvent) -> PaginatorEvent {
        var notice = notice ?? PaginatorEvent(.eventsLost, at: lost.time)
        // A dropped `eventsLost` stands for several events.
        notice.count = (notice.count ?? 0) + (lost.kind == .eventsLost ? lost.weight : 1)
        return notice
    }
}
