package import Dispatch

/// Decides which loads start, when, and whether they are tried again. It can be shared by several paginators.
///
/// Urgent loads start first, and of equally urgent ones the one that asked first; a load that has waited long starts
/// in between. A failed load is tried again after a growing, random time, as long as the retry budget lasts, and a
/// source that only fails is spared. ``PaginatorSchedulerConfig`` has the rules and their numbers.
///
/// ```swift
/// let scheduler = PaginatorScheduler()
/// var config = DefaultPaginatorConfig()
/// config.scheduler = scheduler    // for every paginator that calls the same server
/// ```
///
/// Every call may come from any thread, and calls nobody back. A load costs O(log n) when n loads wait for a time, else O(1);
/// what concerns many (a pause, a paginator that ends, new conditions) looks at all that wait. There is one timer.
///
/// Sources may block the thread that they are called on. Each scheduler has threads of its own for that: two for each
/// parallel call, at least 8 and at most 128. Calls that hang for ever keep theirs; when all are taken, further calls wait
/// until one returns or their attempt's time is over. Nothing else waits for them, in whichever paginator.
public final class PaginatorScheduler: Sendable {
    package let clock: any PaginatorClock
    let executor: any WorkExecutor
    let driver: MachineDriver<SchedulerMachine>
    let clients = Guarded(Numbered<SerialMailbox<SchedulerDecision>>())
    private let observation = Guarded<(any AnyObject & Sendable)?>(nil)
    private typealias Listener = (id: ObjectIdentifier, object: @Sendable () -> (any ConditionsListener)?)
    private let listeners = Guarded<[Listener]>([])

    /// Makes a scheduler.
    ///
    /// - Parameters:
    ///   - config: the rules and their numbers.
    ///   - connectivity: tells what the network and the device are like; `nil`, the default, stands for a good connection
    ///     at all times. It is asked once, now, and then observed for as long as the scheduler lives.
    ///   - clock: where time and the timer come from.
    ///   - randomSeed: makes back-off and throttling replay; `nil`, the default, takes another seed each time.
    public convenience init(
        config: PaginatorSchedulerConfig = PaginatorSchedulerConfig(),
        connectivity: (any PaginatorConnectivity)? = nil,
        clock: any PaginatorClock = SystemPaginatorClock(),
        randomSeed: UInt64? = nil
    ) {
        self.init(
            config: config, connectivity: connectivity, clock: clock, randomSeed: randomSeed, executor: nil)
    }

    /// Makes a scheduler that tells its clients what it decides, and runs their attempts, on `executor`.
    ///
    /// - Parameters:
    ///   - executor: `nil` for threads of its own: twice as many as calls may run at once, and at least 8, so that some can
    ///     hang for ever while others go on.
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
        let calls = min(max(4, config.maxParallelCalls), 64)
        self.executor = executor ?? WorkThreads(bound: 2 * calls, label: "paginator.calls", target: workQueue)
        let seed = randomSeed ?? UInt64.random(in: UInt64.min...UInt64.max)
        let reference = SchedulerReference()
        driver = MachineDriver(SchedulerMachine(config: config, seed: seed), clock: clock) {
            reference.scheduler?.feed(.timePassed)
        }
        reference.scheduler = self
        guard let connectivity else { return }
        let observation = connectivity.observe { [weak self] in self?.hear(.conditionsChanged($0)) }
        self.observation.withLock { $0 = observation }
        // After it observes, so that no change falls in between; one that was told already is newer.
        hear(.conditionsAtStart(connectivity.conditions))
    }

    /// Starts nothing more until ``resume()``; what runs goes on, and times go on passing.
    ///
    /// All paginators that share the scheduler are suspended. A second call changes nothing.
    public func suspend() {
        feed(.suspend)
    }

    /// Ends a suspension, however often ``suspend()`` was called; what waits starts in its order.
    public func resume() {
        feed(.resume)
    }

    private func hear(_ event: SchedulerEvent) {
        feed(event)
        for listener in listeners.withLock({ $0 }) { listener.object()?.conditionsChanged() }
    }

    /// What hinders loads: lists wait for it to be over.
    var hindrances: PaginatorConditions { driver.withMachine { $0.conditions.subtracting(.charging) } }

    /// Whether a prefetch that wants such conditions has to wait for others.
    func holdsBack(_ wanted: PaginatorConditions) -> Bool {
        driver.withMachine {
            $0.conditions.contains(.offline) || $0.kind(of: SchedulerDemand(.low, ahead: [wanted])) == nil
        }
    }

    /// Tells a listener of other conditions, on any thread, until it ends and removes itself.
    func addListener(_ listener: any ConditionsListener) {
        listeners.withLock { $0.append((ObjectIdentifier(listener), { [weak listener] in listener })) }
    }

    func removeListener(_ id: ObjectIdentifier) { listeners.withLock { $0.removeAll { $0.id == id } } }
}

protocol ConditionsListener: AnyObject, Sendable {
    /// Look at ``PaginatorScheduler/hindrances``; it may have changed again meanwhile.
    func conditionsChanged()
}

/// Leads the driver's timer to the scheduler as long as it lives.
///
/// `@unchecked Sendable`: `scheduler` is set once, before the driver is used; a weak reference may be read from any thread.
private final class SchedulerReference: @unchecked Sendable {
    weak var scheduler: PaginatorScheduler?
}
