extension SchedulerMachine {
    /// Nothing starts until ``resume(at:)``; what runs goes on.
    package mutating func suspend(at now: PaginatorInstant) -> [SchedulerDecision] {
        perform(at: now) { $0.isSuspended = true }
    }

    /// Ends a suspension, however often it was asked for.
    package mutating func resume(at now: PaginatorInstant) -> [SchedulerDecision] {
        perform(at: now) { $0.isSuspended = false }
    }

    /// The network or the device has changed.
    ///
    /// Without a connection nothing starts, and what is ready is refused or waits, as configured. With it, tasks whose
    /// attempt failed for want of it are due at once. What speaks for loading less halves the slots and holds prefetches;
    /// one whose end somebody is told is refused.
    package mutating func conditionsChanged(
        _ conditions: PaginatorConditions, at now: PaginatorInstant
    ) -> [SchedulerDecision] {
        perform(at: now) {
            let wasOffline = $0.conditions.contains(.offline)
            $0.conditions = conditions
            let limit = max(1, $0.config.maxParallelCalls)
            $0.slots.limit = $0.conditionsAllowPrefetch ? limit : max(1, limit / 2)
            $0.refuseAwaited()
            if wasOffline, !conditions.contains(.offline) { $0.releaseStranded() }
        }
    }

    /// Refuses what the conditions do not let start, or wait: without a connection first demanded work in its order, then
    /// what is held, and neighbors that are told how they end. Complexity: O(tasks).
    private mutating func refuseAwaited() {
        guard refusesOffline || !conditionsAllowPrefetch else { return }
        if refusesOffline {
            while let entry = ready.take(includingPrefetch: false) { refuse(entry.task, .offline) }
        }
        for client in clients.keys.sorted() {
            for id in (clients[client]?.keys ?? []).sorted() {
                let task = SchedulerTask(client: client, id: id)
                switch self[task] {
                case .ready(let handle, let isAwaited):
                    guard let entry = ready[handle] else { continue }
                    let demand = Demand(priority: entry.priority, isPrefetch: entry.isPrefetch, isAwaited: isAwaited)
                    guard let reason = refusal(of: demand) else { continue }
                    ready.remove(handle)
                    refuse(task, reason)
                case .held(let demand):
                    guard let reason = refusal(of: demand) else { continue }
                    held -= 1
                    refuse(task, reason)
                case .backingOff, .running, nil:
                    continue
                }
            }
        }
    }

    private mutating func releaseStranded() {
        while let task = stranded.popDue(at: .distantFuture) { deadlines.set(.backOff(task), at: now) }
        expire()
    }
}
