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
            invalidations.add(1)
            reportRemoved(memory.remove(selection, because: cause), at: now)
            memoryChanged(selection, at: now)
        case .dropFromMemory(let identity, let page):
            reportRemoved(memory.remove(identity, ifObject: page.object, because: .rejected), at: now)
            memoryChanged(.identity(identity), at: now)
        case .invalidateMemory(let pages, let time):
            invalidations.add(1)
            switch pages {
            case .selected(let selection):
                memory.invalidate(selection)
                memoryChanged(selection, at: now)
            case .tagged(let tags):
                let invalidated = memory.invalidate(tags: tags)
                memoryChanges.add(1)
                for page in invalidated { announce(.state(.identity(page)), at: now) }
            }
            announce(.invalidated(pages, at: time), at: now)
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
