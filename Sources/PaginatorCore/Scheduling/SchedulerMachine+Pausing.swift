// Clients whose source asked for a pause.
extension SchedulerMachine {
    func pauseEnd(of client: UInt64) -> PaginatorInstant? { deadlines.deadline(of: .pauseEnd(client: client)) }

    // Has no effect if a running pause ends later.
    mutating func pause(_ client: UInt64, for delay: Duration) {
        // Capped, because the server chooses it: a header must not stop an app forever.
        let end = now.advanced(by: min(delay, max(.zero, config.sourcePauseCap)))
        guard clients[client] != nil, end > pauseEnd(of: client) ?? now else { return }
        deadlines.set(.pauseEnd(client: client), at: end)
        for (task, state) in sortedTasks(of: client) {
            switch state {
            case .ready(let handle, let demand):
                ready.remove(handle)
                hold(task, demand, until: end)
            // Told as well: its callers may have less time than this pause.
            case .held(let demand): hold(task, demand, until: end)
            case .backingOff, .running: break
            }
        }
    }

    mutating func hold(_ task: SchedulerTask, _ demand: SchedulerDemand, until end: PaginatorInstant) {
        self[task] = .held(demand)
        outbox.ordered.append(.hold(task, delay: now.duration(to: end)))
    }

    // In the order in which they were submitted.
    mutating func endPause(of client: UInt64) {
        for (task, state) in sortedTasks(of: client) {
            guard case .held(let demand) = state else { continue }
            enqueue(task, demand)
        }
    }
}
