/// Tells a client what was decided about its tasks, in that order, and has its attempts run.
///
/// The client is kept weakly; when it no longer lives, it is unregistered with the next decision.
final class SchedulerMailbox: Sendable {
    private struct Recipient: Sendable {
        weak var client: (any SchedulerClient)?
    }

    private let recipient: Guarded<Recipient>
    private let decisions: SerialMailbox<SchedulerDecision>

    /// Makes an empty mailbox.
    ///
    /// - Parameter clientIsGone: called with no lock held when the client no longer lives.
    init(
        _ client: any SchedulerClient, executor: any WorkExecutor, clientIsGone: @escaping @Sendable () -> Void
    ) {
        let recipient = Guarded(Recipient(client: client))
        let attempts = Guarded<[@Sendable () -> Void]>([])
        self.recipient = recipient
        decisions = SerialMailbox(on: executor) { mayBlock in
            var due: [@Sendable () -> Void] = []
            attempts.withLock { swap(&$0, &due) }
            // A single attempt is run on this thread when that is free for it, which saves a change of threads.
            if mayBlock, due.count == 1 { due[0]() } else { for attempt in due { executor.run(attempt) } }
        } handle: { decision in
            guard let client = recipient.withLock({ $0.client }) else { return clientIsGone() }
            guard let attempt = Self.tell(client, decision) else { return }
            attempts.withLock { $0.append(attempt) }
        }
    }

    /// Adds a decision; it may be called with a lock held.
    func post(_ decision: SchedulerDecision) { decisions.post(decision) }

    /// Tells the client nothing more.
    func close() { recipient.withLock { $0.client = nil } }

    /// Tells a client one decision, and returns the attempt that it has made of it.
    private static func tell(_ client: any SchedulerClient, _ decision: SchedulerDecision) -> (@Sendable () -> Void)? {
        switch decision {
        case .start(let task, let waited): return client.schedulerDidStart(task.id, waited: waited)
        case .refuse(let task, let reason): client.schedulerDidRefuse(task.id, reason: reason)
        case .backOff(let task, let delay): client.schedulerDidBackOff(task.id, delay: delay)
        case .hold(let task, let delay): client.schedulerDidHold(task.id, delay: delay)
        case .wake: client.schedulerDidWake()
        }
        return nil
    }
}
