extension SchedulerMachine {
    /// The number of slots under the current conditions. A lower number does not stop running attempts.
    var slots: Int {
        let limit = max(1, config.maxParallelCalls)
        return conditions.isDisjoint(with: .loadLess) ? limit : max(1, limit / 2)
    }

    mutating func startWhatMay() {
        // The task for which the timer was set may have been cancelled or overtaken.
        if rate != nil { deadlines.remove(.permit) }
        while let choice = choose() {
            if let permit = rate?.nextPermit(at: now), permit > now {
                deadlines.set(.permit, at: permit)
                return
            }
            guard let entry = ready.remove(choice.handle), let demand = self[entry.task]?.demand else { return }
            // What needs no connection may have its page on the device; the retry budget limits its further attempts.
            if demand.needsConnection, throttle?.admits(at: now, using: &random) == false {
                // It left the queue in any case; otherwise it would be chosen again at once.
                refuse(entry.task, .throttled)
                continue
            }
            // Not earlier, because a rejected request does not count toward the rate.
            rate?.take(at: now)
            running += 1
            fairness.started(oldestAged: choice.isOldestAged)
            self[entry.task] = .running(demand)
            outbox.ordered.append(.start(entry.task, waited: entry.readySince.duration(to: now)))
        }
    }

    /// The task to start next, and whether it is the oldest aged one; `nil` if none may start.
    func choose() -> (handle: ReadyQueue.Handle, isOldestAged: Bool)? {
        guard !isSuspended else { return nil }
        // More may be running than there are slots, after the conditions changed.
        guard running < slots else { return nil }
        // A prefetch never takes the last free slot, unless there is only one slot.
        let last: ReadyQueue.Kind =
            slots > 1 && running + 1 == slots ? .wanted : wantedByCallers > 0 ? .prefetch : .idlePrefetch
        guard let oldest = ready.oldest(upTo: last) else { return nil }
        if fairness.isDue(oldest.arrival, at: now) { return (oldest.handle, true) }
        guard let first = ready.first(upTo: last) else { return nil }
        return (first, first == oldest.handle && fairness.isAged(oldest.arrival, at: now))
    }
}
