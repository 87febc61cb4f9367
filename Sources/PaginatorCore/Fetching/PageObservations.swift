import Synchronization

/// Who wants to know when a page's state changes.
package final class PageObservations: Sendable {
    private let observations = Guarded<[PageIdentity: [UInt64: PageObservation]]>([:])

    init() {}

    /// The pages that somebody observes.
    var identities: [PageIdentity] {
        observations.withLock { Array($0.keys) }
    }

    /// Adds an observation.
    func add(_ observation: PageObservation, as id: UInt64) {
        observations.withLock { $0[observation.identity, default: [:]][id] = observation }
    }

    /// Takes an observation away and returns it, so that it is released outside the lock.
    @discardableResult
    func remove(_ id: UInt64, of identity: PageIdentity) -> PageObservation? {
        observations.withLock { observations in
            let removed = observations[identity]?.removeValue(forKey: id)
            if observations[identity]?.isEmpty == true { observations[identity] = nil }
            return removed
        }
    }

    /// Whether anybody observes a page. Complexity: O(1).
    func isObserved(_ identity: PageIdentity) -> Bool {
        observations.withLock { $0[identity] != nil }
    }

    /// Ends all observations; nobody is called any more.
    func endAll() {
        let ended = observations.withLock { observations in
            defer { observations = [:] }
            return observations
        }
        for observation in ended.values.flatMap({ Array($0.values) }) { observation.end() }
    }

    /// Posts a change of one page to those who observe it. Complexity: O(1) when nobody does.
    func pageChanged(_ identity: PageIdentity, in mailbox: CallbackMailbox, at now: PaginatorInstant) {
        let concerned = observations.withLock { observations -> [PageObservation] in
            guard !observations.isEmpty, let concerned = observations[identity] else { return [] }
            return Array(concerned.values)
        }
        for observation in concerned { observation.changed(in: mailbox, at: now) }
    }

    /// Posts a change of several pages to those who observe one of them. Complexity: O(observed pages).
    func pagesChanged(_ selection: PageSelection, in mailbox: CallbackMailbox, at now: PaginatorInstant) {
        let concerned = observations.withLock { observations in
            observations.filter { selection.contains($0.key) }.flatMap { Array($0.value.values) }
        }
        for observation in concerned { observation.changed(in: mailbox, at: now) }
    }
}

/// One observation of a page's state. Changes that come before the observer was called for an earlier one are told once.
package final class PageObservation: Sendable {
    let identity: PageIdentity
    private let handler: @Sendable () -> Void
    private let isPosted = Atomic(false)
    private let ticket = Guarded<FetchTicket?>(nil)

    init(_ identity: PageIdentity, handler: @escaping @Sendable () -> Void) {
        self.identity = identity
        self.handler = handler
    }

    deinit {
        DeferredRelease.keep(handler)
    }

    /// Sets by which ticket changes are posted.
    func start(with ticket: FetchTicket) {
        self.ticket.withLock { $0 = ticket }
    }

    /// Posts a change, unless one is waiting already.
    func changed(in mailbox: CallbackMailbox, at now: PaginatorInstant) {
        guard !isPosted.exchange(true, ordering: .acquiringAndReleasing) else { return }
        guard let ticket = ticket.withLock({ $0 }) else { return }
        mailbox.post(.changed, to: ticket, decidedAt: now)
    }

    func receive(_ delivery: Delivery) {
        switch delivery {
        case .changed:
            isPosted.store(false, ordering: .releasing)
            handler()
        default:
            end()
        }
    }

    /// Lets go of the ticket, which holds this observation in turn.
    func end() {
        let ticket = ticket.withLock { ticket in
            defer { ticket = nil }
            return ticket
        }
        withExtendedLifetime(ticket) {}
    }
}
