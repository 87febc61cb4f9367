/// Reserves one start in eight for the task that has waited longest, once it has aged.
///
/// Urgent tasks lose at most an eighth of the starts, and no task waits forever: the oldest starts within eight starts
/// after it has aged.
struct StartFairness: Sendable {
    static let period = 8

    private let bound: Duration
    // As if others had started, so that the first task that ages need not wait for seven starts.
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
        // Bounded, so that aged tasks gain no more than the next start after a long time without any.
        others = oldestAged ? 0 : min(others + 1, Self.period - 1)
    }
}
