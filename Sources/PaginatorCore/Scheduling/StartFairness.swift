/// Keeps one start in eight for the task that has waited longest, once it has waited longer than a bound.
///
/// Urgent work loses at most an eighth of the starts, and no task waits for ever: the one that has waited longest starts
/// within eight starts of its ageing.
struct StartFairness: Sendable {
    static let period = 8

    private let bound: Duration
    // As if others had started, so the first task that ages does not wait for seven of them.
    private var others = StartFairness.period - 1

    init(bound: Duration) {
        self.bound = max(.zero, bound)
    }

    func isAged(_ arrival: PaginatorInstant, at now: PaginatorInstant) -> Bool {
        arrival.duration(to: now) > bound
    }

    /// Whether the next start goes to the oldest task, whatever its priority.
    func isDue(_ arrival: PaginatorInstant, at now: PaginatorInstant) -> Bool {
        others >= Self.period - 1 && isAged(arrival, at: now)
    }

    mutating func started(oldestAged: Bool) {
        // Bounded, so that a long time without aged tasks earns these no more than their next start.
        others = oldestAged ? 0 : min(others + 1, Self.period - 1)
    }
}
