enum Delivery: Sendable {
    case preview(LoadedPage)
    case answer(Result<LoadedPage, PaginatorError>)
    case neighbor(LoadedPage, distance: Int)
    case neighborFailure(PaginatorError, distance: Int)
    case aroundEnd(Result<AroundSummary, PaginatorError>)
    /// The single terminal delivery of a prefetch, also of a cancelled one.
    case prefetchEnd(PrefetchSummary)
    /// The load that a list was told to make has ended, with an error if it failed.
    case listEnd(PaginatorError?)
    case cancelled
    case changed
    /// An observation has ended; no callback runs.
    case unobserved

    var isTerminal: Bool {
        switch self {
        case .answer, .aroundEnd, .prefetchEnd, .listEnd, .cancelled: true
        case .preview, .neighbor, .neighborFailure, .changed, .unobserved: false
        }
    }

    var hasPage: Bool {
        switch self {
        case .preview, .neighbor, .answer(.success): true
        case .answer, .neighborFailure, .aroundEnd, .prefetchEnd, .listEnd, .cancelled, .changed, .unobserved: false
        }
    }
}

/// One fetch until its terminal callback, or one observation until it ends. The caller holds it, and the mailbox
/// delivers to it.
///
/// Cancel and answer race for ``state``; the first wins.
///
/// `@unchecked Sendable`: `state` is guarded by `lock`. ``deliver(_:at:)`` alone uses `receiver`, called by the mailbox
/// one at a time, or for a task by the thread that won the move to a terminal state. A ticket without a receiver may be
/// delivered to by two threads, which only read that it is `nil`. The rest never changes.
package final class FetchTicket: PaginatorExecution, @unchecked Sendable {
    typealias Receiver = @Sendable (Delivery, PaginatorInstant) -> Void

    private enum State {
        case pending, delivering, answered, cancelled
    }

    /// Where callbacks run. `noQueue`: the answer resumes a task, or nobody is told.
    package enum Place: Sendable { case callbackQueue, mainQueue, noQueue }

    package let id: UInt64
    let place: Place
    /// Whether the listener applies pending edits itself, as lists do.
    let appliesPendingEdits: Bool
    /// Whether the caller sees previews. A form with one answer gets none.
    let takesPreviews: Bool
    private let lock: Lock
    private var state = State.pending
    private let onCancel: @Sendable (FetchTicket) -> Void
    private var receiver: Receiver?

    /// Creates a ticket. `onCancel` is called by the cancel that won the race; it has to post ``Delivery/cancelled``.
    /// Tickets may share a lock.
    init(
        id: UInt64, place: Place = .callbackQueue, appliesPendingEdits: Bool = false, takesPreviews: Bool = true,
        lock: Lock = Lock(), onCancel: @escaping @Sendable (FetchTicket) -> Void, receiver: Receiver?
    ) {
        self.id = id
        self.place = place
        self.appliesPendingEdits = appliesPendingEdits
        self.takesPreviews = takesPreviews
        self.lock = lock
        self.onCancel = onCancel
        self.receiver = receiver
        super.init()
    }

    deinit {
        // The receiver holds objects of the user, and the ticket may be freed under a lock.
        if let receiver { DeferredRelease.keep(receiver) }
    }

    package override func cancel() -> Bool {
        guard move(from: .pending, .delivering, to: .cancelled) else { return false }
        onCancel(self)
        return true
    }

    /// Passes `delivery` to the receiver, and returns whether it did: not if there is no receiver or an earlier
    /// terminal delivery.
    func deliver(_ delivery: Delivery, at now: PaginatorInstant) -> Bool {
        switch delivery {
        case .cancelled, .unobserved:
            return finish(with: delivery, at: now)
        case .prefetchEnd:
            // A cancel is also reported by its own delivery, which follows and finds no receiver.
            _ = move(from: .pending, to: .answered)
            return finish(with: delivery, at: now)
        case .answer, .aroundEnd, .listEnd:
            return move(from: .pending, to: .answered) && finish(with: delivery, at: now)
        case .preview, .neighbor, .neighborFailure, .changed:
            guard move(from: .pending, to: .delivering) else { return false }
            receiver?(delivery, now)
            // Fails if the callback cancelled the fetch, which stays cancelled.
            _ = move(from: .delivering, to: .pending)
            return true
        }
    }

    private func finish(with delivery: Delivery, at now: PaginatorInstant) -> Bool {
        guard let last = receiver else { return false }
        receiver = nil
        last(delivery, now)
        return true
    }

    private func move(from expected: State, _ other: State? = nil, to desired: State) -> Bool {
        lock.withLock {
            guard state == expected || state == other else { return false }
            state = desired
            return true
        }
    }
}

extension FetchEngine {
    func makeTicket(
        at place: FetchTicket.Place = .callbackQueue, appliesPendingEdits: Bool = false, takesPreviews: Bool = true,
        _ receiver: FetchTicket.Receiver?
    ) -> FetchTicket {
        FetchTicket(
            id: lastTicket.add(1), place: place, appliesPendingEdits: appliesPendingEdits,
            takesPreviews: takesPreviews, lock: reference.lock, onCancel: cancelTicket, receiver: receiver)
    }

    func makeTicket<T>(_ listener: PaginatorFetchListener<T>) -> FetchTicket {
        let place: FetchTicket.Place = listener.wantsMain ? .mainQueue : .callbackQueue
        return makeTicket(at: place, takesPreviews: listener.takesPreviews) { listener.receive($0, at: $1) }
    }

    func makeTicket<T>(_ listener: PaginatorFetchAroundListener<T>) -> FetchTicket {
        let place: FetchTicket.Place = listener.wantsMain ? .mainQueue : .callbackQueue
        return makeTicket(at: place, takesPreviews: listener.takesPreviews) { listener.receive($0, at: $1) }
    }
}

// Restores the item type of a page.
extension PaginatorFetchListener {
    fileprivate func receive(_ delivery: Delivery, at now: PaginatorInstant) {
        // Without closures, which would need type metadata lookups in code that does not know `T`.
        switch delivery {
        case .answer(.success(let page)): fetchDidEnd(.success(FetchedPage(page, at: now)))
        case .answer(.failure(let error)): fetchDidEnd(.failure(error))
        case .cancelled: fetchDidEnd(.failure(FetchMachine.cancelled))
        case .preview(let page): fetchDidPreview(FetchedPage(page, at: now))
        case .neighbor, .neighborFailure, .aroundEnd, .prefetchEnd, .listEnd, .changed, .unobserved: break
        }
    }
}

extension PaginatorFetchAroundListener {
    fileprivate func receive(_ delivery: Delivery, at now: PaginatorInstant) {
        switch delivery {
        case .preview(let page): fetchAroundDidPreview(FetchedPage(page, at: now))
        case .neighbor(let page, let distance): fetchAroundDidDeliver(FetchedPage(page, at: now), at: distance)
        case .neighborFailure(let error, let distance): fetchAroundDidFail(error, at: distance)
        case .aroundEnd(let result): fetchAroundDidEnd(result)
        case .cancelled: fetchAroundDidEnd(.failure(FetchMachine.cancelled))
        case .answer, .prefetchEnd, .listEnd, .changed, .unobserved: break
        }
    }
}

extension FetchedPage {
    package init(_ loaded: LoadedPage, at now: PaginatorInstant) {
        self.init(
            page: .from(loaded.object), origin: loaded.origin, age: loaded.age(at: now),
            isStale: loaded.isStale(at: now), refreshError: loaded.refreshError)
    }
}
