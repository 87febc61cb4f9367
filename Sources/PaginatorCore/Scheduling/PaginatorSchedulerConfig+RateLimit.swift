extension PaginatorSchedulerConfig {
    /// How many attempts may start in a time. Work that is cancelled before it starts takes nothing from it.
    public struct RateLimit: Sendable, Hashable {
        let permits: Int
        let duration: Duration
        let burst: Int

        /// Makes a limit.
        ///
        /// - Parameters:
        ///   - permits: how many attempts each `duration` allows; values below 1 count as 1.
        ///   - duration: the time that they are spread over evenly; zero or less sets no limit.
        ///   - burst: how many may start at once after a pause, 1 by default; values below 1 count as 1.
        public init(permits: Int, per duration: Duration, burst: Int = 1) {
            self.permits = permits
            self.duration = duration
            self.burst = burst
        }
    }
}
