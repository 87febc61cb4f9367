// Clients whose source asked to be left alone.
extension SchedulerMachine {
    // A pause that would end sooner than one under way changes nothing.
    mutating func pause(_ client: UInt64, for delay: Duration) {
        let end = now.advanced(by: min(delay, max(.zero, config.sourcePauseCap)))
        guard let tasks = clients[client]?.tasks, end > clients[client]?.pausedUntil ?? now else { return }
        clients[client]?.pausedUntil = end
        deadlines.set(.pauseEnd(client: client), at: end)
        for (id, state) in tasks.sorted(by: { $0.key < $1.key }) {
            guard case .ready(let handle, let demand) = state else { continue }
            ready.remove(handle)
            hold(SchedulerTask(client: client, id: id), demand, until: end)
        }
    }

    mutating func hold(_ task: SchedulerTask, _ demand: SchedulerDemand, until end: PaginatorInstant) {
        self[task] = .held(demand)
        outbox.ordered.append(.hold(task, delay: now.duration(to: end)))
    }

    // In the order in which they were handed in.
    mutating func endPause(of client: UInt64) {
        clients[client]?.pausedUntil = nil
        for (id, state) in (clients[client]?.tasks ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard case .held(let demand) = state else { continue }
            enqueue(SchedulerTask(client: client, id: id), demand)
        }
    }
}
