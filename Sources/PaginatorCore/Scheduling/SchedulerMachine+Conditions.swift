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
    /// attempt failed for want of it are due at once. What speaks for loading less halves the slots and holds prefetches.
    package mutating func conditionsChanged(
        _ conditions: PaginatorConditions, at now: PaginatorInstant
    ) -> [SchedulerDecision] {
        perform(at: now) {
            let wasOffline = $0.conditions.contains(.offline)
            $0.conditions = conditions
            let limit = max(1, $0.config.maxParallelCalls)
            $0.slots.limit = $0.conditionsAllowPrefetch ? limit : max(1, limit / 2)
            if conditions.contains(.offline) {
                $0.refuseDemanded()
            } else if wasOffline {
                $0.releaseStranded()
            }
        }
    }

    /// Refuses every task that could start and that somebody waits for, unless it is to wait for the connection: first
    /// demanded work in its order, then what is held, and neighbors that are told how they end. Complexity: O(tasks).
    private mutating func refuseDemanded() {
        guard refusesOffline else { return }
        while let entry = ready.take(includingPrefetch: false) { refuse(entry.task, .offline) }
        for client in clients.keys.sorted() {
            for id in (clients[client]?.keys ?? []).sorted() {
                let task = SchedulerTask(client: client, id: id)
                switch self[task] {
                case .ready(let handle, isAwaited: true): ready.remove(handle)
                case .held(let demand) where demand.isAwaited: held -= 1
                case .ready, .held, .backingOff, .running, nil: continue
                }
                refuse(task, .offline)
            }
        }
    }

    private mutating func releaseStranded() {
        while let task = stranded.popDue(at: .distantFuture) { deadlines.set(.backOff(task), at: now) }
        expire()
    }
}
