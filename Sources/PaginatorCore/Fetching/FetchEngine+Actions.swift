struct FollowUp {
    /// Whether the scheduler's timer has to be set, which calls the clock of the user.
    var isSchedulerTimerWrong = false
    /// Attempts to start: after the lock is released, because their threads take it; before the unordered actions, so
    /// that none waits for a validator. Attempts that were decided on different threads may start in any order.
    var calls: [(task: UInt64, request: SourceRequest)] = []
    /// Pages that were admitted to memory without all committed edits.
    var unedited: [PageIdentity] = []
}

// Performs the actions of the machine.
extension FetchEngine {
    // Performs one ordered action that was decided at `now`. The driver's lock is held, so no user code runs, except
    // for the eviction strategy.
    func apply(_ action: OrderedAction, at now: PaginatorInstant, _ followUp: inout FollowUp) {
        switch action {
        case .admit(let identity, let page):
            admit(page, as: identity, at: now, &followUp)
        case .removeFromMemory(let selection, let cause):
            reportRemoved(memory.remove(selection, because: cause), at: now)
            memoryChanged(selection, at: now)
        case .dropFromMemory(let identity, let page):
            reportRemoved(memory.remove(identity, ifObject: page.object, because: .rejected), at: now)
            memoryChanged(.identity(identity), at: now)
        case .invalidateMemory(let selection, let time):
            memory.invalidate(selection)
            memoryChanged(selection, at: now)
            announce(.invalidated(.selected(selection), at: time), at: now)
        case .invalidateTags(let tags, let time):
            let pages = memory.invalidate(tags: tags)
            memoryChanges.add(1)
            for page in pages { announce(.state(.identity(page)), at: now) }
            announce(.invalidated(.tagged(tags), at: time), at: now)
            storeCalls?.change(.invalidateTags(tags))
        case .expireMemory:
            reportRemoved(memory.expire(at: now), at: now)
        case .changeStore(let change):
            storeCalls?.change(change)
            // The store got these edits before the page, so it has to apply them to the page again.
            if case .save(let identity, let page) = change, let (edit, _, _) = edits.missing(after: page.editCount) {
                storeCalls?.change(.edit(.identity(identity), edit))
            }
        case .readStore(let identity, let load):
            // The store has been passed all edits up to this number.
            let edits = edits.count
            storeCalls?.read(identity) { [reference] result in
                reference.engine?.storeAnswered(identity, load, result, edits: edits)
            }
        case .post(let callback):
            post(callback)
        case .pageChanged(let identity, let time):
            announce(.state(.identity(identity)), at: time)
        case .report(let event):
            events.post(event)
        case .submit(let task, let demand):
            tell(.submit(named(task), demand), at: now, &followUp)
        case .retry(let task, let demand, let failures, let statedDelay):
            tell(.retry(named(task), demand, failures: failures, statedDelay: statedDelay), at: now, &followUp)
        case .reprioritize(let task, let demand):
            tell(.reprioritize(named(task), demand), at: now, &followUp)
        case .withdraw(let task):
            tell(.cancel(named(task)), at: now, &followUp)
        case .endAttempt(let task, let outcome):
            tell(.attemptEnded(named(task), outcome), at: now, &followUp)
        case .callSource(let task, let request):
            followUp.calls.append((task, request))
        }
    }

    // Counted before it waits, so that the log keeps the edits that the page may lack at delivery.
    func post(_ callback: Callback) {
        if callback.delivery.hasPage { edits.undeliveredPages.add(1) }
        mailbox.post(callback)
    }

    private func named(_ task: UInt64) -> SchedulerTask { SchedulerTask(client: client, id: task) }

    private func tell(_ event: SchedulerEvent, at now: PaginatorInstant, _ followUp: inout FollowUp) {
        let isTimerWrong = scheduler.feed(event, at: now, from: client) { task, waited in
            // The driver queues the event, because this code already runs inside one of its actions.
            _ = driver.feed(.started(task, waited: waited), at: now, ordered: { _, _ in }, unordered: { _ in })
        }
        if isTimerWrong { followUp.isSchedulerTimerWrong = true }
    }

    private func admit(
        _ page: LoadedPage, as identity: PageIdentity, at now: PaginatorInstant, _ followUp: inout FollowUp
    ) {
        if page.isPartial, page.details.isStorable {
            // A whole page is more useful than a part. An older one of another revision is only a fallback.
            if let whole = memory.read(identity, at: now, touching: false), !whole.isPartial {
                let isSame = page.details.revision.map { whole.details.revision?.hasSameBytes(as: $0) == true } == true
                if !isSame, !whole.isInvalidated, whole.fetchedAt < page.fetchedAt {
                    memory.invalidate(.identity(identity))
                    storeCalls?.change(.invalidate(.identity(identity)))
                }
                // In any case, because the machine has counted a change, and compares the two counts.
                return memoryChanged(.identity(identity), at: now)
            }
            // A page in the store is older than the part, so from now on it is only a fallback.
            storeCalls?.change(.invalidate(.identity(identity)))
        }
        if page.details.isStorable || subscriptions.isObserved(identity) {
            let lacksEdits = page.editCount < edits.count
            if lacksEdits { followUp.unedited.append(identity) }
            reportRemoved(memory.admit(identity, page, lacksEdits: lacksEdits, at: now).removed, at: now)
            // The last observer may have left just before the page was admitted, when there was nothing to remove yet.
            if !page.details.isStorable, !subscriptions.isObserved(identity) {
                reportRemoved(memory.remove(identity, ifObject: page.object, because: .replaced), at: now)
            }
        } else {
            reportRemoved(memory.remove(.identity(identity), because: .replaced), at: now)
        }
        memoryChanged(.identity(identity), at: now)
        // A screen keeps its whole page until the new page is whole.
        if page.origin == .source, !page.isPartial { announce(.renewed(identity, page), at: now) }
    }

    private func memoryChanged(_ selection: PageSelection, at now: PaginatorInstant) {
        // After the change: a reader that sees the new number also sees the changed memory.
        memoryChanges.add(1)
        announce(.state(selection), at: now)
    }

    func announce(_ change: PageChange, at now: PaginatorInstant) {
        subscriptions.tell(change, in: mailbox, at: now)
    }

    func reportRemoved(_ gone: RemovedPages, at now: PaginatorInstant) {
        for page in gone {
            counted.withLock { $0.record(.evicted, cause: page.cause) }
            if events.isObserved {
                var event = PaginatorEvent(.evicted, at: now, identity: page.identity)
                event.evictionCause = page.cause
                events.post(event)
            }
            if page.cause != .replaced { announce(.state(.identity(page.identity)), at: now) }
        }
    }

    func trim(toFraction fraction: Double) {
        let now = clock.now
        driver.withMachine { _ in reportRemoved(memory.trim(toFraction: fraction), at: now) }
    }

    /// Removes a page from memory, for the inspector; returns whether memory had it, or `nil` if it is pinned.
    package func evict(_ identity: PageIdentity) -> Bool? {
        let now = clock.now
        return driver.withMachine { _ in
            guard !memory.isPinned(identity) else { return nil }
            let gone = memory.remove(.identity(identity), because: .trimmed)
            reportRemoved(gone, at: now)
            return !gone.isEmpty
        }
    }

    // Performs one unordered action. A prompt thread must not block: user code runs on another thread.
    func perform(_ action: UnorderedAction, isPrompt: Bool) {
        switch action {
        case .lookUp(let identity, let load, let runsOnExecutor):
            guard isPrompt || runsOnExecutor else { return feed(.looked(load, lookUp(identity, at: clock.now))) }
            runOnExecutor { $0.feed(.looked(load, $0.lookUp(identity, at: $0.clock.now))) }
        case .stopSource(let task):
            guard isPrompt else { return stop(task) }
            // Keeps the engine alive, so that the source is stopped even if the paginator is released.
            executor.run { [self] in stop(task) }
        // Follows an answer of the source, which no prompt thread brings.
        case .judge(let task, let identity, let page):
            judge(task, identity, page)
        case .decide(let token, let failure):
            runOnExecutor { $0.feed(.decided(token, $0.config.errorStrategy.decide(failure))) }
        case .neighborKeys(let id, let request):
            runOnExecutor { $0.computeNeighborKeys(id, request) }
        case .resumeTask(let callback) where isPrompt && callback.delivery.hasPage:
            // Delivery runs pending edits, which may block. The mailbox limits that to one thread of the executor.
            post(callback)
        case .resumeTask(let callback):
            callback.run(edits, delivered)
        }
    }

    func runOnExecutor(_ work: @escaping @Sendable (FetchEngine) -> Void) {
        executor.run { [reference] in if let engine = reference.engine { work(engine) } }
    }

    func lookUp(_ identity: PageIdentity, at now: PaginatorInstant) -> CacheAnswer {
        guard let page = memory.read(identity, at: now, touching: true) else { return .miss }
        return judgeCached(identity, page, at: now)
    }

    private func judgeCached(_ identity: PageIdentity, _ page: LoadedPage, at now: PaginatorInstant) -> CacheAnswer {
        let isStale = page.isStale(at: now)
        // A stale part is never continued, and the store may have a whole page as a fallback.
        if page.isPartial, isStale { return .miss }
        let answer = judgeWhole(identity, page, isStale: isStale, at: now)
        return page.isPartial && answer.page != nil ? .part(page) : answer
    }

    private func judgeWhole(
        _ identity: PageIdentity, _ page: LoadedPage, isStale: Bool, at now: PaginatorInstant
    ) -> CacheAnswer {
        guard operations.judgesPages else { return isStale ? .stale(page) : .fresh(page) }
        let verdict = operations.judge(page.object, context(identity, page, page.origin, at: now))
        if verdict != .accept {
            var event = PaginatorEvent(.verdict, at: now, identity: identity)
            event.origin = page.origin
            event.detail = "\(verdict)"
            event.duration = now.duration(to: clock.now)
            report(event)
        }
        switch verdict {
        case .accept: return isStale ? .stale(page) : .fresh(page)
        case .useButRefresh: return isStale ? .stale(page) : .freshButRefresh(page)
        case .dropAndReload: return .dropped(page)
        case .fail(let reason): return .rejected(reason: reason, isStale: isStale)
        }
    }

    private func storeAnswered(
        _ identity: PageIdentity, _ load: UInt64, _ result: Result<LoadedPage?, PaginatorError>, edits count: UInt64
    ) {
        switch result {
        case .success(var page?):
            // The number of edits that the store had been passed when the read was posted.
            page.editCount = count
            page = check.checked(edits.current(page))
            feed(.readStore(load, judgeCached(identity, page, at: clock.now)))
        case .success(nil): feed(.readStore(load, .miss))
        case .failure(let error): feed(.readStore(load, .failed(error)))
        }
    }

    func callSource(_ task: UInt64, _ request: SourceRequest) {
        let call = AttemptCall(task, request.identity, edits: edits.count, engine: reference)
        // Registered first, so that a stop from here on finds the call.
        calls.withLock { $0[task] = call }
        let now = clock.now
        guard let plan = driver.withMachine({ $0.planCall(task, at: now) }) else { return stop(task) }
        call.base = plan.base
        var request = request
        request.part = plan.part
        request.continuation = plan.base?.details.continuation
        request.context.page = plan.base == nil ? offeredPage(request) : nil
        request.context.caller = call
        // The source may answer, or the call may be stopped, before the handle is returned.
        call.made(operations.callSource(request) { call.answer($0) })
    }

    private func stop(_ task: UInt64) {
        calls.withLock { $0.removeValue(forKey: task) }?.stop()
    }

    func take(_ result: Result<LoadedPage, SourceError>, of call: AttemptCall) {
        _ = calls.withLock { $0.removeValue(forKey: call.task) }
        feed(.answered(call.task, call.identity, result.flatMap { joined($0, of: call) }))
    }

    // Joins the page of a call to the part that it continues, and applies all committed edits.
    private func joined(_ page: LoadedPage, of call: AttemptCall) -> Result<LoadedPage, SourceError> {
        var page = edits.current(page)
        if let base = call.base {
            var head = edits.current(base)
            // An edit may be committed between the two reads.
            while head.editCount != page.editCount { (head, page) = (edits.current(head), edits.current(page)) }
            guard var whole = operations.join(head, page, call.identity) else {
                return .failure(.fatal(PageChangedBetweenParts()))
            }
            (whole.editCount, whole.refreshError) = (page.editCount, page.refreshError)
            whole.isInParts = true
            page = whole
        }
        return check.refusal(ofTags: page.details.tags).map { .failure(.fatal($0)) } ?? .success(check.checked(page))
    }

    // Shows the first items of a page if the validator accepts them.
    func show(_ page: LoadedPage, of call: AttemptCall) {
        guard page.isPartial, operations.isPage(page.object), case .success(let page) = joined(page, of: call) else {
            return
        }
        operations.judgeFetched(page.object, context(call.identity, page, .source, at: clock.now)) {
            [reference] verdict in
            if verdict == .accept { reference.engine?.feed(.streamed(call.task, page)) }
        }
    }

    // Returns the cached page that the source may revalidate, with all committed edits; the load's copy is older.
    private func offeredPage(_ request: SourceRequest) -> LoadedPage? {
        guard request.context.offersPage else { return nil }
        let page = inMemory(request.identity, touching: false) ?? request.context.page
        return page.flatMap { $0.isPartial ? nil : edits.current($0) }
    }

    func pauseSource(for delay: Duration, because cause: (any Error)?) {
        let now = clock.now
        pause.extend(to: now.advanced(by: min(delay, max(.zero, scheduler.sourcePauseCap))), because: cause)
        var event = PaginatorEvent(.sourcePaused, at: now)
        event.duration = delay
        report(event)
        scheduler.feed(.pause(client: client, delay))
    }

    private func judge(_ task: UInt64, _ identity: PageIdentity, _ page: LoadedPage) {
        operations.judgeFetched(page.object, context(identity, page, .source, at: clock.now)) { [reference] verdict in
            reference.engine?.feed(.judged(task, verdict))
        }
    }

    func context(
        _ identity: PageIdentity, _ page: LoadedPage, _ origin: PageOrigin, at now: PaginatorInstant
    ) -> ValidationContext {
        // The age of a page from the source is 0, even if the call took long.
        let age = origin == .source ? .zero : page.age(at: now)
        return ValidationContext(
            identity: identity, origin: origin, age: age, isStale: page.isStale(at: now), wallTime: clock.wallTime)
    }

    private func computeNeighborKeys(_ id: UInt64, _ request: AroundRequest) {
        func chain(_ next: (NeighborKeys) -> String?) -> [String] {
            var keys: [String] = []
            var key = request.page.key
            while keys.count < request.depthLevel,
                let neighbors = operations.neighborKeys(key, request.page.pageSize),
                let following = next(neighbors),
                // A bad key is reported later, when a page names it.
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

// The second part of a page does not continue the first, because the page has changed between them.
struct PageChangedBetweenParts: Error {}

extension FetchEngine: SchedulerClient {
    func schedulerDidDecide(_ decision: SchedulerDecision) {
        switch decision {
        case .start(let task, let waited): feed(.started(task.id, waited: waited), isPrompt: true)
        case .refuse(let task, let reason): feed(.refused(task.id, reason), isPrompt: true)
        case .backOff(let task, let delay): feed(.backedOff(task.id, delay: delay), isPrompt: true)
        case .hold(let task, let delay):
            feed(.paused(task.id, delay: delay, because: pause.cause), isPrompt: true)
        }
    }
}
