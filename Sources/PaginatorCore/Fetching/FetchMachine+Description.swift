extension FetchMachine {
    /// The state in lines: a line for each load, each waiter without a load, and each remembered error.
    func describe() -> [String] {
        var lines = ["released: \(isReleased), suspended: \(isSuspended), waiters: \(waiters.count)"]
        for load in loads.values.sorted(by: { $0.id < $1.id }) {
            lines.append(
                "load \(load.identity): current \(load.isCurrent), waiters \(load.owners.total), cache \(load.cache.name), "
                    + "source \(load.source.name), attempts \(load.attempts), priority \(load.owners.urgency.priority)")
        }
        for around in arounds.values.sorted(by: { $0.ticket.id < $1.ticket.id }) {
            lines.append("around \(around.request.page.identity): waiting for \(around.waiters.keys.sorted())")
        }
        for key in debouncing.keys.map(\.text).sorted() { lines.append("debouncing \(key)") }
        for (identity, error) in errors.all { lines.append("error \(identity): \(error)") }
        return lines
    }
}

extension FetchMachine.CacheStage {
    fileprivate var name: String {
        switch self {
        case .unneeded: "unneeded"
        case .looking: "looking"
        case .reading: "reading"
        case .done: "done"
        }
    }
}

extension FetchMachine.SourceStage {
    fileprivate var name: String {
        switch self {
        case .unneeded: "unneeded"
        case .held: "held"
        case .queued(let queued): queued.retry == nil ? "queued" : "backing off"
        case .attempting: "attempting"
        case .judging: "judging"
        case .deciding: "deciding"
        case .failed: "failed"
        }
    }
}

extension FetchEngine {
    package func dump() -> String {
        var lines = ["memory: \(memory.usage), pinned: \(memory.pinnedUsage)"]
        lines.append("source calls: \(calls.count)")
        lines.append("scheduler: \(scheduler.statistics)")
        lines.append(contentsOf: inspect { $0.describe() })
        lines.append(counters.description)
        return lines.joined(separator: "\n")
    }
}
