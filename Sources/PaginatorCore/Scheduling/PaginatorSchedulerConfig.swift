/// The configuration of a scheduler. Each variable documents its default.
///
/// ```swift
/// var config = PaginatorSchedulerConfig()
/// config.maxParallelCalls = 2
/// config.rateLimit = .init(permits: 10, per: .seconds(1), burst: 5)
/// config.waitsForConnectivity = true
/// ```
public struct PaginatorSchedulerConfig: Sendable, Hashable {
    /// The number of attempts that run at once; 4 by default, at least 1.
    ///
    /// If it is more than one, a prefetch never takes the last free slot.
    public var maxParallelCalls = 4

    /// The time after which a waiting load has aged; 2 seconds by default. Negative values count as zero.
    ///
    /// While loads have aged, at least one start in eight goes to the one that has waited longest, whatever its
    /// priority.
    public var agingBound: Duration = .seconds(2)

    /// The longest delay before the second attempt; 500 milliseconds by default. It doubles with each further failure.
    ///
    /// The delay is drawn uniformly between zero and this time ("full jitter" in Marc Brooker, "Exponential Backoff And
    /// Jitter", AWS Architecture Blog, 2015). Negative values count as zero.
    public var backoffBase: Duration = .milliseconds(500)

    /// The upper bound of the doubled delay; 30 seconds by default. A delay that the source states may exceed it.
    public var backoffCap: Duration = .seconds(30)

    /// The longest pause that a source can ask for; 1 hour by default. With zero or less, none can.
    ///
    /// See ``SourceRequest/pauseSource(for:because:)``.
    public var sourcePauseCap: Duration = .seconds(3_600)

    /// The number of further attempts that a full retry budget allows; 10 by default, 0 for none. It starts full, and
    /// each success restores a tenth of an attempt.
    ///
    /// A budget that is not restored fades to two attempts within two minutes. Otherwise many clients with few requests
    /// would each meet an outage with a full budget, and together send a multiple of their normal load. Paginators that
    /// share the scheduler share the budget.
    public var retryBudgetTokens = 10

    // For simulations.
    package var retryBudgetFading: Duration? = .minutes(2)

    /// Whether requests are rejected at random while a source accepts too few of them; true by default.
    ///
    /// Client-side throttling after Google's "Site Reliability Engineering", chapter 21, "Handling Overload": a request
    /// is rejected with probability (requests - 2 * accepts - 10) / (requests + 1), counted over the last two minutes,
    /// rejected requests included. Answers that are no sign of overload, such as "not found", count as accepted. Ten
    /// accepted requests in a row end the throttling, and so does a connection that comes back. Requests of a source
    /// that needs no connection are never rejected.
    public var throttlesFailingSource = true

    /// The rate at which attempts may start; `nil`, the default, is no limit.
    public var rateLimit: RateLimit?

    /// Whether loads with waiters wait for a connection, each as long as its deadline allows; false by default.
    ///
    /// Otherwise they fail at once with the error ``PaginatorError/Code/offline``, or are answered with a cached page
    /// if the error strategy says so. Prefetches wait in either case. A source that needs no connection is called.
    public var waitsForConnectivity = false

    /// A rate at which attempts may start. Work cancelled before it starts does not count.
    public struct RateLimit: Sendable, Hashable {
        let permits: Int
        let duration: Duration
        let burst: Int

        /// Creates a limit.
        ///
        /// - Parameters:
        ///   - permits: the number of attempts per `duration`; at least 1.
        ///   - duration: the time over which they are spread evenly; zero or less is no limit.
        ///   - burst: the number of attempts that may start at once after a pause; 1 by default, at least 1.
        public init(permits: Int, per duration: Duration, burst: Int = 1) {
            self.permits = permits
            self.duration = duration
            self.burst = burst
        }
    }

    /// Creates a configuration with the default values.
    public init() {}
}
