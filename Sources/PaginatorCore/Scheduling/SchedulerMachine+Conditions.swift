extension SchedulerMachine {
    var refusesOffline: Bool { conditions.contains(.offline) && !config.waitsForConnectivity }

    /// Returns the kind of slot that a task waits for under the conditions; `nil` if other conditions hold it back.
    func kind(of demand: SchedulerDemand) -> ReadyQueue.Kind? {
        guard demand.isPrefetch else { return .demanded }
        let kinds = demand.ahead.lazy.filter { [conditions] wanted in
            conditions.intersection(.loadLess).isSubset(of: wanted)
                && (conditions.contains(.charging) || !wanted.contains(.charging))
        }.map { $0.contains(.idle) ? ReadyQueue.Kind.idlePrefetch : .prefetch }
        return kinds.min()
    }

    /// When the connection returns, tasks that failed without it are due at once. Conditions that reduce loading halve
    /// the slots and hold back prefetches; those whose failure is reported are refused.
    mutating func conditionsChanged(_ conditions: PaginatorConditions) {
        let wasOffline = self.conditions.contains(.offline)
        self.conditions = conditions
        hasHeardConditions = true
        if refusesOffline {
            // Demanded tasks, in order.
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
