/// How a scheduler starts, retries and holds back work. Every variable has a default, stated with it.
///
/// ```swift
/// var config = PaginatorSchedulerConfig()
/// config.maxParallelCalls = 2
/// config.rateLimit = .init(permits: 10, per: .seconds(1), burst: 5)
/// config.offlineBehavior = .wait
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

    /// How many further attempts a full retry budget allows, 10 by default; 0 allows none. It starts full.
    ///
    /// All paginators that share the scheduler share the budget.
    public var retryBudgetTokens = 10

    /// What one success brings back to the retry budget, in attempts, 0.1 by default, from 0 to 1.
    public var retryBudgetRefill = 0.1

    /// How many attempts of the retry budget do not fade, 2 by default; negative values count as zero.
    public var retryBudgetReserve = 2

    /// How long a full retry budget takes to fade to ``retryBudgetReserve``, 2 minutes by default; `nil` for never.
    ///
    /// Many clients that ask seldom would otherwise meet an outage with a full budget each, and together spend a
    /// multiple of their normal load. One that asks for about a page a second or more earns faster than it fades.
    public var retryBudgetFading: Duration? = .minutes(2)

    /// How requests are held back from a source that only fails; `nil` never holds any back.
    public var adaptiveThrottling: AdaptiveThrottling? = AdaptiveThrottling()

    /// How many attempts may start in a time; `nil`, the default, sets no such limit.
    public var rateLimit: RateLimit?

    /// What happens to loads that somebody waits for while there is no connection: ``OfflineBehavior/failFast`` by
    /// default. Prefetches wait in either case.
    public var offlineBehavior: OfflineBehavior = .failFast

    /// Makes a configuration with every default.
    public init() {}
}
