/// Events on their way to the observer: told in order and one at a time, without ever holding up who posts.
typealias EventMailbox = SerialMailbox<PaginatorEvent>

extension SerialMailbox where Message == PaginatorEvent {
    // Events over the capacity are counted, and told where they are missing as one event of the kind `eventsLost`.
    convenience init(
        observer: any PaginatorObserver, executor: any WorkExecutor, capacity: Int = 1_024
    ) {
        self.init(on: executor, bound: (capacity, PaginatorEvent.countingLost)) { event in
            observer.paginatorDidReport(event)
        }
    }
}

extension PaginatorEvent {
    /// Counts a lost event in the notice of a loss, which has the time of the first one.
    package static func countingLost(_ notice: PaginatorEvent?, _ lost: PaginatorEvent) -> PaginatorEvent {
        var notice = notice ?? PaginatorEvent(.eventsLost, at: lost.time)
        notice.count = (notice.count ?? 0) + 1
        return notice
    }
}
