extension SchedulerMachine {
    /// Starts tasks while a slot, the rate and the conditions allow it.
    mutating func startWhatMay() {
        permitDeadline = nil
        guard !isSuspended, !conditions.contains(.offline) else { return }
        while slots.free > 0, let choice = choose() {
            if let permit = rate?.nextPermit(at: now), permit > now {
                permitDeadline = permit
                return
            }
            guard let entry = ready.remove(choice.handle) else { return }
            guard throttle?.admits(at: now, using: &random) ?? true else {
                refuse(entry.task, .throttled)
                continue
            }
            rate?.take(at: now)
            slots.take()
            fairness.started(oldestAged: choice.isOldestAged)
            self[entry.task] = .running
            counters.starts += 1
            decisions.append(.start(entry.task, waited: entry.readySince.duration(to: now)))
        }
    }

    /// Whether prefetches may start at all under the conditions.
    var conditionsAllowPrefetch: Bool {
        conditions.isDisjoint(with: [.weakLink, .lowPower, .background])
    }

    /// Who starts next, and whether that is the task that has waited longest and has aged.
    private func choose() -> (handle: ReadyQueue.Handle, isOldestAged: Bool)? {
        let includingPrefetch = conditionsAllowPrefetch && slots.admitsPrefetch
        guard let oldest = ready.oldest(includingPrefetch: includingPrefetch) else { return nil }
        if fairness.isTurn(of: oldest.arrival, at: now) { return (oldest.handle, true) }
        guard let first = ready.first(includingPrefetch: includingPrefetch) else { return nil }
        return (first, first == oldest.handle && fairness.isAged(oldest.arrival, at: now))
    }
}
