/// The shell around ``FetchMachine``: feeds events to the driver of the machine, and performs the actions.
///
/// Ordered actions change memory and post to mailboxes while the driver's lock is held, so they are performed in the
/// order of the decisions, and memory has changed when a call returns. Lock order: the driver's lock, then those of
/// memory, mailboxes, the edit log and the scheduler, which never call back.
///
/// `@unchecked Sendable`: `client` and `memoryPressure` are set before the engine is shared; nothing else changes.
package final class FetchEngine: @unchecked Sendable {
    let operations: PageOperations
    let memory: PageCache
    package let scheduler: PaginatorScheduler
    let mailbox: CallbackMailbox
    let delivered: @Sendable (_ decidedAt: PaginatorInstant) -> Void
    package let clock: any PaginatorClock
    /// Runs user code other than calls of the source: observers, the store, the error strategy and so on.
    let executor: any WorkExecutor
    let config: PaginatorConfig
    let check: RequestCheck
    let events: EventOutlets
    /// Reports an event. It is a closure, because objects that outlive the engine report, too.
    let report: @Sendable (PaginatorEvent) -> Void
    let storeCalls: StoreCalls?
    let pause = SourcePause()
    let calls = Guarded<[UInt64: AttemptCall]>([:])
    let edits = EditLog()
    /// 1 while a thread indexes the items of the pages in memory.
    let isIndexing = AtomicWord()
    let subscriptions = PageSubscriptions()
    private(set) var client: UInt64 = 0
    #if canImport(Darwin)
        private var memoryPressure: MemoryPressure?
    #endif

    let reference: EngineReference
    let cancelTicket: @Sendable (FetchTicket) -> Void
    let driver: MachineDriver<FetchMachine>
    let lastTicket = AtomicWord()
    let memoryHits = AtomicWord()
    /// The number of changes of memory so far; see ``MemoryChanges``.
    let memoryChanges = AtomicWord()
    /// The number of clears and invalidations so far.
    let invalidations = AtomicWord()
    private let released = OnceFlag()
    let counted = Guarded(PaginatorCounters())
    /// Run when the engine is released, and again when it is freed, so each must bear a second run. They only post.
    let endings = EndHandlers()

    init(operations: PageOperations, config: PaginatorConfig) {
        self.operations = operations
        scheduler = config.fetchScheduler
        var config = config
        // The scheduler observes it. Not kept here: if it owns the paginator, that would be a reference cycle.
        config.connectivity = nil
        let clock = config.clock
        self.clock = clock
        executor = config.workExecutor
        self.config = config
        check = RequestCheck(config: config, sourceRule: operations.keyRule)
        let memory = PageCache(strategy: config.inMemoryEvictionStrategy)
        self.memory = memory
        let events = EventOutlets()
        if let observer = config.observer {
            let mailbox = EventMailbox(observer: observer, executor: executor)
            _ = events.add { mailbox.post($0) }
        }
        self.events = events
        report = { [counted] event in
            counted.withLock { $0.record(event) }
            events.post(event)
        }
        delivered = { [report] decided in
            guard events.isObserved else { return }
            var event = PaginatorEvent(.callbackDelivered, at: clock.now)
            event.duration = decided.duration(to: event.time)
            report(event)
        }
        mailbox = CallbackMailbox(
            own: config.ownCallbackExecutor, main: config.mainExecutor ?? QueueExecutor.main, edits: edits,
            delivered: delivered)
        let reference = EngineReference(
            mailbox: mailbox, clock: clock, callExecutor: scheduler.executor, attemptTimeout: config.attemptTimeout)
        self.reference = reference
        cancelTicket = { reference.cancel($0) }
        storeCalls = operations.store.map { [executor, report] store in
            StoreCalls(store: store, clock: clock, timeout: config.storeTimeout, executor: executor) { error in
                report(PaginatorEvent(failureOfStore: error, at: clock.now))
            }
        }
        let settings = FetchMachine.Settings(
            config: config, hasStore: operations.store != nil, firstKey: operations.firstKey,
            judgesPages: operations.judgesPages, needsConnection: operations.needsConnection,
            isObserved: events.isObserved)
        driver = MachineDriver(
            FetchMachine(settings: settings), clock: clock,
            nextDeadline: { min($0.nextDeadline ?? .distantFuture, memory.nextDeadline ?? .distantFuture) },
            timeCame: { reference.engine?.feed(.timePassed, isPrompt: true) })
        client = scheduler.register(self)
        reference.engine = self
        listen()
        attachStore()
    }

    private func listen() {
        scheduler.addListener(ObjectIdentifier(self)) { [weak self] in self?.conditionsChanged() }
        conditionsChanged()
        #if canImport(Darwin)
            memoryPressure = MemoryPressure { [weak self] fraction in self?.trim(toFraction: fraction) }
        #endif
    }

    private func attachStore() {
        var environment = StoreEnvironment(
            evictionStrategy: config.storeEvictionStrategy, clock: clock,
            report: { [weak self] event in self?.report(event) })
        environment.user = { [weak self] in self }
        operations.store?.attach(environment)
    }

    /// Feeds one event. A prompt thread, of a timer or of the scheduler, must not block, because many paginators wait
    /// for it; so objects of the user are released on another thread, because their `deinit` is user code.
    func feed(_ event: FetchEvent, isPrompt: Bool = false) {
        var followUp = FollowUp()
        driver.feed(event, releasingOn: isPrompt ? executor : nil) { action, now in
            apply(action, at: now, &followUp)
        } unordered: { action in
            dispatchCalls(&followUp, isPrompt: isPrompt)
            perform(action, isPrompt: isPrompt)
        }
        dispatchCalls(&followUp, isPrompt: isPrompt)
        catchUp(followUp.unedited)
    }

    private func dispatchCalls(_ followUp: inout FollowUp, isPrompt: Bool) {
        // A prompt thread must not run the edits of the page that is offered to the source, which are user code.
        let isHere = operations.startsTasks && !isPrompt
        for (task, request) in followUp.calls {
            if isHere {
                callSource(task, request)
            } else {
                // Through the reference: after a release the source is not called.
                scheduler.executor.run { [reference] in reference.engine?.callSource(task, request) }
            }
        }
        if followUp.isSchedulerTimerWrong { scheduler.setTimer() }
        (followUp.isSchedulerTimerWrong, followUp.calls) = (false, [])
    }

    var isReleased: Bool { released.isTaken }

    /// The lock for small mutable state of callers.
    package var callerLock: Lock { reference.lock }

    // Under the driver's lock: appends a committed edit to the log, posts it to the store, and returns its number and
    // the pages being loaded.
    func appendEdit(
        _ change: @escaping EditLog.Change, of target: ItemTarget, pending: EditLog.Change?
    ) -> (number: UInt64, loading: [PageIdentity]) {
        let now = clock.now
        return driver.withMachine { machine in
            storeCalls?.change(.edit(.all, change, of: target))
            // A fetch around a page holds pages until it delivers them.
            func oldest() -> PaginatorInstant? {
                (machine.loads.values.map(\.startedAt) + machine.arounds.values.map(\.startedAt)).min()
            }
            let number = edits.append(change, at: now, oldestLoad: oldest, pending: pending)
            return (number, machine.loads.values.map(\.identity))
        }
    }

    // Returns a time after every call of the source so far, and before every later one.
    func makeRequestTime() -> PaginatorInstant {
        let now = clock.now
        return driver.withMachine { $0.makeRequestTime(at: now) }
    }

    package var isIdle: Bool { driver.withMachine { $0.isIdle } }

    package var waitingTickets: Set<UInt64> { driver.withMachine { $0.waitingTickets } }

    package var memoryUsage: (all: PageUsage, pinned: PageUsage) { (memory.usage, memory.pinnedUsage) }

    package func cachedPages(in selection: PageSelection) -> [PageIdentity] { memory.identities(in: selection) }

    package func invariantViolations() -> [String] { driver.withMachine { $0.invariantViolations() } }

    /// Passes all events to `sink` from now on, until the returned closure is called. `sink` is called on any thread,
    /// with locks held, so it must not call user code.
    package func tap(_ sink: @escaping @Sendable (PaginatorEvent) -> Void) -> @Sendable () -> Void {
        let number = driver.withMachine { machine in
            defer { machine.isObserved = true }
            return events.add(sink)
        }
        return { [weak self] in
            guard let self else { return }
            let removed = driver.withMachine { machine in
                defer { machine.isObserved = events.isObserved }
                return events.remove(number)
            }
            withExtendedLifetime(removed) {}
        }
    }

    var counters: PaginatorCounters {
        var counters = driver.withMachine { $0.counters }
        counters.merge(counted.withLock { $0 })
        counters.recordMemoryHits(Int(clamping: memoryHits.value))
        return counters
    }

    deinit {
        endings.run()
    }

    package func release() {
        // First, so that memory no longer answers fetches.
        _ = released.take()
        feed(.release)
        endings.run()
        subscriptions.endAll()
        scheduler.removeListener(ObjectIdentifier(self))
        scheduler.unregister(client)
    }

    private func conditionsChanged() {
        // Read under the lock, so that of several changes the last one counts.
        driver.withMachine { $0.isOffline = scheduler.blockingConditions.contains(.offline) }
    }
}

/// A weak reference to an engine, which passes on cancels, or gives its mailbox after the engine is gone. All tickets
/// and calls of an engine share it.
///
/// `@unchecked Sendable`: `engine` is set once, before the first ticket is made, and a weak reference may be read from
/// any thread.
final class EngineReference: @unchecked Sendable {
    weak var engine: FetchEngine?
    private let mailbox: CallbackMailbox
    let clock: any PaginatorClock
    let callExecutor: any WorkExecutor
    let attemptTimeout: Duration
    /// The lock for the state of all tickets and calls. One lock each would cost more than the contention does.
    let lock = Lock()

    init(mailbox: CallbackMailbox, clock: any PaginatorClock, callExecutor: any WorkExecutor, attemptTimeout: Duration)
    {
        self.mailbox = mailbox
        self.clock = clock
        self.callExecutor = callExecutor
        self.attemptTimeout = attemptTimeout
    }

    func cancel(_ ticket: FetchTicket) {
        if let engine {
            engine.feed(.cancel(ticket))
        } else {
            mailbox.post(.cancelled, to: ticket, decidedAt: clock.now)
        }
    }
}
