public import Dispatch

/// The configuration of a paginator. Each variable states its default; change what you need.
///
/// ```swift
/// var config = PaginatorConfig()
/// config.dispatchQueue = .main
/// config.inMemoryEvictionStrategy = .lru(maxPages: 200).and(.timeToLive(.days(15))).keepingAtLeast(items: 50)
/// ```
public struct PaginatorConfig: Sendable {
    /// The queue on which callbacks run, one at a time, even if it is concurrent. `nil`, the default, is a private
    /// serial queue of the paginator. Apps pass `.main`.
    public var dispatchQueue: DispatchQueue?

    /// The queue for work that leaves the caller's thread, and its quality of service: calls of the data source, and of
    /// validators that do not run on the thread of a call. `nil`, the default, uses threads of the library. Identity
    /// closures and edits run on the caller's thread or on the callback queue.
    ///
    /// Use a concurrent queue: on a serial queue, a call that blocks delays all others, although timeouts and answers
    /// from memory continue. If ``scheduler`` is set, calls of the source run on threads of that scheduler. A store has
    /// threads of its own.
    public var workQueue: DispatchQueue?

    /// The number of concurrent calls of the data source, 4 by default; values below 1 count as 1. It is the one of
    /// ``scheduling``, and has no effect if ``scheduler`` is set.
    public var maxParallelCalls: Int {
        get { scheduling.maxParallelCalls }
        set { scheduling.maxParallelCalls = newValue }
    }

    /// A scheduler that is shared with other paginators, with its slots and its retry budget. `nil`, the default, gives
    /// the paginator its own.
    public var scheduler: PaginatorScheduler?

    /// The configuration of the paginator's own scheduler; it has no effect if ``scheduler`` is set.
    public var scheduling = PaginatorSchedulerConfig()

    /// The strategy that limits the pages in memory: by default at most 200, chosen by the adaptive policy.
    public var inMemoryEvictionStrategy: EvictionStrategy = .adaptive(maxPages: 200)

    /// The strategy that limits the pages in the disk store; `nil`, the default, leaves it to the store's own limit.
    public var storeEvictionStrategy: EvictionStrategy?

    /// The policy of fetches that do not set one, ``FetchPolicy/cacheFirst`` by default.
    public var defaultPolicy: FetchPolicy = .cacheFirst

    /// The strategy that decides what happens after a failed attempt, ``ErrorStrategy/standard`` by default.
    public var errorStrategy: ErrorStrategy = .standard

    /// The rule that keys must meet in addition to the limits, ``KeyRule/any`` by default.
    public var keyRule: KeyRule = .any

    /// The largest page size, 1,000 by default.
    public var maxPageSize = 1_000

    /// The largest depth of a fetch around a page, 16 by default.
    public var maxDepthLevel = 16

    /// The longest key, scope or debounce key in UTF-8 bytes, 4,096 by default.
    public var maxKeyBytes = 4_096

    /// The timeout of one attempt, validation included, 30 seconds by default.
    public var attemptTimeout: Duration = .seconds(30)

    /// The maximum number of attempts of one load, 3 by default; values below 1 count as 1. Attempts that failed
    /// without a connection do not count.
    public var maxAttempts = 3

    /// The timeout of one fetch, 60 seconds by default; a request can set its own.
    public var fetchTimeout: Duration = .seconds(60)

    /// The timeout of a read or a flush of the store, 5 seconds by default. After it a fetch calls the source, as if
    /// the store did not have the page, and the timeout is reported. A flush, a shutdown, or a clear that waits for the
    /// store fails with ``PaginatorError/Code/storeFailed``, although its changes may still be written.
    public var storeTimeout: Duration = .seconds(5)

    /// The observer of the paginator's events; `nil`, the default, for none.
    public var observer: (any PaginatorObserver)?

    /// The state of the network and the device; `nil`, the default, assumes good conditions. A source that needs no
    /// connection is called without one. It has no effect if ``scheduler`` is set: a shared scheduler has its own.
    public var connectivity: (any PaginatorConnectivity)?

    /// The clock, the device's own by default. A shared ``scheduler`` needs the same one: times of both are compared.
    public var clock: any PaginatorClock = SystemPaginatorClock()

    /// The seed of all random choices; `nil`, the default, takes one from the system.
    public var randomSeed: UInt64?

    /// The executor of work that leaves the caller's thread, instead of the library's threads; set by the simulation.
    package var executor: (any WorkExecutor)?

    /// The executor of callbacks, instead of ``dispatchQueue``; set by the simulation.
    package var callbackExecutor: (any WorkExecutor)?

    /// The executor of callbacks for the main actor, instead of the main queue. It must run on the main thread.
    package var mainExecutor: (any WorkExecutor)?

    /// Creates a configuration with default values.
    public init() {}
}

/// The configuration of a paginator by default.
public typealias DefaultPaginatorConfig = PaginatorConfig
