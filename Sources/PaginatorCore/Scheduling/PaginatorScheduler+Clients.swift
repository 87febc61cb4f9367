// Calls of clients. Those with a time are for one that holds a lock: the clock and its timer are the user's, so they are
// not called, and the client sets the timer afterwards where it is told to.
extension PaginatorScheduler {
    /// Admits a client, which is kept weakly, and returns its number.
    func register(_ client: any SchedulerClient) -> UInt64 {
        let number = driver.withMachine { $0.addClient() }
        let mailbox = SchedulerMailbox(client, executor: executor) { [weak self] in self?.unregister(number) }
        clients.withLock { $0[number] = mailbox }
        return number
    }

    /// Forgets a client: its tasks go, its slots are free. What it is told just now may still reach it.
    func unregister(_ client: UInt64) {
        let mailbox = clients.withLock { $0.removeValue(forKey: client) }
        mailbox?.close()
        feed(.removeClient(client))
    }

    /// Takes an event in. No lock is held.
    func feed(_ event: SchedulerEvent) {
        driver.feed(event) { decision, _ in
            tell(decision)
        } unordered: { _ in
        }
    }

    /// Takes an event in for a client that may hold a lock.
    ///
    /// - Returns: whether the client has to call ``setTimer()`` when it holds no lock.
    func feed(_ event: SchedulerEvent, at now: PaginatorInstant) -> Bool {
        driver.feed(event, at: now) { decision, _ in
            tell(decision)
        } unordered: { _ in
        }
    }

    /// Sets the timer right. No lock may be held.
    func setTimer() { driver.setTimer() }

    /// The driver's lock is held.
    private func tell(_ decision: SchedulerDecision) {
        clients.withLock { $0[decision.client] }?.post(decision)
    }
}
