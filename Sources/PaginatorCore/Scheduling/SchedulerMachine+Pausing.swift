// Clients whose source asked to be left alone.
extension SchedulerMachine {
    /// No task of a client starts for a while; those that are ready are held, without a slot.
    ///
    /// What runs goes on. A pause that would end sooner than one under way changes nothing. Complexity: O(the client's
    /// tasks).
    ///
    /// - Parameters:
    ///   - client: the client.
    ///   - delay: how long; at most what the configuration allows.
    package mutating func pause(
        _ client: UInt64, for delay: Duration, at now: PaginatorInstant
    ) -> [SchedulerDecision] {
        perform(at: now) {
            let end = $0.now.advanced(by: min(delay, max(.zero, $0.config.sourcePauseCap)))
            guard let tasks = $0.clients[client], end > $0.pauses[client] ?? $0.now else { return }
            $0.pauses[client] = end
            $0.deadlines.set(.pauseEnd(client: client), at: end)
            $0.counters.pauses += 1
            for (id, state) in tasks.sorted(by: { $0.key < $1.key }) {
                guard case .ready(let handle, let isAwaited) = state, let entry = $0.ready.remove(handle) else {
                    continue
                }
                let demand = Demand(priority: entry.priority, isPrefetch: entry.isPrefetch, isAwaited: isAwaited)
                $0.hold(SchedulerTask(client: client, id: id), demand, until: end)
            }
        }
    }

    mutating func hold(_ task: SchedulerTask, _ demand: Demand, until end: PaginatorInstant) {
        self[task] = .held(demand)
        held += 1
        decisions.append(.hold(task, delay: now.duration(to: end)))
    }

    /// Makes what was held ready, in the order in which it was handed in.
    mutating func endPause(of client: UInt64) {
        pauses[client] = nil
        for (id, state) in (clients[client] ?? RowTable()).sorted(by: { $0.key < $1.key }) {
            guard case .held(let demand) = state else { continue }
            held -= 1
            enqueue(SchedulerTask(client: client, id: id), demand)
        }
    }
}
