extension SchedulerMachine {
    var refusesOffline: Bool { conditions.contains(.offline) && !config.waitsForConnectivity }

    /// Whether the conditions are such that a task may start, but for a connection.
    func allows(_ demand: SchedulerDemand) -> Bool {
        guard demand.isPrefetch else { return true }
        let present = demanded == 0 ? conditions.union(.idle) : conditions.subtracting(.idle)
        return demand.ahead.contains { wanted in
            present.intersection(.loadLess).isSubset(of: wanted)
                && wanted.intersection([.idle, .charging]).isSubset(of: present)
        }
    }

    /// With a connection again, tasks whose attempt failed for want of it are due at once. What speaks for loading less
    /// halves the slots and holds prefetches; one whose end somebody is told is refused.
    mutating func conditionsChanged(_ conditions: PaginatorConditions) {
        let wasOffline = self.conditions.contains(.offline)
        self.conditions = conditions
        hasHeardConditions = true
        if refusesOffline {
            // Demanded work in its order.
            while let entry = ready.take(includingPrefetch: false) { refuse(entry.task, .offline) }
        }
        sortByConditions()
        if wasOffline, !conditions.contains(.offline) { releaseStranded() }
    }

    /// Moves tasks between those that are ready and those that are held, or refuses them, as the conditions are now.
    private mutating func sortByConditions() {
        for (task, state) in sortedTasks {
            switch state {
            case .ready(let handle, let demand) where !allows(demand) || refusal(of: demand) != nil:
                ready.remove(handle)
                enqueue(task, demand)
            case .held(let demand):
                if let reason = refusal(of: demand) {
                    refuse(task, reason)
                } else if clients[task.client]?.pauseEnd == nil, allows(demand) {
                    enqueue(task, demand)
                }
            case .ready, .backingOff, .running:
                continue
            }
        }
    }

    /// Holds what runs only while nobody waits for a page, or lets it go on; says whether that has changed.
    @discardableResult
    mutating func followIdleness() -> Bool {
        guard (demanded == 0) != wasIdle else { return false }
        wasIdle = demanded == 0
        // It looks at all that wait: only where that changes something.
        if dependingOnIdleness > 0 { sortByConditions() }
        return true
    }

    private mutating func releaseStranded() {
        var stranded: [(task: SchedulerTask, order: UInt64)] = []
        for (task, state) in sortedTasks {
            guard case .backingOff(let demand, let order?) = state else { continue }
            self[task] = .backingOff(demand, stranded: nil)
            stranded.append((task, order))
        }
        for (task, _) in stranded.sorted(by: { $0.order < $1.order }) { deadlines.set(.backOff(task), at: now) }
        expire()
    }
}
