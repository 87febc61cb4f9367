import Synchronization

/// What is delivered to the listener of one fetch.
///
/// What it carries is boxed, so that a delivery is a few words.
package enum Delivery: Sendable {
    indirect case preview(LoadedPage)
    indirect case answer(Result<LoadedPage, PaginatorError>)
    indirect case neighbor(LoadedPage, distance: Int)
    indirect case neighborFailure(PaginatorError, distance: Int)
    indirect case aroundEnd(Result<AroundSummary, PaginatorError>)
    case cancelled
    /// The state of an observed page or list may have changed.
    case changed
    /// An observation ends; nobody is called.
    case unobserved

    /// Whether it is the one answer that a fetch ends with.
    package var isTerminal: Bool {
        switch self {
        case .answer, .aroundEnd, .cancelled: true
        case .preview, .neighbor, .neighborFailure, .changed, .unobserved: false
        }
    }
}

/// Takes what is delivered to one fetch, one delivery at a time.
package protocol DeliverySink: AnyObject, Sendable {
    /// Takes one delivery that was decided at `now`.
    func receive(_ delivery: Delivery, at now: PaginatorInstant)
}

/// Hands deliveries to a closure: made where the types of a list are known, so that the compiler can make code for them
/// alone.
final class ClosureSink: DeliverySink {
    private let body: @Sendable (Delivery, PaginatorInstant) -> Void

    init(_ body: @escaping @Sendable (Delivery, PaginatorInstant) -> Void) {
        self.body = body
    }

    func receive(_ delivery: Delivery, at now: PaginatorInstant) { body(delivery, now) }
}

/// Learns that a ticket's caller gave up.
package protocol TicketCanceller: AnyObject, Sendable {
    /// The ticket was cancelled, once; ``Delivery/cancelled`` has to get into the mailbox.
    func ticketWasCancelled(_ ticket: FetchTicket)
}

/// One fetch from its start to its terminal callback: what its caller holds, and what the mailbox delivers to. A subclass
/// knows who listens.
///
/// Cancel and answer race for ``word``; the first wins.
///
/// `@unchecked Sendable`: `word` is atomic; the rest never changes. A subclass's state is touched by ``receive(_:at:)`` and
/// ``finish(with:at:)`` alone, which only the mailbox calls, one call at a time.
package class FetchTicket: PaginatorExecution, @unchecked Sendable {
    private enum Word {
        static let pending: UInt8 = 0
        static let delivering: UInt8 = 1
        static let answered: UInt8 = 2
        static let cancelled: UInt8 = 3
    }

    /// Names the fetch within its engine.
    package final let id: UInt64
    /// Whether the callbacks run on the main queue, whatever the paginator's queue is.
    package final let wantsMain: Bool
    /// Whether its listener folds pending edits over the items itself, as lists do.
    package final let takesBarePages: Bool
    private final let word = Atomic<UInt8>(Word.pending)
    private final let canceller: any TicketCanceller

    /// Makes a pending ticket.
    ///
    /// - Parameters:
    ///   - id: names the fetch within its engine.
    ///   - wantsMain: whether the callbacks run on the main queue.
    ///   - takesBarePages: whether the listener folds pending edits over the items itself.
    ///   - canceller: told by the cancel that won.
    init(id: UInt64, wantsMain: Bool, takesBarePages: Bool, canceller: any TicketCanceller) {
        self.id = id
        self.wantsMain = wantsMain
        self.takesBarePages = takesBarePages
        self.canceller = canceller
        super.init()
    }

    /// Hands a delivery to the listener; more may come.
    func receive(_ delivery: Delivery, at now: PaginatorInstant) {}

    /// Calls the listener for the last time, and lets go of it.
    func finish(with delivery: Delivery, at now: PaginatorInstant) {}

    package final override func cancel() -> Bool {
        while true {
            let current = word.load(ordering: .acquiring)
            guard current == Word.pending || current == Word.delivering else { return false }
            let (won, _) = word.compareExchange(
                expected: current, desired: Word.cancelled, ordering: .acquiringAndReleasing)
            if won {
                canceller.ticketWasCancelled(self)
                return true
            }
        }
    }

    /// Hands `delivery` to the listener, unless another terminal came first. Only the mailbox calls it.
    ///
    /// - Returns: whether the listener was called.
    package final func deliver(_ delivery: Delivery, at now: PaginatorInstant) -> Bool {
        switch delivery {
        case .cancelled, .unobserved:
            finish(with: delivery, at: now)
            return true
        case .answer, .aroundEnd:
            guard move(from: Word.pending, to: Word.answered) else { return false }
            finish(with: delivery, at: now)
            return true
        case .preview, .neighbor, .neighborFailure, .changed:
            guard move(from: Word.pending, to: Word.delivering) else { return false }
            receive(delivery, at: now)
            // A cancel during the callback stands: the move fails, and the word keeps its value.
            _ = move(from: Word.delivering, to: Word.pending)
            return true
        }
    }

    private final func move(from expected: UInt8, to desired: UInt8) -> Bool {
        word.compareExchange(expected: expected, desired: desired, ordering: .acquiringAndReleasing).exchanged
    }
}
