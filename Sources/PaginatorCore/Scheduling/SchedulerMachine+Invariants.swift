extension SchedulerMachine {
    /// Says what does not hold that must always hold between two events; for tests. Complexity: O(everything).
    package func invariantViolations() -> [String] {
        var violations: [String] = []
        func require(_ condition: Bool, _ text: @autoclosure () -> String) {
            if !condition { violations.append(text()) }
        }
        var (running, waiting) = (0, 0)
        for (client, tasks) in clients {
            for (id, state) in tasks {
                switch state {
                case .running: running += 1
                case .ready, .held: break
                case .backingOff:
                    waiting += 1
                    let task = SchedulerTask(client: client, id: id)
                    require(deadlines.deadline(of: .backOff(task)) != nil, "task \(id) backs off without a deadline")
                }
            }
        }
        require(running == slots.running, "\(slots.running) slots are taken by \(running) tasks")
        require(waiting == backingOff, "\(backingOff) tasks are counted as backing off, and \(waiting) do")
        return violations
    }
}

extension PaginatorScheduler {
    /// Says what does not hold that must always hold; for tests.
    package func invariantViolations() -> [String] { state.withLock { $0.machine.invariantViolations() } }
}
