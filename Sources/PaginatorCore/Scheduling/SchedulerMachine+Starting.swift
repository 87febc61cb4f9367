extension SchedulerMachine {
    /// How many attempts may run at once under the conditions; a lower limit stops none that runs.
    var slots: Int {
        let limit = max(1, config.maxParallelCalls)
        return conditions.isDisjoint(with: .loadLess) ? limit : max(1, limit / 2)
    }

    mutating func startWhatMay() {
        // What starts now may have been cancelled, or overtaken by another, since the rate made it wait.
        if rate != nil { deadlines.remove(.permit) }
        while let choice = choose() {
            if let permit = rate?.nextPermit(at: now), permit > now {
                deadlines.set(.permit, at: permit)
                return
            }
            guard let entry = ready.remove(choice.handle), let demand = self[entry.task]?.demand else { return }
            // It has left the queue either way: one that is held back there would be drawn again at once.
            guard throttle?.admits(at: now, using: &random) ?? true else {
                refuse(entry.task, .throttled)
                continue
            }
            // Not before: what is held back takes nothing from the rate.
            rate?.take(at: now)
            running += 1
            fairness.started(oldestAged: choice.isOldestAged)
            self[entry.task] = .running(demand)
            outbox.ordered.append(.start(entry.task, waited: entry.readySince.duration(to: now)))
        }
    }

    /// Who starts next, and whether that is the task that has waited longest and has aged; `nil` where nobody may.
    func choose() -> (handle: ReadyQueue.Handle, isOldestAged: Bool)? {
        guard !isSuspended, !conditions.contains(.offline) else { return nil }
        // More may run than there are slots: what ran when the conditions changed goes on.
        guard running < slots else { return nil }
        // A prefetch never takes the last free slot, unless there is only one at all.
        let last: ReadyQueue.Kind =
            slots > 1 && running + 1 == slots ? .demanded : demanded > 0 ? .prefetch : .idlePrefetch
        guard let oldest = ready.oldest(upTo: last) else { return nil }
        if fairness.isDue(oldest.arrival, at: now) { return (oldest.handle, true) }
        guard let first = ready.first(upTo: last) else { return nil }
        return (first, first == oldest.handle && fairness.isAged(oldest.arrival, at: now))
    }
}
