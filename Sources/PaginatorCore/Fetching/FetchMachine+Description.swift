extension FetchMachine {
    /// The state for people, with pages named as in events; durations reach to `time`, by default the last event's.
    func describe(at time: PaginatorInstant? = nil) -> [String] {
        let now = max(now, time ?? now)
        let mode = isReleased ? "shut down" : isSuspended ? "suspended" : "running"
        var lines = ["paginator: \(mode), \(waiters.count) waiting"]
        for load in loads.values.sorted(by: { $0.id < $1.id }) {
            let epoch = load.isCurrent ? "" : ", not to be cached"
            lines.append(
                "loading \(load.identity.inDump): \(load.owners.total) waiting, priority \(load.owners.demand.priority), "
                    + "\(text(of: load.cache, load.candidate, at: now)), \(text(of: load, at: now))\(epoch)")
        }
        for around in arounds.values.sorted(by: { $0.ticket.id < $1.ticket.id }) {
            lines.append("around \(around.request.page.identity.inDump): \(around.waiters.count) pages to come")
        }
        for prefetch in prefetches.values.sorted(by: { $0.ticket.id < $1.ticket.id }) {
            lines.append("prefetching: \(prefetch.waiters.count) pages to come")
        }
        for key in debouncing.keys.map(\.text).sorted() { lines.append("debouncing \(key.debugDescription)") }
        for (identity, error) in errors.all { lines.append("last error of \(identity.inDump): \(error)") }
        return lines
    }

    private func text(of cache: CacheStage, _ candidate: LoadedPage?, at now: PaginatorInstant) -> String {
        switch cache {
        case .unneeded: "caches not asked"
        case .looking: "looking into memory"
        case .reading(let since): "reading the store for \(since.duration(to: now).inDump)"
        case .done: candidate.map { "has a page from the \($0.origin)" } ?? "in no cache"
        }
    }

    private func text(of load: Load, at now: PaginatorInstant) -> String {
        switch load.source {
        case .unneeded: return "source not asked"
        case .held: return "waits for the end of the suspension"
        case .queued(let queued):
            if let pause = queued.pause {
                return "source wants to be left alone for \(now.duration(to: pause.end).inDump)"
            }
            return queued.retry == nil ? "waits for a slot" : "waits for attempt \(load.attempts + 1)"
        case .attempting(_, let since): return "attempt \(load.attempts) for \(since.duration(to: now).inDump)"
        case .judging(_, _, let since): return "validating for \(since.duration(to: now).inDump)"
        case .deciding: return "asks the error strategy after attempt \(load.attempts)"
        case .failed: return "failed, and waits for the store"
        }
    }
}

extension PageIdentity {
    // As events name it, and logs without user data.
    fileprivate var inDump: String { "page=\(self) (\(nameWithoutKey))" }
}

extension Duration {
    fileprivate var inDump: String { "\(Duration.milliseconds(max(0, wholeNanoseconds) / 1_000_000))" }
}

extension PaginatorScheduler.Statistics {
    fileprivate var inDump: String {
        let waiting = FetchPriority.allCases.reversed().map { "\($0) \(self.waiting[$0] ?? 0)" }
        let names: [(PaginatorConditions, String)] = [
            (.offline, "offline"), (.weakLink, "weak link"), (.lowPower, "low power"), (.background, "background"),
        ]
        let present = names.filter { conditions.contains($0.0) }.map(\.1)
        var parts = [
            "\(running) running", "waiting: \(waiting.joined(separator: ", "))", "\(backingOff) before a retry",
            "\(held) held back", "conditions: \(present.isEmpty ? "good" : present.joined(separator: ", "))",
        ]
        if isSuspended { parts.append("suspended") }
        if throttleProbability > 0 { parts.append("refuses \(Int(throttleProbability * 100)) % of attempts") }
        if retryBudget < 1 { parts.append("no retry left in the budget") }
        return parts.joined(separator: "; ")
    }
}

extension PageUsage {
    fileprivate var inDump: String { "\(pages) pages, \(items) items, \(bytes) bytes" }
}

extension FetchEngine {
    func dump() -> String {
        let now = clock.now
        var lines = driver.withMachine { $0.describe(at: now) }
        lines.insert("memory: \(memory.usage.inDump); pinned by lists: \(memory.pinnedUsage.inDump)", at: 1)
        lines.insert("source: \(calls.withLock { $0.count }) calls running", at: 2)
        lines.insert("scheduler: \(scheduler.statistics.inDump)", at: 3)
        lines.append(counters.description)
        return lines.joined(separator: "\n")
    }
}
