public import Dispatch

/// How a paginator works. Every variable has a default, stated with it; change what you need.
///
/// ```swift
/// var config = DefaultPaginatorConfig()
/// config.dispatchQueue = .main
/// config.inMemoryEvictionStrategy = .lru(maxPages: 200).and(.timeToLive(.days(15))).keepingAtLeast(items: 50)
/// ```
public struct PaginatorConfig: Sendable {
    /// The queue on which callbacks run, one at a time, even if it is concurrent; `nil`, the default, is a private
    /// serial queue of the paginator. Apps pass `.main`.
    public var dispatchQueue: DispatchQueue?

    /// The queue that work off the caller's thread runs on, with its quality of service: calls of the data source,
    /// and of validators that do not run on the thread of a call; `nil`, the default, for threads of the library's own.
    /// Identities and edits run on the thread of whoever calls, or on the queue of callbacks.
    ///
    /// It is to be concurrent: on a serial queue a call that blocks holds up all others, while time limits and answers
    /// from memory go on. Calls of the source follow the ``scheduler`` where that is set, and a store has threads of its
    /// own.
    public var workQueue: DispatchQueue?

    /// How many calls of the data source run at once, 4 by default; values below 1 count as 1. It is the one of
    /// ``scheduling``, and without effect when ``scheduler`` is set.
    public var maxParallelCalls: Int {
        get { scheduling.maxParallelCalls }
        set { scheduling.maxParallelCalls = newValue }
    }

    /// A scheduler shared with other paginators, with its slots and its retry budget; `nil`, the default, gives the
    /// paginator one of its own.
    public var scheduler: PaginatorScheduler?

    /// How the paginator's own scheduler works; without effect when ``scheduler`` is set.
    public var scheduling = PaginatorSchedulerConfig()

    /// Which pages stay in memory: by default at most 200, chosen by the adaptive policy.
    public var inMemoryEvictionStrategy: EvictionStrategy = .adaptive(maxPages: 200)

    /// Which pages stay in the disk store; `nil`, the default, leaves it to the store's own limit.
    public var storeEvictionStrategy: EvictionStrategy?

    /// Where fetches that do not say otherwise take their page from: ``FetchPolicy/cacheFirst`` by default.
    public var defaultPolicy: FetchPolicy = .cacheFirst

    /// What happens after a failed attempt: ``ErrorStrategy/standard`` by default.
    public var errorStrategy: ErrorStrategy = .standard

    /// Which keys are accepted beyond the limits: ``KeyRule/any`` by default.
    public var keyRule: KeyRule = .any

    /// The largest page size, 1,000 by default.
    public var maxPageSize = 1_000

    /// The largest depth of a fetch around a page, 16 by default.
    public var maxDepthLevel = 16

    /// The longest key, scope or debounce key in UTF-8 bytes, 4,096 by default.
    public var maxKeyBytes = 4_096

    /// How long one attempt may take, validation included: 30 seconds by default.
    public var attemptTimeout: Duration = .seconds(30)

    /// How many attempts one load may make, 3 by default; values below 1 count as 1.
    public var maxAttempts = 3

    /// How long one fetch may take, 60 seconds by default; a request can say otherwise.
    public var fetchTimeout: Duration = .seconds(60)

    /// How long the store may take to answer a read or a flush: 5 seconds by default. A fetch then goes on to the source,
    /// as if the store did not have the page, and the store's silence is reported; a flush, a shutdown, or a clear that
    /// waits for the store, ends with ``PaginatorError/Code/storeFailed``, and what was handed over may still be written.
    public var storeTimeout: Duration = .seconds(5)

    /// Takes the paginator's events; `nil`, the default, for nobody.
    public var observer: (any PaginatorObserver)?

    /// Tells what the network and the device are like; `nil`, the default, assumes good conditions. Without effect when
    /// ``scheduler`` is set: a shared scheduler has its own.
    public var connectivity: (any PaginatorConnectivity)?

    /// Where the time comes from; the device's clock by default. Without effect on a shared ``scheduler``.
    public var clock: any PaginatorClock = SystemPaginatorClock()

    /// The seed of every random choice; `nil`, the default, takes one from the system.
    public var randomSeed: UInt64?

    /// Where work runs that leaves the caller's thread, in place of threads of the paginator's own; the simulation brings
    /// its own.
    package var executor: (any WorkExecutor)?

    /// Where callbacks run, in place of ``dispatchQueue``; the simulation brings its own.
    package var callbackExecutor: (any WorkExecutor)?

    /// Where callbacks for the main actor run, in place of the main queue; it must do so on the main thread.
    package var mainExecutor: (any WorkExecutor)?

    /// Makes a configuration with every default.
    public init() {}
}

/// The configuration that a paginator has unless it is given another one.
public typealias DefaultPaginatorConfig = PaginatorConfig
