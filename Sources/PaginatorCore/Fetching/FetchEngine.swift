import Dispatch
import Synchronization

/// The shell around ``FetchMachine``: it feeds events in under a lock, and does outside the lock what comes out.
///
/// Ordered actions are taken from the machine and done by one thread at a time, under `drainLock`; whoever feeds an
/// event drains before it goes on, so that a call has changed memory when it returns. Lock order: `drainLock`, then
/// `lock`, then the locks of memory, mailboxes and the scheduler, which call nobody back.
///
/// `@unchecked Sendable`: `machine` is guarded by `lock`; `wakeup` by `drainLock`; `client` and `memoryPressure` are set before
/// the engine is shared; everything else never changes.
package final class FetchEngine: @unchecked Sendable {
    let operations: any PageOperations
    package let memory: PageCache
    package let scheduler: PaginatorScheduler
    let mailbox: Mailbox
    package let clock: any PaginatorClock
    let executor: any WorkExecutor
    let errorStrategy: ErrorStrategy
    let defaultPolicy: FetchPolicy
    let fetchTimeout: Duration
    package let check: RequestCheck
    let events: EventMailbox?
    let pump: StorePump?
    let calls = SourceCalls()
    package let edits: EditLog
    let observations = PageObservations()
    private(set) var client: UInt64 = 0
    #if canImport(Darwin)
        private var memoryPressure: MemoryPressure?
    #endif

    private let canceller: EngineCanceller
    private let lastTicket = Atomic<UInt64>(0)
    let memoryHits = Atomic<Int>(0)
    /// Whether a fresh page in memory is all that a fetch needs: nobody judges it, and nobody observes.
    let takesShortcut: Bool
    private let released = Atomic(false)
    private let counted = Guarded(PaginatorCounters())
    private let lock = Lock()
    private var machine: FetchMachine
    private let drainLock = Lock()
    private var wakeup: PaginatorInstant?

    /// Makes an engine and registers it with its scheduler.
    package init(operations: any PageOperations, config: PaginatorConfig) {
        self.operations = operations
        clock = config.clock
        executor = config.executor
        errorStrategy = config.errorStrategy
        defaultPolicy = config.defaultPolicy
        fetchTimeout = config.fetchTimeout
        check = RequestCheck(config)
        memory = PageCache(strategy: config.inMemoryEvictionStrategy)
        scheduler = config.scheduler ?? Self.makeScheduler(config)
        machine = FetchMachine(settings: Self.settings(operations, config))
        let events = config.observer.map { EventMailbox(observer: $0, executor: config.executor) }
        self.events = events
        takesShortcut = events == nil && !operations.judgesCachedPages
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
        edits = EditLog(lifetime: .seconds(60) + config.attemptTimeout + config.attemptTimeout)
        mailbox = Mailbox(own: own, main: main, clock: clock, edits: edits, delivered: delivered)
        canceller = EngineCanceller(mailbox: mailbox, clock: clock)
        pump =
            operations.hasStore
            ? StorePump(operations: operations, executor: config.executor) { error in
                var event = PaginatorEvent(.storeFailed, at: clock.now)
                event.error = error
                counted.withLock { $0.record(event) }
                events?.post(event)
            } : nil
        client = scheduler.register(self)
        canceller.attach(to: self)
        #if canImport(Darwin)
            memoryPressure = MemoryPressure { [weak self] fraction in self?.feed(.trim(fraction: fraction)) }
        #endif
        let environment = StoreEnvironment(
            evictionStrategy: config.storeEvictionStrategy, clock: clock,
            report: { [weak self] error in self?.reportStoreFailure(error) })
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
        return settings
    }

    /// Makes the ticket of a fetch, which delivers to `sink`.
    package func makeTicket(
        _ sink: (any DeliverySink)?, wantsMain: Bool, takesBarePages: Bool = false
    ) -> FetchTicket {
        FetchTicket(
            id: makeTicketID(), sink: sink, wantsMain: wantsMain, takesBarePages: takesBarePages,
            canceller: canceller)
    }

    func makeTicketID() -> UInt64 {
        lastTicket.add(1, ordering: .relaxed).newValue
    }

    /// Feeds one event, and does everything that comes of it before it returns, except what runs on the executor.
    package func feed(_ event: FetchEvent) {
        let now = clock.now
        var unordered: [UnorderedAction] = []
        var retired: [FetchOutbox.Retired] = []
        lock.withLock {
            machine.handle(event, at: now)
            swap(&unordered, &machine.outbox.unordered)
            swap(&retired, &machine.outbox.retired)
        }
        drain()
        for action in unordered { perform(action) }
    }

    /// Whether the paginator is released, or about to be.
    var isReleased: Bool { released.load(ordering: .acquiring) }

    /// Does the ordered actions that are decided and not done yet, and `last` after them.
    func drain(_ last: () -> Void = {}) {
        drainLock.lock()
        lock.lock()
        if machine.outbox.ordered.isEmpty {
            let deadline = machine.nextDeadline
            lock.unlock()
            announce(deadline)
            last()
            return drainLock.unlock()
        }
        lock.unlock()
        var leftovers = Leftovers()
        while true {
            var batch: [OrderedAction] = []
            lock.lock()
            swap(&batch, &machine.outbox.ordered)
            let deadline = machine.nextDeadline
            lock.unlock()
            guard !batch.isEmpty else {
                announce(deadline)
                break
            }
            for action in batch { apply(action, &leftovers) }
            leftovers.batches.append(batch)
        }
        last()
        drainLock.unlock()
        for page in leftovers.unedited { catchUp(page) }
    }

    /// Adds a committed edit to the log and to what the store is told, at one point of the order of all that is done.
    func appendEdit(_ change: @escaping EditLog.Change, settling: () -> Void) -> UInt64 {
        drainLock.withLock {
            pump?.post(.change(.edit(.all, change)))
            return edits.append(change, at: clock.now, settling: settling)
        }
    }

    /// Tells the scheduler when to wake the engine, where that is earlier than what it knows. The drain lock is held.
    private func announce(_ deadline: PaginatorInstant?) {
        let due = min(deadline ?? .distantFuture, memory.nextDeadline ?? .distantFuture)
        guard due < wakeup ?? .distantFuture else { return }
        wakeup = due
        scheduler.setWakeup(client, at: due)
    }

    /// Takes note that the wake-up time has come.
    func wake() {
        drainLock.withLock { wakeup = nil }
        feed(.timePassed)
    }

    /// Reads the machine with the lock held; `body` only looks.
    package func inspect<R>(_ body: (FetchMachine) -> R) -> R {
        lock.withLock { body(machine) }
    }

    /// Counts an event and hands it to the observer.
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
        var counters = counted.withLock { $0 }
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

/// Brings cancels to their engine, or to its mailbox when the engine is gone. One for all tickets of an engine.
///
/// `@unchecked Sendable`: `engine` is set once, before the first ticket is made; a weak reference may be read from any
/// thread.
private final class EngineCanceller: TicketCanceller, @unchecked Sendable {
    private weak var engine: FetchEngine?
    private let mailbox: Mailbox
    private let clock: any PaginatorClock

    init(mailbox: Mailbox, clock: any PaginatorClock) {
        self.mailbox = mailbox
        self.clock = clock
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
