extension FetchMachine {
    var isIdle: Bool {
        loads.isEmpty && waiters.isEmpty && tasks.isEmpty && arounds.isEmpty && debouncing.isEmpty
            && prefetches.isEmpty
    }

    var waitingTickets: Set<UInt64> { Set(waiters.keys).union(arounds.keys) }

    func invariantViolations() -> [String] {
        var violations: [String] = []
        func require(_ condition: Bool, _ text: @autoclosure () -> String) {
            if !condition { violations.append(text()) }
        }
        for (id, load) in loads {
            let live = load.waiters.filter { waiters[$0]?.load == id }
            require(!live.isEmpty, "a load of \(load.identity) without an owner")
            require(live.count == load.wanted.total, "a load counts \(load.wanted.total) waiters and has \(live.count)")
            require(load.isCurrent == (index[load.identity] == id), "the index disagrees about \(load.identity)")
            if let task = load.source.task {
                require(tasks[task] == id, "a task of \(load.identity) is lost")
            }
            switch load.source {
            case .attempting(let task, _), .judging(let task, _, _):
                let hasDeadline = deadlines.deadline(of: .attempt(task)) != nil
                require(hasDeadline, "an attempt for \(load.identity) has no deadline")
                require(load.attempts > 0, "an attempt for \(load.identity) is not counted")
            case .unneeded:
                require(!load.cache.isDone, "a load of \(load.identity) waits for nothing")
            case .failed:
                require(isReadingCache(load), "a load of \(load.identity) that failed waits for nothing")
            case .suspended, .queued, .deciding:
                break
            }
            if let part = load.part {
                require(part.page.isPartial, "a load of \(load.identity) has all of its page, and goes on")
                let isOver = live.contains { id in
                    waiters[id].map { waiter in
                        part.source == .answer && waiter.policy.usesSource && waiter.notBefore == nil
                            && part.page.isEnough(for: waiter.part) && !part.page.isInvalidated
                    } ?? false
                }
                require(!isOver, "somebody waits for \(load.identity) who could have the part that has come")
            }
            let isReading = if case .reading = load.cache { true } else { false }
            let hasDeadline = deadlines.deadline(of: .storeRead(id)) != nil
            require(isReading == hasDeadline, "a read of \(load.identity) has no deadline, or one that outlives it")
        }
        for (identity, load) in index {
            require(loads[load] != nil, "the index keeps a load of \(identity) that ended")
        }
        for (task, load) in tasks { require(loads[load]?.source.task == task, "task \(task) has no load") }
        for (id, waiter) in waiters {
            let hasDeadline = deadlines.deadline(of: .waiter(id)) != nil || parked.deadline(of: id) != nil
            require(hasDeadline, "a waiter for \(waiter.identity) has no deadline")
            switch waiter.stage {
            case .waiting(let load), .deciding(let load, _):
                require(loads[load] != nil, "a waiter for \(waiter.identity) waits for a load that ended")
            case .debouncing(let key, _):
                let isKnown = debouncing[key] == id && deadlines.deadline(of: .debounce(id)) != nil
                require(isKnown, "a fetch of \(waiter.identity) debounces for ever")
            case .joining:
                require(false, "a waiter for \(waiter.identity) waits for nothing")
            }
        }
        let prefetching = waiters.values.count { $0.isOfPrefetch }
        require(
            prefetches.values.reduce(0) { $0 + $1.waiters.count } == prefetching,
            "\(prefetching) prefetches are not all known")
        for (id, prefetch) in prefetches { require(!prefetch.waiters.isEmpty, "prefetch \(id) waits for nothing") }
        for (key, id) in debouncing { require(waiters[id] != nil, "nobody debounces on \(key.text)") }
        for (id, around) in arounds { require(!around.waiters.isEmpty, "fetch around a page \(id) waits for nothing") }
        return violations
    }
}
