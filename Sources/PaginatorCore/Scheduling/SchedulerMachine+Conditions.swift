extension SchedulerMachine {
    var refusesOffline: Bool { conditions.contains(.offline) && !config.waitsForConnectivity }

    var conditionsAllowPrefetch: Bool {
        conditions.isDisjoint(with: [.weakLink, .lowPower, .background])
    }

    /// With a connection again, tasks whose attempt failed for want of it are due at once. What speaks for loading less
    /// halves the slots and holds prefetches; one whose end somebody is told is refused.
    mutating func conditionsChanged(_ conditions: PaginatorConditions) {
        let wasOffline = self.conditions.contains(.offline)
        self.conditions = conditions
        hasHeardConditions = true
        refuseAwaited()
        if wasOffline, !conditions.contains(.offline) { releaseStranded() }
    }

    /// Without a connection first demanded work in its order, then what is held, and neighbors that are told how they end.
    private mutating func refuseAwaited() {
        guard refusesOffline || !conditionsAllowPrefetch else { return }
        if refusesOffline {
            while let entry = ready.take(includingPrefetch: false) { refuse(entry.task, .offline) }
        }
        for (task, state) in sortedTasks {
            switch state {
            case .ready(_, let demand), .held(let demand):
                if let reason = refusal(of: demand) { refuse(task, reason) }
            case .backingOff, .running:
                continue
            }
        }
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
