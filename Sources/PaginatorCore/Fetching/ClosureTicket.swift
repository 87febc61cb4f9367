/// The ticket of a fetch of one page that answers a closure, and is its listener as well: in a fetch that memory answers,
/// every object that is made costs as much as the look-up.
///
/// `@unchecked Sendable`: `completion` is touched by the mailbox alone, as ``FetchTicket`` says.
final class ClosureTicket<T: Sendable>: FetchTicket, @unchecked Sendable {
    typealias Completion = @Sendable (Result<FetchedPage<T>, PaginatorError>) -> Void

    private var completion: Completion?

    init(id: UInt64, wantsMain: Bool, canceller: any TicketCanceller, completion: @escaping Completion) {
        self.completion = completion
        super.init(id: id, wantsMain: wantsMain, takesBarePages: false, canceller: canceller)
    }

    deinit {
        if let completion { DeferredRelease.keep(completion) }
    }

    override func finish(with delivery: Delivery, at now: PaginatorInstant) {
        let last = completion
        completion = nil
        if let result = delivery.result(T.self, at: now) { last?(result) }
    }
}
