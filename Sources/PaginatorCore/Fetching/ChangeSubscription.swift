/// A subscriber whose callback reports changes. Changes that arrive before a pending callback runs are merged into it.
package final class ChangeSubscription<Change: Sendable>: Sendable {
    private struct State: Sendable {
        var waiting: Change?
        var isPosted = false
        var ticket: FetchTicket?
    }

    private let state = Guarded(State())
    private let merge: @Sendable (_ earlier: Change, _ later: Change) -> Change
    private let handler: @Sendable (ChangeSubscription) -> Void

    /// Creates a subscription. `merge` is called under a lock, so it must not run user code.
    package init(
        merge: @escaping @Sendable (_ earlier: Change, _ later: Change) -> Change,
        handler: @escaping @Sendable (ChangeSubscription) -> Void
    ) {
        self.merge = merge
        self.handler = handler
    }

    deinit {
        DeferredRelease.keep(handler)
    }

    func start(with ticket: FetchTicket) {
        state.withLock { $0.ticket = ticket }
    }

    // Adds a change, and posts a callback unless one is already pending.
    func tell(_ change: Change, in mailbox: CallbackMailbox, at now: PaginatorInstant) {
        let (earlier, ticket) = state.withLock { state -> (Change?, FetchTicket?) in
            let earlier = state.waiting
            state.waiting = earlier.map { merge($0, change) } ?? change
            defer { state.isPosted = true }
            return (earlier, state.isPosted ? nil : state.ticket)
        }
        if let ticket { mailbox.post(.changed, to: ticket, decidedAt: now) }
        // The previous change may hold objects of the user, which are released outside the lock.
        withExtendedLifetime(earlier) {}
    }

    // Returns the changes since the last call. It may be called before the posted callback runs.
    package func take() -> Change? {
        state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
    }

    func receive(_ delivery: Delivery) {
        guard case .changed = delivery else { return end() }
        // Reset before the handler takes the changes: a change that arrives from here on posts a new callback.
        state.withLock { $0.isPosted = false }
        handler(self)
    }

    /// Releases the ticket. Ticket and subscription reference each other, so this breaks the cycle.
    package func end() {
        state.replace(with: State(isPosted: true))
    }
}

extension FetchEngine {
    /// Starts a subscription. `onCancel` is called once; it must not keep the engine or a list alive.
    func subscribe<C>(
        _ subscription: ChangeSubscription<C>, at place: FetchTicket.Place = .callbackQueue,
        onCancel: @escaping @Sendable (_ number: UInt64) -> Void
    ) -> FetchTicket {
        let (mailbox, clock) = (mailbox, clock)
        let ticket = FetchTicket(
            id: lastTicket.add(1), place: place, lock: reference.lock,
            onCancel: { ticket in
                onCancel(ticket.id)
                mailbox.post(.unobserved, to: ticket, decidedAt: clock.now)
            }, receiver: { delivery, _ in subscription.receive(delivery) })
        subscription.start(with: ticket)
        return ticket
    }
}
