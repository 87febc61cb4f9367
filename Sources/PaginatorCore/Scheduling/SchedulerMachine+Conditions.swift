extension SchedulerMachine {
    var refusesOffline: Bool { conditions.contains(.offline) && !config.waitsForConnectivity }

    /// As what a task waits for a slot under the conditions; `nil` where it waits for others, unless for a connection.
    func kind(of demand: SchedulerDemand) -> ReadyQueue.Kind? {
        guard demand.isPrefetch else { return .demanded }
        let kinds = demand.ahead.lazy.filter { [conditions] wanted in
            conditions.intersection(.loadLess).isSubset(of: wanted)
                && (conditions.contains(.charging) || !wanted.contains(.charging))
        }.map { $0.contains(.idle) ? ReadyQueue.Kind.idlePrefetch : .prefetch }
        return kinds.min()
    }

    /// With a connection again, tasks whose attempt failed for want of it are due at once. What speaks for loading less
    /// halves the slots and holds prefetches; one whose end somebody is told is refused.
    mutating func conditionsChanged(_ conditions: PaginatorConditions) {
        let wasOffline = self.conditions.contains(.offline)
        self.conditions = conditions
        hasHeardConditions = true
        if refusesOffline {
            // Demanded work in its order.
            while let entry = ready.take(upTo: .demanded) { refuse(entry.task, .offline) }
        }
        for (task, state) in sortedTasks { reprioritize(task, state.demand) }
        if wasOffline, !conditions.contains(.offline) { releaseStranded() }
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
