package import Dispatch

/// Decides when loads start, and whether they are retried. Several paginators can share one.
///
/// Loads with a higher priority start first; within a priority, the one requested first. Loads that have waited long
/// start in between. A failed load is retried after a growing random delay while the retry budget lasts, and a source
/// that keeps failing gets fewer requests. ``PaginatorSchedulerConfig`` has the rules and their numbers.
///
/// ```swift
/// let scheduler = PaginatorScheduler()
/// var config = PaginatorConfig()
/// config.scheduler = scheduler    // for every paginator that calls the same server
/// ```
///
/// Every method may be called from any thread and runs no user code. Starting a load is O(1); one that waits for a
/// deadline costs O(log n) beside n others. A pause, the end of a paginator and new conditions visit all waiting loads.
/// There is one timer.
///
/// A source may block the thread on which it is called. Each scheduler has its own threads for that: two for each
/// parallel call, at least 8 and at most 128; on Linux, all schedulers together have 255. A call that hangs keeps its
/// thread. When all are taken, further calls wait until one returns or their attempt times out; nothing else waits, in
/// any paginator.
public final class PaginatorScheduler: Sendable {
    package let clock: any PaginatorClock
    let executor: any WorkExecutor
    let driver: MachineDriver<SchedulerMachine>
    let sourcePauseCap: Duration
    let clients = Guarded<[UInt64: SerialMailbox<SchedulerDecision>]>([:])
    private let observation = Guarded<(any AnyObject & Sendable)?>(nil)
    private let listeners = Guarded<[(id: ObjectIdentifier, call: @Sendable () -> Void)]>([])

    /// Creates a scheduler.
    ///
    /// - Parameters:
    ///   - config: the rules and their numbers.
    ///   - connectivity: reports the conditions of the network and the device; `nil`, the default, assumes a good
    ///     connection. It is read once, now, and then observed until the scheduler is released.
    ///   - clock: the source of time and timers; the same one as that of its paginators.
    ///   - randomSeed: makes back-off and throttling reproducible; `nil`, the default, uses a new seed each time.
    public convenience init(
        config: PaginatorSchedulerConfig = PaginatorSchedulerConfig(),
        connectivity: (any PaginatorConnectivity)? = nil,
        clock: any PaginatorClock = SystemPaginatorClock(),
        randomSeed: UInt64? = nil
    ) {
        self.init(
            config: config, connectivity: connectivity, clock: clock, randomSeed: randomSeed, executor: nil)
    }

    /// Creates a scheduler that notifies its clients and runs their attempts on `executor`.
    ///
    /// - Parameters:
    ///   - executor: `nil` for threads of its own: twice as many as parallel calls, and at least 8, so that some can
    ///     hang while others continue.
    ///   - workQueue: where these threads come from.
    package init(
        config: PaginatorSchedulerConfig,
        connectivity: (any PaginatorConnectivity)?,
        clock: any PaginatorClock,
        randomSeed: UInt64?,
        executor: (any WorkExecutor)?,
        workQueue: DispatchQueue? = nil
    ) {
        self.clock = clock
        sourcePauseCap = max(.zero, config.sourcePauseCap)
        let calls = min(max(4, config.maxParallelCalls), 64)
        // A class apart from timers, callbacks and stores: Linux has 255 threads for each, and hung calls keep theirs.
        self.executor =
            executor ?? WorkThreads(bound: 2 * calls, label: "paginator.calls", qos: .userInitiated, target: workQueue)
        let seed = randomSeed ?? UInt64.random(in: UInt64.min...UInt64.max)
        let reference = SchedulerReference()
        driver = MachineDriver(SchedulerMachine(config: config, seed: seed), clock: clock) {
            reference.scheduler?.feed(.timePassed)
        }
        reference.scheduler = self
        guard let connectivity else { return }
        let observation = connectivity.observe { [weak self] in self?.hear(.conditionsChanged($0)) }
        self.observation.withLock { $0 = observation }
        // Read after observing, so that no change is missed; a change reported already is newer.
        hear(.conditionsAtStart(connectivity.conditions))
    }

    /// Starts no more loads until ``resume()``. Running calls continue, and so do timeouts.
    ///
    /// It suspends all paginators that share the scheduler. A second call has no effect.
    public func suspend() {
        feed(.suspend)
    }

    /// Ends a suspension, however often ``suspend()`` was called. Waiting loads start in order.
    public func resume() {
        feed(.resume)
    }

    private func hear(_ event: SchedulerEvent) {
        feed(event)
        for listener in listeners.withLock({ $0 }) { listener.call() }
    }

    /// The conditions that hold back loads; lists wait for their end.
    var blockingConditions: PaginatorConditions { driver.withMachine { $0.conditions.subtracting(.charging) } }

    /// Returns whether a prefetch with these conditions is held back now.
    func holdsBack(_ wanted: PaginatorConditions, needsConnection: Bool) -> Bool {
        let demand = SchedulerDemand(
            priority: .low, wanted: .ahead([wanted], mayWait: true), needsConnection: needsConnection)
        return driver.withMachine { $0.kind(of: demand) == nil }
    }

    /// Calls `call` on any thread after ``blockingConditions`` changed, until the listener is removed. They may have
    /// changed again meanwhile.
    func addListener(_ id: ObjectIdentifier, _ call: @escaping @Sendable () -> Void) {
        listeners.withLock { $0.append((id, call)) }
    }

    func removeListener(_ id: ObjectIdentifier) { listeners.withLock { $0.removeAll { $0.id == id } } }
}

/// Connects the driver's timer to the scheduler without retaining it.
///
/// `@unchecked Sendable`: `scheduler` is set once, before the driver is used; any thread may read a weak reference.
private final class SchedulerReference: @unchecked Sendable {
    weak var scheduler: PaginatorScheduler?
}
