import Synchronization

/// What is left when ordered actions are done. It is released outside every lock, because a `deinit` of the user's may
/// run then.
struct Leftovers: Sendable {
    /// Whether the scheduler's timer has to be set, which calls the user's clock.
    private(set) var isTimerWrong = false
    var removed = RemovedPages()
    /// Pages that came into the caches without edits that were committed before.
    var unedited: [UneditedPage] = []
    private var observations: [PageObservation] = []

    /// Whether releasing it may release something of the user's.
    var holdsObjects: Bool { !removed.isEmpty || !unedited.isEmpty || !observations.isEmpty }

    mutating func note(isTimerWrong: Bool) {
        if isTimerWrong { self.isTimerWrong = true }
    }

    mutating func keep(_ observations: [PageObservation]) {
        if !observations.isEmpty { self.observations.append(contentsOf: observations) }
    }
}

// What the engine does with the actions of its machine.
extension FetchEngine {
    /// Does one ordered action that was decided at `now`. `turn` is held, and no user code but the eviction strategy runs.
    func apply(_ action: OrderedAction, at now: PaginatorInstant, _ leftovers: inout Leftovers) {
        switch action {
        case .admit(let identity, let page) where !page.isStorable && !observations.isObserved(identity):
            note(memory.remove(.identity(identity), because: .replaced), at: now, &leftovers)
            leftovers.keep(observations.pageChanged(identity, in: mailbox, at: now))
            if page.origin == .source { followers.tell(.renewed(identity, page), at: now) }
        case .admit(let identity, let page):
            let mark = edits.mark
            if page.editMark < mark {
                leftovers.unedited.append(
                    UneditedPage(
                        identity: identity, mark: page.editMark, end: mark,
                        isStored: page.origin == .source && page.isStorable))
            }
            note(memory.admit(identity, CachedEntry(page), at: now).removed, at: now, &leftovers)
            leftovers.keep(observations.pageChanged(identity, in: mailbox, at: now))
            if page.origin == .source { followers.tell(.renewed(identity, page), at: now) }
        case .removeFromMemory(let selection, let cause):
            note(memory.remove(selection, because: cause), at: now, &leftovers)
            // Who looks into memory from here on finds none of them, and who looked before has another number.
            clears.add(1, ordering: .releasing)
            leftovers.keep(observations.pagesChanged(selection, in: mailbox, at: now))
        case .dropFromMemory(let identity, let page):
            note(memory.remove(identity, ifObject: page.object, because: .rejected), at: now, &leftovers)
            leftovers.keep(observations.pageChanged(identity, in: mailbox, at: now))
        case .invalidateMemory(let selection):
            memory.invalidate(selection)
            leftovers.keep(observations.pagesChanged(selection, in: mailbox, at: now))
            followers.tell(.invalidated(selection), at: now)
        case .expireMemory:
            note(memory.expire(at: now), at: now, &leftovers)
        case .trimMemory(let fraction):
            note(memory.trim(toFraction: fraction), at: now, &leftovers)
        case .save(let identity, let page):
            storeCalls?.post(.change(.save(identity, page)))
        case .removeFromStore(let selection):
            storeCalls?.post(.change(.remove(selection)))
        case .invalidateStore(let selection):
            storeCalls?.post(.change(.invalidate(selection)))
        case .readStore(let identity, let token):
            // The store has been told of the edits up to here.
            let mark = edits.mark
            storeCalls?.post(
                .read(identity) { [reference] result in
                    reference.engine?.storeAnswered(identity, token, result, mark: mark)
                })
        case .post(let ticket, let delivery, let decidedAt):
            mailbox.post(delivery, to: ticket, decidedAt: decidedAt)
        case .pageChanged(let identity, let time):
            leftovers.keep(observations.pageChanged(identity, in: mailbox, at: time))
        case .report(let event):
            events?.post(event)
        case .submit(let task, let priority, let isPrefetch, let isAwaited):
            let demand = SchedulerDemand(priority, isPrefetch: isPrefetch, isAwaited: isAwaited)
            tell(.submit(named(task), demand), at: now, &leftovers)
        case .retry(let task, let priority, let isPrefetch, let isAwaited, let failures, let statedDelay):
            let demand = SchedulerDemand(priority, isPrefetch: isPrefetch, isAwaited: isAwaited)
            tell(
                .retry(named(task), demand, failures: failures, statedDelay: statedDelay), at: now, &leftovers)
        case .reprioritize(let task, let priority, let isPrefetch, let isAwaited):
            let demand = SchedulerDemand(priority, isPrefetch: isPrefetch, isAwaited: isAwaited)
            tell(.reprioritize(named(task), demand), at: now, &leftovers)
        case .withdraw(let task):
            tell(.cancel(named(task)), at: now, &leftovers)
        case .endAttempt(let task, let outcome):
            tell(.attemptEnded(named(task), outcome), at: now, &leftovers)
        }
    }

    private func named(_ task: UInt64) -> SchedulerTask { SchedulerTask(client: client, id: task) }

    private func tell(_ event: SchedulerEvent, at now: PaginatorInstant, _ leftovers: inout Leftovers) {
        leftovers.note(isTimerWrong: scheduler.feed(event, at: now))
    }

    private func note(_ gone: RemovedPages, at now: PaginatorInstant, _ leftovers: inout Leftovers) {
        guard !gone.isEmpty else { return }
        for page in gone {
            var event = PaginatorEvent(.evicted, at: now, identity: page.identity)
            event.evictionCause = page.cause
            report(event)
            guard page.cause != .replaced else { continue }
            leftovers.keep(observations.pageChanged(page.identity, in: mailbox, at: now))
        }
        leftovers.removed.append(contentsOf: gone)
    }

    /// Does one unordered action, with no lock held.
    func perform(_ action: UnorderedAction) {
        switch action {
        case .lookUp(let identity, let token):
            feed(.looked(token, lookUp(identity)))
        case .callSource(let task, let request):
            scheduler.executor.run { [reference] in reference.engine?.callSource(task, request) }
        case .stopSource(let task):
            calls.stop(task)
        case .judge(let task, let identity, let page):
            judge(task, identity, page)
        case .decide(let token, let failure):
            executor.run { [reference] in
                guard let engine = reference.engine else { return }
                engine.feed(.decided(token, engine.errorStrategy.decide(failure)))
            }
        case .neighborKeys(let id, let request):
            executor.run { [reference] in reference.engine?.computeNeighborKeys(id, request) }
        }
    }

    /// Does one unordered action on a thread that must not wait for anybody: code of the user's is handed on.
    private func performPromptly(_ action: UnorderedAction) {
        switch action {
        case .lookUp where judgesPages, .judge:
            executor.run { [reference] in reference.engine?.perform(action) }
        case .stopSource(let task):
            executor.run { [calls] in calls.stop(task) }
        case .lookUp, .callSource, .decide, .neighborKeys:
            perform(action)
        }
    }

    /// Looks into memory and has the validator judge what is there.
    func lookUp(_ identity: PageIdentity) -> CacheAnswer {
        let now = clock.now
        guard let entry = memory.read(identity, at: now, touching: true) else { return .miss }
        let page = LoadedPage(entry, neighbors: operations.neighbors(of: entry.value))
        return judgeCached(identity, check.checked(page), at: now)
    }

    private func judgeCached(_ identity: PageIdentity, _ page: LoadedPage, at now: PaginatorInstant) -> CacheAnswer {
        let isStale = page.isStale(at: now)
        guard judgesPages else { return isStale ? .stale(page) : .fresh(page) }
        let context = ValidationContext(
            identity: identity, origin: page.origin, age: page.age(at: now), isStale: isStale,
            wallTime: clock.wallTime)
        let verdict = operations.judge(page.object, in: context)
        if verdict != .accept {
            var event = PaginatorEvent(.verdict, at: now, identity: identity)
            event.origin = page.origin
            event.detail = verdict.description
            event.duration = now.duration(to: clock.now)
            report(event)
        }
        switch verdict.kind {
        case .accept: return isStale ? .stale(page) : .fresh(page)
        case .useButRefresh: return isStale ? .stale(page) : .freshButRefresh(page)
        case .dropAndReload: return .dropped(page)
        case .fail(let reason): return .rejected(reason: reason.text)
        }
    }

    private func storeAnswered(
        _ identity: PageIdentity, _ token: CacheToken, _ result: Result<LoadedPage?, PaginatorError>, mark: UInt64
    ) {
        switch result {
        case .success(var page?):
            page.editMark = mark
            page = check.checked(edits.current(page))
            feed(.readStore(token, judgeCached(identity, page, at: clock.now)))
        case .success(nil): feed(.readStore(token, .miss))
        case .failure(let error): feed(.readStore(token, .failed(error)))
        }
    }

    private func callSource(_ task: UInt64, _ request: SourceRequest) {
        // Registered first: whoever stops the call from here on finds it.
        calls.begin(task)
        guard inspect({ $0.isCalling(task) }) else { return calls.stop(task) }
        let call = SourceCall(task, request.identity, mark: edits.mark, engine: reference)
        var request = request
        request.context.page = offeredPage(request)
        request.context.caller = call
        calls.made(task, operations.callSource(request) { call.answer($0) })
    }

    /// Takes the source's answer to a call; only the first one counts.
    fileprivate func take(_ result: Result<LoadedPage, SourceError>, of call: SourceCall) {
        guard call.takeAnswer() else { return feed(.answeredAgain(call.identity)) }
        let standsInFor = calls.answered(call.task)
        let current = result.map { page in
            var page = page
            page.editMark = call.mark
            page.refreshError = standsInFor
            return check.checked(edits.current(page))
        }
        feed(.answered(call.task, call.identity, current))
    }

    /// The page that the source may renew, with all committed edits: a load's page has the mark of its attempt's start.
    private func offeredPage(_ request: SourceRequest) -> LoadedPage? {
        guard request.context.offersPage else { return nil }
        let inMemory = memory.read(request.identity, at: clock.now, touching: false)
            .map { LoadedPage($0, neighbors: NeighborKeys(previous: nil, next: nil)) }
        return (inMemory ?? request.context.page).map { edits.current($0) }
    }

    fileprivate func pauseSource(for delay: Duration, because cause: (any Error)?) {
        let earlier = pauseCause.withLock { latest in
            let earlier = latest
            latest = cause
            return earlier
        }
        withExtendedLifetime(earlier) {}
        var event = PaginatorEvent(.sourcePaused, at: clock.now)
        event.duration = delay
        report(event)
        scheduler.feed(.pause(client: client, delay))
    }

    private func judge(_ task: UInt64, _ identity: PageIdentity, _ page: LoadedPage) {
        let now = clock.now
        let context = ValidationContext(
            identity: identity, origin: .source, age: .zero, isStale: page.isStale(at: now), wallTime: clock.wallTime)
        operations.judgeFetched(page.object, in: context) { [reference] verdict in
            reference.engine?.feed(.judged(task, verdict))
        }
    }

    private func computeNeighborKeys(_ id: UInt64, _ request: AroundRequest) {
        func chain(_ next: (NeighborKeys) -> String?) -> [String] {
            var keys: [String] = []
            var key = request.page.key
            while keys.count < request.depthLevel,
                let neighbors = operations.neighborKeys(of: key, pageSize: request.page.pageSize),
                let following = next(neighbors),
                // The page itself tells of a bad one, if it names it.
                check.refusal(ofKey: following) == nil
            {
                keys.append(following)
                key = following
            }
            return keys
        }
        let forward = request.direction == .backward ? [] : chain(\.next)
        let backward = request.direction == .forward ? [] : chain(\.previous)
        guard !forward.isEmpty || !backward.isEmpty else { return }
        feed(.neighborKeys(id, forward: forward, backward: backward))
    }
}

extension FetchEngine: SchedulerClient {
    package func schedulerDidStart(_ task: UInt64, waited: Duration) -> (@Sendable () -> Void)? {
        var call: (@Sendable () -> Void)?
        feed(.started(task, waited: waited), isPrompt: true) { action in
            if case .callSource(let task, let request) = action {
                call = { [reference] in reference.engine?.callSource(task, request) }
            } else {
                performPromptly(action)
            }
        }
        return call
    }

    package func schedulerDidRefuse(_ task: UInt64, reason: SchedulerRefusal) { feedPromptly(.refused(task, reason)) }

    package func schedulerDidBackOff(_ task: UInt64, delay: Duration) { feedPromptly(.backedOff(task, delay: delay)) }

    package func schedulerDidHold(_ task: UInt64, delay: Duration) {
        feedPromptly(.held(task, delay: delay, because: pauseCause.withLock { $0 }))
    }

    package func schedulerDidWake() {
        forgetWakeup()
        feedPromptly(.timePassed)
    }

    /// Feeds an event on a thread of the scheduler, on which everybody's decisions wait.
    private func feedPromptly(_ event: FetchEvent) {
        feed(event, isPrompt: true) { performPromptly($0) }
    }
}

/// One call of the source, as its completion knows it.
private final class SourceCall: SourceCaller {
    let task: UInt64
    let identity: PageIdentity
    /// How many edits were committed when the call was made.
    let mark: UInt64
    private let isAnswered = Atomic(false)
    private let reference: EngineReference

    init(_ task: UInt64, _ identity: PageIdentity, mark: UInt64, engine reference: EngineReference) {
        self.task = task
        self.identity = identity
        self.mark = mark
        self.reference = reference
    }

    var clock: any PaginatorClock { reference.clock }
    var executor: any WorkExecutor { reference.callExecutor }
    var attemptTimeout: Duration { reference.attemptTimeout }

    func pauseSource(for delay: Duration, because cause: (any Error)?) {
        reference.engine?.pauseSource(for: delay, because: cause)
    }

    func answerStandsIn(for error: SourceError) {
        reference.engine?.calls.answerStandsIn(
            task,
            for: PaginatorError(
                .sourceFailed, "The source could not renew \(identity).", underlying: error.underlying, attempts: 1))
    }

    /// Says whether no answer was taken before.
    func takeAnswer() -> Bool { !isAnswered.exchange(true, ordering: .acquiringAndReleasing) }

    func answer(_ result: Result<LoadedPage, SourceError>) { reference.engine?.take(result, of: self) }
}
