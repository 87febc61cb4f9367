extension FetchMachine {
    func describe() -> [String] {
        var lines = ["released: \(isReleased), suspended: \(isSuspended), waiters: \(waiters.count)"]
        for load in loads.values.sorted(by: { $0.id < $1.id }) {
            lines.append(
                "load \(load.identity): current \(load.isCurrent), waiters \(load.owners.total), cache \(name(of: load.cache)), "
                    + "source \(name(of: load.source)), attempts \(load.attempts), priority \(load.owners.demand.priority)"
            )
        }
        for around in arounds.values.sorted(by: { $0.ticket.id < $1.ticket.id }) {
            lines.append("around \(around.request.page.identity): waiting for \(around.waiters.count) pages")
        }
        for prefetch in prefetches.values.sorted(by: { $0.ticket.id < $1.ticket.id }) {
            lines.append("prefetch: waiting for \(prefetch.waiters.count) pages, \(prefetch.summary)")
        }
        for key in debouncing.keys.map(\.text).sorted() { lines.append("debouncing \(key)") }
        for (identity, error) in errors.all { lines.append("error \(identity): \(error)") }
        return lines
    }
}

private func name<State>(of state: State) -> String {
    Mirror(reflecting: state).children.first?.label ?? "\(state)"
}

extension FetchEngine {
    func dump() -> String {
        var lines = ["memory: \(memory.usage), pinned: \(memory.pinnedUsage)"]
        lines.append("source calls: \(calls.withLock { $0.count })")
        lines.append("scheduler: \(scheduler.statistics)")
        lines.append(contentsOf: driver.withMachine { $0.describe() })
        lines.append(counters.description)
        return lines.joined(separator: "\n")
    }
}
