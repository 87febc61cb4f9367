extension FetchMachine {
    /// Whether nothing is loading and nobody waits.
    package var isIdle: Bool { loads.isEmpty && waiters.isEmpty && tasks.isEmpty && arounds.isEmpty && lanes.isEmpty }

    /// The pages that are being loaded, of whatever epoch.
    package var loadedIdentities: Set<PageIdentity> { Set(loads.values.map(\.identity)) }

    /// The tickets that have no answer yet.
    package var waitingTickets: Set<UInt64> { Set(waiters.keys).union(arounds.keys) }

    /// Says what does not hold that must always hold between two events; for tests. Complexity: O(everything).
    package func invariantViolations() -> [String] {
        var violations: [String] = []
        func require(_ condition: Bool, _ text: @autoclosure () -> String) {
            if !condition { violations.append(text()) }
        }
        for (id, load) in loads {
            let live = load.waiters.filter { waiters[$0]?.load == id }
            require(!live.isEmpty, "a load of \(load.identity) without an owner")
            require(live.count == load.owners.total, "a load counts \(load.owners.total) owners and has \(live.count)")
            require(load.isCurrent == (index[load.identity] == id), "the index disagrees about \(load.identity)")
            switch load.sourceStage {
            case .queued(let task):
                require(tasks[task] == id, "a task of \(load.identity) is lost")
            case .calling(let task), .judging(let task):
                require(tasks[task] == id, "a task of \(load.identity) is lost")
                let hasDeadline = deadlines.deadline(of: .attempt(task)) != nil
                require(hasDeadline, "an attempt for \(load.identity) has no deadline")
            case .held:
                require(held.contains(id), "a held load of \(load.identity) is lost")
            case .unneeded:
                require(load.cacheStage != .done, "a load of \(load.identity) waits for nothing")
            case .deciding, .failed:
                break
            }
        }
        for (identity, load) in index {
            require(loads[load] != nil, "the index keeps a load of \(identity) that ended")
        }
        for (task, load) in tasks { require(loads[load] != nil, "task \(task) has no load") }
        for (id, waiter) in waiters {
            let hasDeadline =
                deadlines.deadline(of: .waiter(id)) != nil || parked.deadline(of: id) != nil
                || waiter.pendingError != nil
            require(hasDeadline, "a waiter for \(waiter.identity) has no deadline")
            let isPlaced = waiter.load.map { loads[$0] != nil } ?? (waiter.lane.map { lanes[$0] == id } ?? false)
            require(isPlaced, "a waiter for \(waiter.identity) waits for nothing")
        }
        for (id, around) in arounds { require(!around.waiters.isEmpty, "fetch around a page \(id) waits for nothing") }
        return violations
    }
}
