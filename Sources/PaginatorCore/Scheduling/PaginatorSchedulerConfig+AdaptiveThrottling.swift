extension PaginatorSchedulerConfig {
    /// How requests are held back, at random, from a source that accepts too few of them.
    ///
    /// Client-side throttling after Google's "Site Reliability Engineering", chapter 21, "Handling Overload". A request is
    /// held back with the probability (requests - ``multiplier`` * accepts - ``floor``) / (requests + 1), counted over the
    /// last ``window``, requests held back included. Answers that are no sign of overload, such as "not found", count as
    /// accepted, and ten accepted requests in a row end the throttling.
    public struct AdaptiveThrottling: Sendable, Hashable {
        /// How many requests are let through for each accepted one, 2 by default; values below 1 count as 1.
        public var multiplier = 2.0

        /// How many failures never hold anything back, 10 by default; negative values count as zero.
        public var floor = 10

        /// How far back requests are counted, 2 minutes by default.
        public var window: Duration = .minutes(2)

        /// Makes a throttling with every default.
        public init() {}
    }
}
