/// Decides everything about the fetches of one paginator: who joins which load, where pages come from, and who gets
/// which answer in which order.
///
/// *A waiter* is one party that wants a page: a caller's fetch, one place of a fetch around a page, a prefetch, or the
/// background renewal of an answered page. *A load* is the work for one page in one epoch, with a cache stage and a
/// source stage in parallel; it ends when it has answered, or when its last waiter leaves. *An epoch* of a page ends
/// with `clear`, `invalidate`, `refresh` and `prime`: the load is removed from ``index``, so that later callers start
/// another one, and its page is delivered but not cached, as is what only callers from before a clear want.
/// `invalidate` and `refresh` leave a load alone that reads no cache and waits for its first call of the source,
/// because it will bring a newer page.
struct FetchMachine: ~Copyable, Machine {
    struct Settings: Sendable {
        var config = PaginatorConfig()
        var hasStore = false
        var firstKey = ""
        var waitingPrefetches = 4_096
        var judgesPages = true
        var needsConnection = true
        /// Whether events have an observer from the start.
        var isObserved = true
    }

    enum Deadline: Hashable, Sendable {
        case waiter(UInt64)
        case fallback(UInt64)
        case debounce(UInt64)
        case attempt(UInt64)
        case storeRead(UInt64)
        case prefetch(UInt64)
    }

    let settings: Settings
    /// Whether events have an observer; they are counted in any case.
    var isObserved: Bool
    var now = PaginatorInstant.zero
    var isReleased = false
    var isSuspended = false
    /// Set from outside when the scheduler's conditions change.
    var isOffline = false
    var loads: [UInt64: Load] = [:]
    /// The load of each page in its current epoch.
    var index: [PageIdentity: UInt64] = [:]
    var waiters: [UInt64: Waiter] = [:]
    var arounds: [UInt64: Around] = [:]
    var prefetches: [UInt64: Prefetch] = [:]
    /// The prefetches whose loads are queued, by the time since when. Their timeouts are stopped.
    var parked = DeadlineQueue<UInt64>()
    /// The load of each task that is in the scheduler or calls the source.
    var tasks: [UInt64: UInt64] = [:]
    var debouncing: [ExactText: UInt64] = [:]
    var memoryChanges = MemoryChanges()
    var deadlines = DeadlineQueue<Deadline>()
    var errors = ErrorRing(capacity: 64)
    private var lastID: UInt64 = 1 << 63
    private(set) var lastRequestTime = PaginatorInstant(nanoseconds: .min)
    private(set) var counters = PaginatorCounters()

    var outbox = MachineOutbox<OrderedAction, UnorderedAction>()

    init(settings: Settings) {
        self.settings = settings
        isObserved = settings.isObserved
    }

    var nextDeadline: PaginatorInstant? { deadlines.next }

    mutating func handle(_ event: FetchEvent, at now: PaginatorInstant) {
        // Threads may feed events in another order than they read the clock.
        self.now = max(self.now, now)
        switch event {
        case .fetch(let ticket, let request, let identity, let look): fetch(ticket, request, identity, look)
        case .served(let request, let identity, let meaning): served(request, identity, meaning)
        case .refuse(let ticket, let error, let isAround): refuse(ticket, error, isAround: isAround)
        case .fetchAround(let ticket, let request): fetchAround(ticket, request)
        case .neighborKeys(let id, let forward, let backward): takeNeighborKeys(id, forward, backward)
        case .prefetch(let ticket, let request, let refused): prefetch(ticket, request, refused: refused)
        case .refresh(let ticket, let request): refresh(ticket, request)
        case .cancel(let ticket): cancel(ticket)
        case .prime(let identity, let page): prime(identity, page)
        case .clear(let selection): clear(selection)
        case .invalidate(.selected(let selection)): invalidate(selection)
        case .invalidate(.tagged(let tags)): invalidate(tags: tags)
        case .looked(let load, let answer): looked(load, answer)
        case .readStore(let load, let answer): readStore(load, answer)
        case .started(let task, let waited): started(task, waited: waited)
        case .refused(let task, let reason): refused(task, reason)
        case .backedOff(let task, let delay): backedOff(task, delay: delay)
        case .paused(let task, let delay, let cause): paused(task, delay: delay, because: cause)
        case .answered(let task, let identity, let result): answered(task, identity, result)
        case .streamed(let task, let page): streamed(task, page)
        case .judged(let task, let verdict): judged(task, verdict)
        case .decided(let token, let decision): decided(token, decision)
        case .timePassed: timePassed()
        // Running attempts continue; later ones are held.
        case .suspend: isSuspended = true
        case .resume: resume()
        case .release: release()
        }
        // The timer may be late after the device slept, so every event handles what is due.
        if let due = deadlines.next, due < self.now { timePassed() }
        // At the end of every event, because many add waiting prefetches.
        limitParked()
        // Everything else exists for waiters.
        if waiters.isEmpty { shrink() }
    }

    private mutating func shrink() {
        loads.shrinkIfEmpty()
        index.shrinkIfEmpty()
        waiters.shrinkIfEmpty()
        arounds.shrinkIfEmpty()
        prefetches.shrinkIfEmpty()
        tasks.shrinkIfEmpty()
        debouncing.shrinkIfEmpty()
    }

    // Returns a unique number; callers' tickets are numbered from 0.
    mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }

    // Returns the time, or a nanosecond after the last one if the clock stands still, so that pages can be ordered by
    // their request time.
    mutating func makeRequestTime(at time: PaginatorInstant = .zero) -> PaginatorInstant {
        now = max(now, time)
        lastRequestTime = max(now, lastRequestTime.advanced(by: .nanoseconds(1)))
        return lastRequestTime
    }

    mutating func report(
        _ kind: PaginatorEvent.Kind, _ identity: PageIdentity?, since start: PaginatorInstant? = nil,
        lasting duration: Duration? = nil, error: PaginatorError? = nil, attempt: Int? = nil,
        origin: PageOrigin? = nil, count: Int? = nil, detail: String? = nil
    ) {
        let nanoseconds = start.map { now.nanoseconds - $0.nanoseconds } ?? duration?.wholeNanoseconds
        counters.record(kind, lasting: nanoseconds, error: error, origin: origin, count: count, detail: detail)
        // Most events are only counted.
        guard isObserved else { return }
        var event = PaginatorEvent(kind, at: now, identity: identity)
        event.duration = start?.duration(to: now) ?? duration
        (event.error, event.attempt, event.origin, event.count, event.detail) = (error, attempt, origin, count, detail)
        outbox.ordered.append(.report(event))
    }

    mutating func post(_ ticket: FetchTicket, _ delivery: Delivery) {
        let callback = Callback(ticket: ticket, delivery: delivery, decidedAt: now)
        if ticket.place != .noQueue {
            outbox.ordered.append(.post(callback))
        } else if delivery.isTerminal {
            outbox.unordered.append(.resumeTask(callback))
        }
    }

    mutating func changeMemory(of selection: PageSelection, by action: OrderedAction) {
        memoryChanges.note(selection)
        outbox.ordered.append(action)
    }

    // Returns the result of a memory lookup, unless the page was changed since.
    func current(_ look: MemoryLookup?, of identity: PageIdentity) -> CacheAnswer? {
        guard let look, isCurrent(identity, since: look.changes) else { return nil }
        return look.answer
    }

    func isCurrent(_ identity: PageIdentity, since changes: UInt64) -> Bool {
        !memoryChanges.mayConcern(identity, since: changes)
    }

    private mutating func timePassed() {
        // The driver also wakes when the lifetime of a page ends.
        outbox.ordered.append(.expireMemory)
        while let deadline = deadlines.popDue(at: now) {
            switch deadline {
            case .waiter(let id): waiterTimedOut(id)
            case .fallback(let id): fallbackDue(id)
            case .debounce(let id): debounceEnded(id)
            case .attempt(let task): attemptTimedOut(task)
            case .storeRead(let load): storeTimedOut(load)
            case .prefetch(let id): endPrefetch(id)
            }
        }
    }

    private mutating func release() {
        guard !isReleased else { return }
        isReleased = true
        // Sorted, so that a simulated run is reproducible. Owners of waiters come first.
        for id in prefetches.keys.sorted() { endPrefetch(id) }
        for id in arounds.keys.sorted() { endAround(id, with: .failure(Self.released)) }
        for id in waiters.keys.sorted() { settle(id, .failure(Self.released)) }
        for id in loads.keys.sorted() { discard(id) }
    }
}
