/// How a scheduler starts, retries and holds back work. Every variable has a default, stated with it.
///
/// ```swift
/// var config = PaginatorSchedulerConfig()
/// config.maxParallelCalls = 2
/// config.rateLimit = .init(permits: 10, per: .seconds(1), burst: 5)
/// config.waitsForConnectivity = true
/// ```
public struct PaginatorSchedulerConfig: Sendable, Hashable {
    /// How many attempts run at once, 4 by default; values below 1 count as 1.
    ///
    /// A prefetch never takes the last free one when there is more than one.
    public var maxParallelCalls = 4

    /// How long a task waits before it has aged, 2 seconds by default; negative values count as zero.
    ///
    /// While tasks have aged, at least one start in eight goes to the one that has waited longest, whatever its priority.
    public var agingBound: Duration = .seconds(2)

    /// The longest wait before the second attempt, 500 milliseconds by default; it doubles with each further failure.
    ///
    /// The wait itself is drawn evenly between zero and that time ("full jitter" in Marc Brooker, "Exponential Backoff
    /// And Jitter", AWS Architecture Blog, 2015). Negative values count as zero.
    public var backoffBase: Duration = .milliseconds(500)

    /// What the longest wait never exceeds, 30 seconds by default; a delay that the source itself states may.
    public var backoffCap: Duration = .seconds(30)

    /// For how long a source can ask to be left alone at most, 1 hour by default; zero or less lets none ask.
    ///
    /// See ``SourceRequest/pauseSource(for:because:)``.
    public var sourcePauseCap: Duration = .seconds(3_600)

    /// How many further attempts a full retry budget allows, 10 by default; 0 allows none. It starts full, and each success
    /// brings a tenth of an attempt back.
    ///
    /// A budget that is not earned again fades within two minutes, until two attempts are left: many clients that ask seldom
    /// would otherwise meet an outage with a full budget each, and together spend a multiple of their normal load. All
    /// paginators that share the scheduler share the budget.
    public var retryBudgetTokens = 10

    // For simulations.
    package var retryBudgetFading: Duration? = .minutes(2)

    /// Whether requests are held back, at random, from a source that accepts too few of them; true by default.
    ///
    /// Client-side throttling after Google's "Site Reliability Engineering", chapter 21, "Handling Overload". A request is
    /// held back with the probability (requests - 2 * accepts - 10) / (requests + 1), counted over the last two minutes,
    /// requests held back included. Answers that are no sign of overload, such as "not found", count as accepted, and ten
    /// accepted requests in a row end the throttling.
    public var throttlesFailingSource = true

    /// How many attempts may start in a time; `nil`, the default, sets no such limit.
    public var rateLimit: RateLimit?

    /// Whether loads that somebody waits for wait for the connection while there is none, each as long as its own deadline
    /// allows; false by default.
    ///
    /// Otherwise they fail at once with the error ``PaginatorError/Code/offline``, or show a cached page where the error
    /// strategy says so. Prefetches wait in either case.
    public var waitsForConnectivity = false

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

    /// Makes a configuration with every default.
    public init() {}
}
