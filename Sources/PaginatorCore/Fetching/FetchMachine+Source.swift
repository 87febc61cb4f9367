// The source stage of a load.
extension FetchMachine {
    mutating func submit(_ load: Load, _ retry: Retry? = nil) {
        if load.sourceWantedAt == nil {
            load.sourceWantedAt = now
            report(.loadStarted, load.identity)
        }
        // Held here and not in the scheduler, which may be shared and continues with the loads of others.
        guard !isSuspended else { return hold(load, retry) }
        // A new number for each attempt, so that messages about an earlier one are ignored.
        let (task, demand) = (makeID(), load.wanted.demand)
        tasks[task] = load.id
        load.source = .queued(Queued(task: task, retry: retry))
        load.demand = demand
        timePrefetches(of: load)
        if let retry {
            let failures = load.call == nil ? 0 : load.attempts - load.failedOffline
            outbox.ordered.append(.retry(task, demand, failures: failures, statedDelay: retry.statedDelay))
        } else {
            outbox.ordered.append(.submit(task, demand))
        }
    }

    private mutating func hold(_ load: Load, _ retry: Retry?) {
        // A dictionary of loads has no order, so each load gets a number.
        load.source = .suspended(order: makeID(), retry)
        timePrefetches(of: load)
    }

    mutating func resume() {
        isSuspended = false
        var waiting: [(order: UInt64, id: UInt64)] = []
        for load in loads.values {
            if case .suspended(let order, _) = load.source { waiting.append((order, load.id)) }
        }
        for (_, id) in waiting.sorted(by: { $0.order < $1.order }) {
            // A load that was released before may have ended this one.
            guard let load = loads[id], case .suspended(_, let retry) = load.source else { continue }
            if let retry {
                submit(load, retry)
            } else {
                load.source = .unneeded
                advance(id)
            }
        }
    }

    mutating func reprioritize(_ load: Load) {
        guard let task = load.source.task else { return }
        switch load.source {
        case .queued where load.demand != load.wanted.demand: break
        // A running attempt is reported only if this changes: a prefetch may have to wait until no caller does.
        case .attempting where load.demand.isAhead != load.wanted.isAhead: break
        default: return
        }
        load.demand = load.wanted.demand
        outbox.ordered.append(.reprioritize(task, load.wanted.demand))
    }

    mutating func stopSource(of load: Load) {
        switch load.source {
        case .queued(let queued):
            outbox.ordered.append(.withdraw(queued.task))
        case .attempting(let task, let since):
            // Says nothing about the health of the source.
            outbox.ordered.append(.endAttempt(task, .abandoned))
            outbox.unordered.append(.stopSource(task))
            reportAttempt(of: load, since: since, error: Self.cancelled)
        // The page of an attempt under validation has already freed its slot.
        case .unneeded, .suspended, .judging, .deciding, .failed:
            break
        }
        if let task = load.source.task { forgetTask(task) }
        load.source = .unneeded
    }

    private mutating func forgetTask(_ task: UInt64) {
        tasks[task] = nil
        deadlines.remove(.attempt(task))
    }

    mutating func started(_ task: UInt64, waited: Duration) {
        guard let (load, _) = queued(task) else { return }
        guard !isSuspended else {
            // The scheduler had decided the start before the suspension.
            tasks[task] = nil
            outbox.ordered.append(.endAttempt(task, .abandoned))
            return hold(load, nil)
        }
        let attempt = load.attempts + 1
        load.attempts = attempt
        load.source = .attempting(task: task, since: now)
        setFailed(load, false)
        timePrefetches(of: load)
        deadlines.set(.attempt(task), at: now.advanced(by: settings.config.attemptTimeout))
        report(.attemptStarted, load.identity, lasting: waited, attempt: attempt, count: tasks.count - 1)
        var request = SourceRequest(
            identity: load.identity, isFirst: load.identity.key.hasSameBytes(as: settings.firstKey), attempt: attempt,
            priority: load.wanted.demand.priority, isPrefetch: load.wanted.isAhead)
        // A source with revisions can answer that the page has not changed.
        request.context.page = load.candidate
        request.context.offersPage = !load.hasReloaded
        outbox.ordered.append(.callSource(task, request))
    }

    /// Records that the source is about to be called, and returns what to request; `nil` if the attempt is over.
    ///
    /// The time counts from this call and not from the start of the attempt: a page requested in between is new enough.
    mutating func planCall(_ task: UInt64, at time: PaginatorInstant) -> CallPlan? {
        guard let load = tasks[task].flatMap({ loads[$0] }), case .attempting(task, _) = load.source else { return nil }
        // Unique, so that a list can tell which of two pages is newer.
        let requestedAt = makeRequestTime(at: time)
        let plan = callPlan(for: load)
        if plan.base == nil, load.part?.answeredItems ?? 0 > 0, load.restarts == 0 {
            // The answer may have fewer items than the part. Once per load: if parts became stale at once, the source
            // would be called forever.
            load.restarts = 1
            load.part = nil
        }
        // In a longer call, rows may have moved between its pages.
        let longAgo = requestedAt.advanced(by: .minutes(-1))
        load.call = Call(
            requestedAt: requestedAt,
            calledAt: plan.base.map(\.calledAt) ?? plan.calledAt.map { max($0, longAgo) }, base: plan.base)
        return plan
    }

    /// Records that the source reads its page after a refresh: pages requested before that must not follow it.
    mutating func noteRead(_ task: UInt64, afterRefreshAt time: PaginatorInstant, isRefresh: Bool) {
        guard let load = tasks[task].flatMap({ loads[$0] }), case .attempting(task, _) = load.source,
            let call = load.call
        else { return }
        load.call?.calledAt = time
        // Not that of the refresh: a list that was refreshed, or got rows, since its request must see that.
        if !isRefresh, call.requestedAt < time { load.call?.requestedAt = makeRequestTime(at: time) }
    }

    mutating func answered(_ task: UInt64, _ identity: PageIdentity, _ result: Result<LoadedPage, SourceError>) {
        guard let load = tasks[task].flatMap({ loads[$0] }), case .attempting(task, let since) = load.source else {
            return report(.lateAnswer, identity)
        }
        var result = result
        if case .success(let page) = result, page.isPartial, let error = refusal(ofPart: page, for: load) {
            result = .failure(.fatal(error))
        }
        switch result {
        case .failure(let failure) where load.call?.base != nil && mayStartOver(load, after: failure):
            outbox.ordered.append(.endAttempt(task, .accepted))
            reportAttempt(
                of: load, since: since,
                error: PaginatorError(
                    .expiredKey, "The source cannot go on with \(load.identity).", underlying: failure.underlying,
                    attempts: load.attempts))
            forgetTask(task)
            startOver(load)
        case .success(var page):
            load.setTimes(of: &page, elseFrom: since)
            outbox.ordered.append(.endAttempt(task, .accepted))
            reportAttempt(of: load, since: since, error: nil)
            // Without a validator the verdict is known, so the lock is kept.
            guard settings.judgesPages else {
                forgetTask(task)
                return judged(page, of: load, as: .accept, since: now)
            }
            // The timeout of the attempt continues, because a validator may also never answer.
            load.source = .judging(task: task, page, since: now)
            outbox.unordered.append(.judge(task, identity, page))
        case .failure(let failure):
            if failure.isWithoutCall { load.call = nil }
            // A failure that is not retryable is no sign of overload, because the source did answer.
            let outcome: AttemptOutcome = failure.isRetryable ? .overloaded : .accepted
            outbox.ordered.append(.endAttempt(task, failure.isWithoutCall ? .abandoned : outcome))
            let code: PaginatorError.Code = failure.isKeyExpired ? .expiredKey : .sourceFailed
            let text =
                failure.isKeyExpired
                ? "The source no longer accepts the key of \(identity)." : "The source failed for \(identity)."
            let error = PaginatorError(code, text, underlying: failure.underlying, attempts: load.attempts)
            reportAttempt(of: load, since: since, error: error)
            forgetTask(task)
            let retry = Retry(statedDelay: failure.statedDelay)
            if failure.lacksConnection, !load.wanted.needsConnection {
                // The rest of the source needs one, so the scheduler holds the load or refuses it.
                load.wanted.needsConnection = true
                load.failedOffline += 1
                return submit(load, retry)
            }
            ask(load, about: error, isRetryable: failure.isRetryable, retry: retry)
        }
    }

    mutating func judged(_ task: UInt64, _ verdict: PageVerdict) {
        guard let load = tasks[task].flatMap({ loads[$0] }), case .judging(task, let page, let since) = load.source
        else { return }
        forgetTask(task)
        judged(page, of: load, as: verdict, since: since)
    }

    private mutating func judged(
        _ page: LoadedPage, of load: Load, as verdict: PageVerdict, since: PaginatorInstant
    ) {
        report(
            verdict == .accept ? .validated : .verdict, load.identity, since: since, origin: .source,
            detail: verdict == .accept ? nil : "\(verdict)")
        switch verdict {
        case .accept:
            finish(load, with: page)
        case .useButRefresh:
            var page = page
            page.isInvalidated = true
            finish(load, with: page)
        // Once per load: a validator that rejects every page must not keep the source busy forever.
        case .dropAndReload where !load.hasReloaded:
            load.hasReloaded = true
            load.part = nil
            load.source = .unneeded
            advance(load.id)
        case .dropAndReload: reject(load, "it was to be loaded again a second time")
        case .fail(let reason): reject(load, reason)
        }
    }

    private mutating func reject(_ load: Load, _ reason: String) {
        // A page that is refused is not continued from its beginning.
        load.part = nil
        let error = Self.rejection(reason, attempts: load.attempts)
        ask(load, about: error, isRetryable: false, retry: Retry())
    }

    mutating func attemptTimedOut(_ task: UInt64) {
        guard let load = tasks[task].flatMap({ loads[$0] }) else { return }
        let error = PaginatorError(
            .timedOut, "The source did not answer for \(load.identity) within the attempt's time-out.",
            attempts: load.attempts)
        // An attempt under validation has already freed its slot.
        if case .attempting(_, let since) = load.source {
            outbox.ordered.append(.endAttempt(task, .overloaded))
            outbox.unordered.append(.stopSource(task))
            reportAttempt(of: load, since: since, error: error)
        }
        forgetTask(task)
        ask(load, about: error, isRetryable: true, retry: Retry())
    }

    mutating func refused(_ task: UInt64, _ reason: SchedulerRefusal) {
        guard let (load, _) = queued(task) else { return }
        tasks[task] = nil
        let error: PaginatorError
        switch reason {
        case .budgetSpent:
            report(.retryRefused, load.identity)
            error = load.lastError ?? load.refusal(.sourceFailed, "The source failed for \(load.identity).")
        case .throttled:
            report(.throttled, load.identity)
            error = load.refusal(.throttled, "The source has been failing, so \(load.identity) was not asked for.")
        case .heldBack:
            guard load.wanted.isAhead else {
                // A caller has joined since the scheduler decided.
                load.source = .unneeded
                return advance(load.id)
            }
            error = load.refusal(
                .heldBack, "The conditions speak for loading less, so \(load.identity) was not asked for ahead.")
        case .offline:
            error = load.refusal(.offline, "There is no connection to load \(load.identity).")
        }
        ask(load, about: error, isRetryable: false, retry: nil)
    }

    mutating func backedOff(_ task: UInt64, delay: Duration) {
        guard let (load, queued) = queued(task) else { return }
        report(.retryScheduled, load.identity, lasting: delay, attempt: load.attempts)
        guard queued.retry?.statedDelay != nil, let error = load.lastError else { return }
        pause(load, for: delay, error)
        // Prefetches have no timeout while they are queued, and later fetches of the page would fail with this load.
        guard delay > settings.config.fetchTimeout else { return }
        for waiter in liveWaiters(of: load) where waiters[waiter]?.isOfPrefetch == true {
            end(waiter, because: error)
        }
    }

    mutating func paused(_ task: UInt64, delay: Duration, because cause: (any Error)?) {
        guard let (load, _) = queued(task) else { return }
        report(.throttled, load.identity, lasting: delay)
        let text = "The source is to be left alone for \(delay), so \(load.identity) was not asked for."
        pause(load, for: delay, load.refusal(.throttled, text, because: cause))
    }

    private func queued(_ task: UInt64) -> (load: Load, queued: Queued)? {
        guard let load = tasks[task].flatMap({ loads[$0] }), case .queued(let queued) = load.source, queued.task == task
        else { return nil }
        return (load, queued)
    }

    // Handles a pause that the source asked for: waiters with less time than the pause are settled now.
    private mutating func pause(_ load: Load, for delay: Duration, _ error: PaginatorError) {
        guard case .queued(var queued) = load.source else { return }
        queued.pause = (now.advanced(by: delay), error)
        load.source = .queued(queued)
        endIfPauseIsTooLong(all: load.id)
    }

    /// Ends those waiters of a load that have less time than the pause of the source.
    mutating func endIfPauseIsTooLong(all id: UInt64) {
        for waiter in liveWaiters(of: id) { endIfPauseIsTooLong(waiter) }
    }

    mutating func endIfPauseIsTooLong(_ id: UInt64) {
        // A waiter that may still get a cached page waits for it.
        guard let waiter = waiters[id], case .waiting(let loadID) = waiter.stage, let load = loads[loadID],
            case .queued(let queued) = load.source, let pause = queued.pause,
            let deadline = deadlines.deadline(of: .waiter(id)), deadline < pause.end,
            !(waiter.policy.usesCache && !load.cache.isDone)
        else { return }
        end(id, because: pause.error)
    }

    mutating func decided(_ token: DecisionToken, _ decision: ErrorStrategy.Decision) {
        switch token {
        case .waiter(let id): timeoutDecided(id, decision)
        case .load(let id, let number): failureDecided(id, number, decision)
        }
    }

    private mutating func failureDecided(_ id: UInt64, _ number: UInt64, _ decision: ErrorStrategy.Decision) {
        guard let load = loads[id], case .deciding(number, let error, let retry) = load.source else { return }
        // The number of attempts is limited, whatever the strategy says.
        if decision == .retry, load.attempts < maxAttempts(of: load), let retry {
            submit(load, retry)
        } else {
            finish(load, failing: error, servesCached: decision != .fail)
        }
    }

    // Without `retry` there is no further attempt, whatever the strategy decides.
    private mutating func ask(_ load: Load, about error: PaginatorError, isRetryable: Bool, retry: Retry?) {
        // It cannot repeat forever, because the scheduler starts no attempt before the connection is back.
        if isRetryable, isOffline, load.wanted.needsConnection { load.failedOffline += 1 }
        // A load may ask several times; the number makes it ignore late decisions.
        let number = makeID()
        load.source = .deciding(question: number, error, retry)
        // The next call begins at the page's start, so its answer may have as many items as the last one.
        if load.part?.source == .stream { load.part?.answeredItems = 0 }
        // The strategy is user code and may never answer.
        timePrefetches(of: load)
        load.lastError = error
        outbox.unordered.append(
            .decide(.load(load.id, number: number), failure(error, of: load, isRetryable: isRetryable)))
    }

    func failure(_ error: PaginatorError, of load: Load, isRetryable: Bool) -> ErrorStrategy.Failure {
        ErrorStrategy.Failure(
            identity: load.identity, error: error, attempt: load.attempts, maxAttempts: maxAttempts(of: load),
            isRetryable: isRetryable, cachedAge: load.candidate.map { $0.age(at: now) })
    }

    private func maxAttempts(of load: Load) -> Int {
        max(1, min(settings.config.maxAttempts, .max - load.failedOffline)) + load.failedOffline
    }

    private mutating func reportAttempt(of load: Load, since: PaginatorInstant, error: PaginatorError?) {
        report(.attemptEnded, load.identity, since: since, error: error, attempt: load.attempts)
    }
}
