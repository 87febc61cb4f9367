/// Owns tasks of a scheduler: the fetch engine of one paginator.
protocol SchedulerClient: AnyObject, Sendable {
    /// Hears what was decided about a task of its own: on the scheduler's executor, one at a time for one client, in the order
    /// decided, with no lock held. A decision may cross with a cancellation under way; the client ignores it then.
    func schedulerDidDecide(_ decision: SchedulerDecision)
}

// Calls of clients. Those with a time are for one that holds a lock: the clock and its timer are the user's, so they are
// not called, and the client sets the timer afterwards where it is told to.
extension PaginatorScheduler {
    func register(_ client: any SchedulerClient) -> UInt64 {
        let number = driver.withMachine { $0.addClient() }
        let mailbox = SerialMailbox<SchedulerDecision>(on: executor, isPrompt: true) {
            [weak self, weak client] decision in
            guard let self, self.clients.withLock({ $0[number] != nil }) else { return }
            guard let client else { return self.unregister(number) }
            client.schedulerDidDecide(decision)
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
    /// - Parameters:
    ///   - client: the one that calls.
    ///   - start: takes its starts on the spot, which saves them a turn on another thread; the driver's lock is held.
    /// - Returns: whether the client has to call ``setTimer()`` when it holds no lock.
    func feed(
        _ event: SchedulerEvent, at now: PaginatorInstant, from client: UInt64? = nil,
        start: (_ task: UInt64, _ waited: Duration) -> Void = { _, _ in }
    ) -> Bool {
        driver.feed(event, at: now) { decision, _ in
            let mailbox = clients.withLock { $0[decision.client] }
            // What was decided before and is still on its way must come first.
            if case .start(let task, let waited) = decision, task.client == client, mailbox?.isIdle == true {
                start(task.id, waited)
            } else {
                mailbox?.post(decision)
            }
        } unordered: { _ in
        }
    }

    func setTimer() { driver.setTimer() }
}
