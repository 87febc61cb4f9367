/// Owns tasks of a scheduler: the fetch engine of one paginator.
protocol SchedulerClient: AnyObject, Sendable {
    /// Hears what was decided about a task of its own: on the scheduler's executor, one at a time for one client, in the order
    /// decided, with no lock held. A decision may cross with a cancellation under way; the client ignores it then.
    ///
    /// - Returns: the attempt of a task that starts, to be run on the executor; `nil` where the client sees to it.
    func schedulerDidDecide(_ decision: SchedulerDecision) -> (@Sendable () -> Void)?
}

// Calls of clients. Those with a time are for one that holds a lock: the clock and its timer are the user's, so they are
// not called, and the client sets the timer afterwards where it is told to.
extension PaginatorScheduler {
    func register(_ client: any SchedulerClient) -> UInt64 {
        let number = driver.withMachine { $0.addClient() }
        let attempts = Guarded<[@Sendable () -> Void]>([])
        let mailbox = SerialMailbox<SchedulerDecision>(on: executor) { [executor] mayBlock in
            var due: [@Sendable () -> Void] = []
            attempts.withLock { swap(&$0, &due) }
            // A single attempt is run on this thread when that is free for it, which saves a change of threads.
            if mayBlock, due.count == 1 { due[0]() } else { for attempt in due { executor.run(attempt) } }
        } handle: { [weak self, weak client] decision in
            guard let self, self.clients.withLock({ $0[number] != nil }) else { return }
            guard let client else { return self.unregister(number) }
            guard let attempt = client.schedulerDidDecide(decision) else { return }
            attempts.withLock { $0.append(attempt) }
        }
        clients.withLock { $0[number] = mailbox }
        return number
    }

    /// Forgets a client. What it is told just now may still reach it.
    func unregister(_ client: UInt64) {
        _ = clients.withLock { $0.removeValue(forKey: client) }
        feed(.removeClient(client))
    }

    func feed(_ event: SchedulerEvent) {
        if feed(event, at: clock.now) { setTimer() }
    }

    /// Takes an event in for a client that may hold a lock.
    ///
    /// - Returns: whether the client has to call ``setTimer()`` when it holds no lock.
    func feed(_ event: SchedulerEvent, at now: PaginatorInstant) -> Bool {
        driver.feed(event, at: now) { decision, _ in
            // The driver's lock is held.
            clients.withLock { $0[decision.client] }?.post(decision)
        } unordered: { _ in
        }
    }

    func setTimer() { driver.setTimer() }
}
