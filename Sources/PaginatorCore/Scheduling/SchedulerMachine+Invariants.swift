extension SchedulerMachine {
    func invariantViolations() -> [String] {
        var violations: [String] = []
        func require(_ condition: Bool, _ text: @autoclosure () -> String) {
            if !condition { violations.append(text()) }
        }
        var (runs, isReady, backsOff) = (0, 0, 0)
        for (task, state) in sortedTasks {
            let isPaused = pauseEnd(of: task.client) != nil
            switch state {
            case .running: runs += 1
            case .ready(let handle, let demand):
                isReady += 1
                require(ready[handle]?.task == task, "\(task) is ready, and not in the queue")
                require(!isPaused, "\(task) is ready in a pause")
                require(refusal(of: demand) == nil, "\(task) is ready, and is to be refused")
                require(kind(of: demand) != nil, "\(task) is ready under conditions that hold it")
            case .held(let demand):
                require(isPaused || kind(of: demand) == nil, "\(task) is held for no reason")
                require(refusal(of: demand) == nil, "\(task) is held, and is to be refused")
            case .backingOff:
                backsOff += 1
                require(deadlines.deadline(of: .backOff(task)) != nil, "\(task) backs off without a deadline")
            }
        }
        let waiting = sortedTasks.map(\.state.demand)
        require(wantedByCallers == waiting.count { !$0.isAhead }, "\(wantedByCallers) tasks are said to be wanted")
        require(runs == running, "\(running) slots are taken by \(runs) tasks")
        require(runs <= max(1, config.maxParallelCalls), "\(runs) tasks run, which are too many")
        require(isReady == ready.count, "\(ready.count) tasks are queued, and \(isReady) ready")
        let others = deadlines.keys.filter { if case .backOff = $0 { false } else { true } }.count
        require(deadlines.count - others == backsOff, "a deadline is left of a task that does not back off")
        require(choose() == nil || deadlines.deadline(of: .permit) != nil, "a task could start, and does not")
        return violations + ready.invariantViolations() + deadlines.invariantViolations()
    }
}

extension PaginatorScheduler {
    package func invariantViolations() -> [String] { driver.withMachine { $0.invariantViolations() } }
}
