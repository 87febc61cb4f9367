extension SchedulerMachine {
    func lacksConnection(_ demand: SchedulerDemand) -> Bool { demand.needsConnection && conditions.contains(.offline) }

    /// Returns the kind of slot that a task waits for under the conditions; `nil` if they hold it back.
    func kind(of demand: SchedulerDemand) -> ReadyQueue.Kind? {
        guard !lacksConnection(demand) else { return nil }
        guard case .ahead(let sets, _) = demand.wanted else { return .wanted }
        let kinds = sets.lazy.filter { [conditions] wanted in
            conditions.intersection(.loadLess).isSubset(of: wanted)
                && (conditions.contains(.charging) || !wanted.contains(.charging))
        }.map { $0.contains(.idle) ? ReadyQueue.Kind.idlePrefetch : .prefetch }
        return kinds.min()
    }

    /// Without a connection, tasks that need one are held back. Conditions that reduce loading halve the slots and hold
    /// back prefetches. Those whose failure is reported are refused.
    mutating func conditionsChanged(_ conditions: PaginatorConditions) {
        if self.conditions.subtracting(conditions).contains(.offline) {
            // A connection fails before the system reports it: the failures may say nothing about the source.
            throttle = throttle.map { _ in AdaptiveThrottle() }
        }
        heard = conditions
        for (task, state) in sortedTasks { reprioritize(task, state.demand) }
    }
}
