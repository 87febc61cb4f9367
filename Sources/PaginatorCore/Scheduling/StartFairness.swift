/// Keeps one start in eight for the task that has waited longest, once it has waited longer than a bound.
///
/// Urgent work loses at most an eighth of the starts, and no task waits for ever: the one that has waited longest starts
/// within eight starts of its ageing.
struct StartFairness: Sendable {
    /// Of so many starts in a row, one goes to the oldest aged task.
    static let period = 8

    private let bound: Duration
    private var others = StartFairness.period - 1

    /// Ages tasks that have waited longer than `bound`; a negative bound counts as zero.
    init(bound: Duration) {
        self.bound = max(.zero, bound)
    }

    /// Whether a task that arrived at `arrival` has aged.
    func isAged(_ arrival: PaginatorInstant, at now: PaginatorInstant) -> Bool {
        arrival.duration(to: now) > bound
    }

    /// Whether the next start goes to the oldest task that arrived at `arrival`, whatever its priority.
    func isDue(_ arrival: PaginatorInstant, at now: PaginatorInstant) -> Bool {
        others >= Self.period - 1 && isAged(arrival, at: now)
    }

    /// Notes a start, and whether it went to the oldest task while that one was aged.
    mutating func started(oldestAged: Bool) {
        others = oldestAged ? 0 : min(others + 1, Self.period - 1)
    }
}
