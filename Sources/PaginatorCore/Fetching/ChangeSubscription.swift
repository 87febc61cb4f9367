/// Somebody who is told of changes by callbacks. Changes that come before the callback for an earlier one are told with it.
package final class ChangeSubscription<Change: Sendable>: Sendable {
    private struct State: Sendable {
        var waiting: Change?
        var isPosted = false
        var ticket: FetchTicket?
    }

    private let state = Guarded(State())
    private let merge: @Sendable (_ earlier: Change, _ later: Change) -> Change
    private let handler: @Sendable (ChangeSubscription) -> Void

    /// `merge` is called under a lock, so it runs no user code.
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

    func start(with ticket: FetchTicket) { state.withLock { $0.ticket = ticket } }

    // Adds a change; the mailbox tells it, unless it is about to call for an earlier one.
    func tell(_ change: Change, in mailbox: CallbackMailbox, at now: PaginatorInstant) {
        let (earlier, ticket) = state.withLock { state -> (Change?, FetchTicket?) in
            let earlier = state.waiting
            state.waiting = earlier.map { merge($0, change) } ?? change
            defer { state.isPosted = true }
            return (earlier, state.isPosted ? nil : state.ticket)
        }
        if let ticket { mailbox.post(.changed, to: ticket, decidedAt: now) }
        // Released outside the lock, with what it has of the user's.
        withExtendedLifetime(earlier) {}
    }

    // Takes what has come since this was called before, also ahead of the callback.
    package func take() -> Change? {
        state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
    }

    func receive(_ delivery: Delivery) {
        guard case .changed = delivery else { return end() }
        // Before the handler takes what there is: what comes from here on is posted anew.
        state.withLock { $0.isPosted = false }
        handler(self)
    }

    /// Lets go of the ticket, which holds this subscription in turn.
    package func end() {
        let last = state.withLock { state in
            defer { state = State(isPosted: true) }
            return state
        }
        withExtendedLifetime(last) {}
    }
}

extension FetchEngine {
    /// Begins a subscription. `onCancel` is called once, and keeps neither the engine nor a list alive.
    func subscribe<C>(
        _ subscription: ChangeSubscription<C>, wantsMain: Bool = false,
        onCancel: @escaping @Sendable (_ number: UInt64) -> Void
    ) -> FetchTicket {
        let (mailbox, clock) = (mailbox, clock)
        let ticket = FetchTicket(
            id: lastTicket.add(1), wantsMain: wantsMain, lock: reference.lock,
            onCancel: { ticket in
                onCancel(ticket.id)
                mailbox.post(.unobserved, to: ticket, decidedAt: clock.now)
            }, receiver: { delivery, _ in subscription.receive(delivery) })
        subscription.start(with: ticket)
        return ticket
    }
}
