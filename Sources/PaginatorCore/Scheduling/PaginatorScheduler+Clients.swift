/// The owner of tasks of a scheduler: the fetch engine of a paginator.
protocol SchedulerClient: AnyObject, Sendable {
    /// Called with each decision about a task of the client: on the scheduler's executor, one at a time, in order,
    /// without a lock. A decision may cross a cancellation, and is then ignored by the client.
    func schedulerDidDecide(_ decision: SchedulerDecision)
}

// Calls by clients. Those with a time are for a client that holds a lock: they do not call the user's clock or timer,
// and return whether the client must set the timer afterwards.
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

    /// Removes a client. A decision on its way may still reach it.
    func unregister(_ client: UInt64) {
        _ = clients.withLock { $0.removeValue(forKey: client) }
        feed(.removeClient(client))
    }

    func feed(_ event: SchedulerEvent) {
        if feed(event, at: clock.now) { setTimer() }
    }

    /// Handles an event for a client that may hold a lock.
    ///
    /// - Parameters:
    ///   - client: the calling client.
    ///   - start: called at once with the client's starts, under the driver's lock, to save a hop to another thread.
    /// - Returns: whether the client must call ``setTimer()`` once it holds no lock.
    func feed(
        _ event: SchedulerEvent, at now: PaginatorInstant, from client: UInt64? = nil,
        start: (_ task: UInt64, _ waited: Duration) -> Void = { _, _ in }
    ) -> Bool {
        driver.feed(event, at: now) { decision, _ in
            let mailbox = clients.withLock { $0[decision.client] }
            // Earlier decisions on their way must come first.
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
