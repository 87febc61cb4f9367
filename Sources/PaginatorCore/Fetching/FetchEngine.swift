import Dispatch
import Synchronization

/// The shell around ``FetchMachine``: it feeds events in under a lock, and does outside the lock what comes out.
///
/// Whoever feeds an event holds `turn` until the ordered actions that come of it are done, so that they are done in the
/// order decided, and a call has changed memory when it returns. `lock` guards the machine for those who only look. Lock
/// order: `turn`, then `lock`, then the locks of memory, mailboxes and the scheduler, which call nobody back.
///
/// `@unchecked Sendable`: `machine` and `spares` are guarded by `lock`; `wakeup` by `turn`; `client` and `memoryPressure` are
/// set before the engine is shared; everything else never changes.
package final class FetchEngine: @unchecked Sendable {
    let operations: any PageOperations
    package let memory: PageCache
    package let scheduler: PaginatorScheduler
    let mailbox: CallbackMailbox
    package let clock: any PaginatorClock
    /// Where the user's code runs that is no call of the source: observers, the store, the error strategy and the like.
    let executor: any WorkExecutor
    let errorStrategy: ErrorStrategy
    let defaultPolicy: FetchPolicy
    let fetchTimeout: Duration
    package let check: RequestCheck
    let events: EventMailbox?
    let storeCalls: StoreCalls?
    /// Why the source asked to be left alone, the last time that it did.
    let pauseCause = Guarded<(any Error)?>(nil)
    let calls = SourceCalls()
    package let edits: EditLog
    let observations = PageObservations()
    let followers = PageFollowers()
    private(set) var client: UInt64 = 0
    #if canImport(Darwin)
        private var memoryPressure: MemoryPressure?
    #endif

    let reference: EngineReference
    private let lastTicket = Atomic<UInt64>(0)
    let memoryHits = Atomic<Int>(0)
    /// How many times memory has been cleared; see ``FetchMachine/clears``.
    let clears = Atomic<UInt64>(0)
    let judgesPages: Bool
    /// Whether a fresh page in memory is all that a fetch needs: nobody judges it, and nobody observes.
    let takesShortcut: Bool
    private let released = Atomic(false)
    private let counted = Guarded(PaginatorCounters())
    private let lock = Lock()
    // Not checked for overlapping uses at run time: who came again from within would wait for the lock first.
    @exclusivity(unchecked) private var machine: FetchMachine
    /// Empty, with memory that was used before.
    @exclusivity(unchecked) private var spares: [FetchOutbox] = []
    /// So many threads, and events fed by what came of others, find memory that was used before.
    private static let spareLimit = 8
    private let turn = Lock()
    /// Whether somebody who has the turn does what was decided.
    private let isActing = Atomic(false)
    private var wakeup: PaginatorInstant?

    /// Makes an engine and registers it with its scheduler.
    package init(operations: any PageOperations, config: PaginatorConfig) {
        self.operations = operations
        clock = config.clock
        let executor = config.executor ?? WorkThreads(bound: 8, label: "paginator.work")
        self.executor = executor
        errorStrategy = config.errorStrategy
        defaultPolicy = config.defaultPolicy
        fetchTimeout = config.fetchTimeout
        check = RequestCheck(config)
        memory = PageCache(strategy: config.inMemoryEvictionStrategy)
        scheduler = config.scheduler ?? Self.makeScheduler(config)
        machine = FetchMachine(settings: Self.settings(operations, config))
        let events = config.observer.map { EventMailbox(observer: $0, executor: executor) }
        self.events = events
        judgesPages = operations.judgesPages
        takesShortcut = events == nil && !judgesPages
        let counted = counted
        let clock = config.clock
        let main: any WorkExecutor = config.mainExecutor ?? QueueExecutor.main
        let own = config.callbackExecutor ?? QueueExecutor.forCallbacks(on: config.dispatchQueue)
        var delivered: (@Sendable (Duration) -> Void)?
        if let events {
            delivered = { waited in
                var event = PaginatorEvent(.callbackDelivered, at: clock.now)
                event.duration = waited
                counted.withLock { $0.record(event) }
                events.post(event)
            }
        }
        let attempt = Duration.nanoseconds(config.attemptTimeout.wholeNanoseconds)
        edits = EditLog(lifetime: .seconds(60) + attempt + attempt)
        mailbox = CallbackMailbox(own: own, main: main, clock: clock, edits: edits, delivered: delivered)
        reference = EngineReference(
            mailbox: mailbox, clock: clock, callExecutor: scheduler.executor, attemptTimeout: config.attemptTimeout)
        storeCalls =
            operations.hasStore
            ? StoreCalls(
                operations: operations, clock: clock, timeout: config.storeTimeout, executor: executor
            ) { error in
                var event = PaginatorEvent(.storeFailed, at: clock.now)
                event.error = error
                counted.withLock { $0.record(event) }
                events?.post(event)
            } : nil
        client = scheduler.register(self)
        reference.attach(to: self)
        #if canImport(Darwin)
            memoryPressure = MemoryPressure { [weak self] fraction in self?.feed(.trim(fraction: fraction)) }
        #endif
        var environment = StoreEnvironment(
            evictionStrategy: config.storeEvictionStrategy, clock: clock,
            report: { [weak self] error in self?.reportStoreFailure(error) })
        environment.isInUse = { [weak self] in self != nil }
        operations.attachStore(to: environment)
    }

    private static func makeScheduler(_ config: PaginatorConfig) -> PaginatorScheduler {
        var scheduling = config.scheduling
        scheduling.maxParallelCalls = config.maxParallelCalls
        return PaginatorScheduler(
            config: scheduling, connectivity: config.connectivity, clock: config.clock,
            randomSeed: config.randomSeed, executor: config.executor)
    }

    private static func settings(_ operations: any PageOperations, _ config: PaginatorConfig) -> FetchMachine.Settings {
        var settings = FetchMachine.Settings()
        settings.hasStore = operations.hasStore
        settings.firstKey = operations.firstKey
        settings.defaultPolicy = config.defaultPolicy
        settings.attemptTimeout = config.attemptTimeout
        settings.maxAttempts = max(1, config.maxAttempts)
        settings.fetchTimeout = config.fetchTimeout
        settings.storeTimeout = config.storeTimeout
        settings.judgesPages = operations.judgesPages
        settings.isObserved = config.observer != nil
        return settings
    }

    /// Makes the ticket of a fetch, which delivers to `sink`.
    package func makeTicket(
        _ sink: (any DeliverySink)?, wantsMain: Bool, takesBarePages: Bool = false
    ) -> FetchTicket {
        SinkTicket(
            id: makeTicketID(), sink: sink, wantsMain: wantsMain, takesBarePages: takesBarePages,
            canceller: reference)
    }

    /// Makes the ticket of a fetch of one page, which answers `completion`.
    func makeTicket<T>(wantsMain: Bool, _ completion: @escaping ClosureTicket<T>.Completion) -> FetchTicket {
        ClosureTicket(id: makeTicketID(), wantsMain: wantsMain, canceller: reference, completion: completion)
    }

    func makeTicketID() -> UInt64 {
        lastTicket.add(1, ordering: .relaxed).newValue
    }

    /// Feeds one event, and does everything that comes of it before it returns, except what runs on the executor.
    package func feed(_ event: FetchEvent) {
        feed(event) { perform($0) }
    }

    /// Feeds one event, and leaves the unordered actions that come of it to `perform`.
    ///
    /// - Parameter isPrompt: whether the thread must not wait for anybody, so that what is to be released is released
    ///   elsewhere: a `deinit` of the user's may run.
    func feed(_ event: FetchEvent, isPrompt: Bool = false, perform: (UnorderedAction) -> Void) {
        // The clock is the user's, too: it is asked with no lock held, here and in the scheduler.
        let called = clock.now
        var outbox = FetchOutbox()
        var leftovers = Leftovers()
        turn.withLock {
            isActing.store(true, ordering: .relaxed)
            let (deadline, now) = lock.withLock {
                if let spare = spares.popLast() { machine.outbox = spare }
                machine.handle(event, at: called)
                swap(&outbox, &machine.outbox)
                return (machine.nextDeadline, machine.now)
            }
            for action in outbox.ordered { apply(action, at: now, &leftovers) }
            announce(deadline, at: now, &leftovers)
            isActing.store(false, ordering: .releasing)
        }
        if leftovers.isTimerWrong { scheduler.setTimer() }
        for page in leftovers.unedited { catchUp(page) }
        for action in outbox.unordered { perform(action) }
        if isPrompt, leftovers.holdsObjects || !outbox.retired.isEmpty { releaseElsewhere(&leftovers, &outbox) }
        // Outside every lock, because a `deinit` of the user's may run.
        outbox.removeAll()
        lock.withLock {
            if spares.count < Self.spareLimit { spares.append(outbox) }
        }
    }

    private func releaseElsewhere(_ leftovers: inout Leftovers, _ outbox: inout FetchOutbox) {
        let gone = Guarded((Leftovers(), [FetchOutbox.Retired]()))
        gone.withLock {
            swap(&$0.0, &leftovers)
            swap(&$0.1, &outbox.retired)
        }
        executor.run {
            var last = (Leftovers(), [FetchOutbox.Retired]())
            gone.withLock { swap(&$0, &last) }
        }
    }

    /// Whether the paginator is released, or about to be.
    var isReleased: Bool { released.load(ordering: .acquiring) }

    /// Posts a callback behind all that was decided before.
    ///
    /// Whoever comes with a page from memory that a turn has put there sees that the turn goes on, or what it has posted.
    func post(_ delivery: Delivery, to ticket: FetchTicket, decidedAt: PaginatorInstant) {
        if isActing.load(ordering: .acquiring) {
            turn.withLock { mailbox.post(delivery, to: ticket, decidedAt: decidedAt) }
        } else {
            mailbox.post(delivery, to: ticket, decidedAt: decidedAt)
        }
    }

    /// Adds a committed edit to the log and to what the store is told, at one point of the order of all that is done.
    func appendEdit(_ change: @escaping EditLog.Change, settling: () -> Void) -> UInt64 {
        let now = clock.now
        return turn.withLock {
            storeCalls?.post(.change(.edit(.all, change)))
            return edits.append(
                change, at: now, oldestLoad: { lock.withLock { machine.loads.values.lazy.map(\.startedAt).min() } },
                settling: settling)
        }
    }

    /// Tells the scheduler when to wake the engine, where that is earlier than what it knows. `turn` is held.
    ///
    /// A wake-up that lies in the past counts as unset: after the device slept, the timer that was set for it may still run
    /// for as long as it did before.
    private func announce(_ deadline: PaginatorInstant?, at now: PaginatorInstant, _ leftovers: inout Leftovers) {
        let due = min(deadline ?? .distantFuture, memory.nextDeadline ?? .distantFuture)
        let known = wakeup.flatMap { $0 > now ? $0 : nil } ?? .distantFuture
        guard due < known else { return }
        wakeup = due
        leftovers.note(isTimerWrong: scheduler.feed(.setWakeup(client: client, due), at: now))
    }

    /// Takes note that the wake-up time has come.
    func forgetWakeup() {
        turn.withLock { wakeup = nil }
    }

    /// A time that lies behind all that the source was asked so far, and before all that it will be asked.
    func makeTimeOfAsking() -> PaginatorInstant {
        let now = clock.now
        return lock.withLock { machine.makeTimeOfAsking(at: now) }
    }

    /// Reads the machine with the lock held; `body` only looks.
    package func inspect<R>(_ body: (FetchMachine) -> R) -> R {
        lock.withLock { body(machine) }
    }

    /// Counts an event that is none of the machine's, and hands it to the observer.
    func report(_ event: PaginatorEvent) {
        counted.withLock { $0.record(event) }
        events?.post(event)
    }

    private func reportStoreFailure(_ error: PaginatorError) {
        var event = PaginatorEvent(.storeFailed, at: clock.now)
        event.error = error
        report(event)
    }

    /// What the paginator has done so far.
    package var counters: PaginatorCounters {
        var counters = inspect { $0.counters }
        counters.merge(counted.withLock { $0 })
        counters.recordMemoryHits(memoryHits.load(ordering: .relaxed))
        return counters
    }

    /// Answers everybody who waits, stops everything that runs, and gives the slots back.
    package func release() {
        released.store(true, ordering: .releasing)
        feed(.release)
        observations.endAll()
        scheduler.unregister(client)
    }
}

extension QueueExecutor {
    /// Runs work on the main queue.
    package static let main = QueueExecutor(.main)

    /// Returns what runs callbacks on `queue`, or on a new serial queue.
    static func forCallbacks(on queue: DispatchQueue?) -> QueueExecutor {
        guard let queue else { return QueueExecutor(DispatchQueue(label: "paginator.callbacks")) }
        return queue === DispatchQueue.main ? main : QueueExecutor(queue)
    }
}

/// Leads to an engine as long as it lives, and brings it cancels, or its mailbox when the engine is gone. One for all
/// tickets and calls of an engine.
///
/// `@unchecked Sendable`: `engine` is set once, before the first ticket is made; a weak reference may be read from any
/// thread.
final class EngineReference: TicketCanceller, @unchecked Sendable {
    private(set) weak var engine: FetchEngine?
    private let mailbox: CallbackMailbox
    let clock: any PaginatorClock
    /// Where the source is called.
    let callExecutor: any WorkExecutor
    let attemptTimeout: Duration

    init(mailbox: CallbackMailbox, clock: any PaginatorClock, callExecutor: any WorkExecutor, attemptTimeout: Duration)
    {
        self.mailbox = mailbox
        self.clock = clock
        self.callExecutor = callExecutor
        self.attemptTimeout = attemptTimeout
    }

    func attach(to engine: FetchEngine) {
        self.engine = engine
    }

    func ticketWasCancelled(_ ticket: FetchTicket) {
        if let engine {
            engine.feed(.cancel(ticket))
        } else {
            mailbox.post(.cancelled, to: ticket, decidedAt: clock.now)
        }
    }
}
