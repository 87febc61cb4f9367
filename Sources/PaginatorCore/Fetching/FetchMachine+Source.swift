// The source stage of a load.
extension FetchMachine {
    /// Hands a load to the scheduler.
    mutating func submit(_ id: UInt64) {
        guard let owners = loads.change(id, { $0.owners }) else { return }
        guard !isSuspended else { return hold(id) }
        let task = makeTask(for: id)
        outbox.ordered.append(
            .submit(task, owners.priority, isPrefetch: owners.isPrefetch, isAwaited: owners.isAwaited))
    }

    private mutating func makeTask(for id: UInt64) -> UInt64 {
        let task = makeID()
        tasks[task] = id
        setPause(nil, of: id)
        loads.change(id) {
            $0.sourceStage = .queued(task)
            $0.scheduled = ($0.owners.priority, $0.owners.isPrefetch, $0.owners.isAwaited)
        }
        timePrefetches(of: id)
        return task
    }

    private mutating func hold(_ id: UInt64) {
        loads.change(id) { $0.sourceStage = .held }
        held.append(id)
        timePrefetches(of: id)
    }

    /// Takes note that a load no longer waits for the end of a suspension.
    private mutating func unhold() {
        heldInVain += 1
        guard heldInVain > 32, heldInVain > held.count / 2 else { return }
        var seen: Set<UInt64> = []
        held.removeAll { [loads] in loads[$0]?.sourceStage != .held || !seen.insert($0).inserted }
        heldInVain = 0
    }

    mutating func resume() {
        isSuspended = false
        let waiting = held
        held = []
        heldInVain = 0
        for id in waiting where loads[id]?.sourceStage == .held {
            if loads[id]?.isRetryHeld == true {
                retry(id)
            } else {
                loads.change(id) { $0.sourceStage = .unneeded }
                advance(id)
            }
        }
    }

    mutating func reprioritize(_ id: UInt64) {
        guard let (stage, owners, scheduled) = loads.change(id, { ($0.sourceStage, $0.owners, $0.scheduled) }),
            case .queued(let task) = stage
        else { return }
        let wanted = (owners.priority, owners.isPrefetch, owners.isAwaited)
        guard wanted != scheduled else { return }
        loads.change(id) { $0.scheduled = wanted }
        outbox.ordered.append(.reprioritize(task, wanted.0, isPrefetch: wanted.1, isAwaited: wanted.2))
    }

    /// Stops whatever the source stage is doing.
    mutating func stopSource(of id: UInt64) {
        guard let stage = loads.change(id, { $0.sourceStage }) else { return }
        switch stage {
        case .queued(let task):
            tasks[task] = nil
            outbox.ordered.append(.withdraw(task))
        case .calling(let task):
            tasks[task] = nil
            deadlines.remove(.attempt(task))
            outbox.ordered.append(.endAttempt(task, .abandoned))
            outbox.unordered.append(.stopSource(task))
            if let load = loads[id] { reportAttempt(of: load, error: Self.cancelled) }
        case .judging(let task):
            tasks[task] = nil
            deadlines.remove(.attempt(task))
        case .unneeded, .held, .deciding, .failed:
            break
        }
        retireJudged(of: id)
        loads.change(id) { load in
            load.pendingFailure = nil
            load.isRetryHeld = false
            load.sourceStage = .unneeded
        }
        if stage == .held { unhold() }
    }

    /// The scheduler gives a task its slot.
    mutating func started(_ task: UInt64, waited: Duration) {
        guard let id = tasks[task], let load = loads[id], load.sourceStage == .queued(task) else { return }
        guard !isSuspended else {
            tasks[task] = nil
            outbox.ordered.append(.endAttempt(task, .abandoned))
            return hold(id)
        }
        let others = tasks.count - 1
        let attempt = load.attempts + 1
        let askedAt = makeTimeOfAsking()
        loads.change(id) { [now] in
            $0.attempts = attempt
            $0.askedAt = askedAt
            $0.attemptStartedAt = now
            $0.sourceStage = .calling(task)
        }
        timePrefetches(of: id)
        deadlines.set(.attempt(task), at: now.advanced(by: settings.attemptTimeout))
        report(.attemptStarted, load.identity) { event in
            event.attempt = attempt
            event.duration = waited
            event.count = others
        }
        var request = SourceRequest(
            identity: load.identity, isFirst: load.identity.key.hasSameBytes(as: settings.firstKey), attempt: attempt,
            priority: load.owners.priority, isPrefetch: load.owners.isPrefetch)
        request.context.page = load.candidate
        request.context.offersPage = load.reloads == 0
        outbox.unordered.append(.callSource(task, request))
    }

    mutating func answered(_ task: UInt64, _ identity: PageIdentity, _ result: Result<LoadedPage, SourceError>) {
        guard let id = tasks[task], let load = loads[id], load.sourceStage == .calling(task) else {
            return report(.lateAnswer, identity)
        }
        switch result {
        case .success(var page):
            // By the time of asking, not of the answer, pages can be told apart that may know of different rows.
            page.fetchedAt = load.askedAt
            outbox.ordered.append(.endAttempt(task, .accepted))
            reportAttempt(of: load, error: nil)
            loads.change(id) { [now] in
                $0.judgingSince = now
                $0.sourceStage = .judging(task)
            }
            guard settings.judgesPages else { return judged(page, as: .accept, by: task, of: id) }
            loads.change(id) { $0.judged = page }
            outbox.unordered.append(.judge(task, identity, page))
        case .failure(let failure):
            outbox.ordered.append(.endAttempt(task, failure.isRetryable ? .overloaded : .accepted))
            let code: PaginatorError.Code = failure.isKeyExpired ? .expiredKey : .sourceFailed
            let text =
                failure.isKeyExpired
                ? "The source no longer accepts the key of \(identity)." : "The source failed for \(identity)."
            let error = PaginatorError(code, text, underlying: failure.underlying, attempts: load.attempts)
            reportAttempt(of: load, error: error)
            endAttempt(task, of: id)
            ask(id, about: error, isRetryable: failure.isRetryable, statedDelay: failure.statedDelay)
        }
    }

    mutating func judged(_ task: UInt64, _ verdict: PageVerdict) {
        guard let id = tasks[task],
            let page = loads.change(id, { $0.sourceStage == .judging(task) ? $0.judged : nil }) ?? nil
        else { return }
        judged(page, as: verdict, by: task, of: id)
    }

    private mutating func judged(_ page: LoadedPage, as verdict: PageVerdict, by task: UInt64, of id: UInt64) {
        guard
            let (identity, since, attempts, reloads) = loads.change(
                id, { ($0.identity, $0.judgingSince, $0.attempts, $0.reloads) })
        else { return }
        endAttempt(task, of: id)
        let duration = since.duration(to: now)
        report(verdict == .accept ? .validated : .verdict, identity) { event in
            event.origin = .source
            event.duration = duration
            if verdict != .accept { event.detail = verdict.description }
        }
        switch verdict.kind {
        case .accept:
            finish(id, with: page)
        case .useButRefresh:
            var page = page
            page.isInvalidated = true
            finish(id, with: page)
        case .dropAndReload where reloads == 0:
            loads.change(id) { load in
                load.reloads = 1
                load.sourceStage = .unneeded
            }
            advance(id)
        case .dropAndReload:
            let error = Self.rejection("it was to be loaded again a second time", attempts: attempts)
            ask(id, about: error, isRetryable: false, statedDelay: nil)
        case .fail(let reason):
            ask(id, about: Self.rejection(reason.text, attempts: attempts), isRetryable: false, statedDelay: nil)
        }
    }

    mutating func attemptTimedOut(_ task: UInt64) {
        guard let id = tasks[task], let load = loads[id] else { return }
        let error = PaginatorError(
            .timedOut, "The source did not answer for \(load.identity) within the attempt's time-out.",
            attempts: load.attempts)
        if load.sourceStage == .calling(task) {
            outbox.ordered.append(.endAttempt(task, .overloaded))
            outbox.unordered.append(.stopSource(task))
            reportAttempt(of: load, error: error)
        }
        endAttempt(task, of: id)
        ask(id, about: error, isRetryable: true, statedDelay: nil)
    }

    mutating func refused(_ task: UInt64, _ reason: SchedulerRefusal) {
        guard let id = tasks[task], let load = loads[id], load.sourceStage == .queued(task) else { return }
        tasks[task] = nil
        let last = load.lastError
        let error: PaginatorError
        switch reason {
        case .budgetSpent:
            report(.retryRefused, load.identity)
            error = last ?? PaginatorError(.sourceFailed, "The source failed for \(load.identity).")
        case .throttled:
            report(.throttled, load.identity)
            error = PaginatorError(
                .throttled, "The source has been failing, so \(load.identity) was not asked for.",
                underlying: last?.underlying, attempts: load.attempts)
        case .heldBack:
            guard load.owners.isPrefetch else {
                // Since the scheduler decided that, somebody has come who looks at the page.
                loads.change(id) { $0.sourceStage = .unneeded }
                return advance(id)
            }
            error = PaginatorError(
                .heldBack, "The conditions speak for loading less, so \(load.identity) was not asked for ahead.",
                underlying: last?.underlying, attempts: load.attempts)
        case .offline:
            error = PaginatorError(
                .offline, "There is no connection to load \(load.identity).", underlying: last?.underlying,
                attempts: load.attempts)
        }
        ask(id, about: error, isRetryable: false, statedDelay: nil)
        loads.change(id) { $0.wasRefused = true }
    }

    mutating func backedOff(_ task: UInt64, delay: Duration) {
        guard let id = tasks[task], let load = loads[id] else { return }
        report(.retryScheduled, load.identity) { event in
            event.duration = delay
            event.attempt = load.attempts
        }
        if load.statedDelay != nil, let error = load.lastError { pause(id, for: delay, error) }
    }

    /// The scheduler keeps a load waiting, because its source asked to be left alone.
    mutating func heldBack(_ task: UInt64, delay: Duration, because cause: (any Error)?) {
        guard let id = tasks[task], let load = loads[id] else { return }
        report(.throttled, load.identity) { $0.duration = delay }
        let error = PaginatorError(
            .throttled, "The source is to be left alone for \(delay), so \(load.identity) was not asked for.",
            underlying: cause ?? load.lastError?.underlying, attempts: load.attempts)
        pause(id, for: delay, error)
    }

    /// The source has said how long it wants to be left alone; whoever has less time than that is told so now.
    private mutating func pause(_ id: UInt64, for delay: Duration, _ error: PaginatorError) {
        setPause((now.advanced(by: delay), error), of: id)
        guard let waiters = loads[id]?.waiters else { return }
        for waiter in waiters where self.waiters[waiter]?.load == id { endIfPauseIsTooLong(waiter) }
    }

    private mutating func setPause(_ pause: (end: PaginatorInstant, error: PaginatorError)?, of id: UInt64) {
        let earlier = loads.change(id) { load in
            let earlier = load.pause
            load.pause = pause
            return earlier
        }
        if let earlier = earlier ?? nil { outbox.retired.append(.error(earlier.error)) }
    }

    /// Ends a waiter whose time is over before the source may be asked again.
    mutating func endIfPauseIsTooLong(_ id: UInt64) {
        guard let waiter = waiters[id], waiter.pendingError == nil, let load = waiter.load.flatMap({ loads[$0] }),
            let pause = load.pause, case .queued = load.sourceStage,
            let deadline = deadlines.deadline(of: .waiter(id)), deadline < pause.end,
            !(waiter.usesCache && isReadingCache(load))
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
        guard let load = loads[id], load.sourceStage == .deciding(number), let error = load.lastError else { return }
        guard decision == .retry, load.attempts < settings.maxAttempts, !load.wasRefused else {
            return finish(id, failing: error, servesCached: decision != .fail)
        }
        guard !isSuspended else {
            loads.change(id) { $0.isRetryHeld = true }
            return hold(id)
        }
        retry(id)
    }

    /// Hands a load to the scheduler again after a failed attempt.
    private mutating func retry(_ id: UInt64) {
        guard let load = loads[id] else { return }
        loads.change(id) { $0.isRetryHeld = false }
        let task = makeTask(for: id)
        outbox.ordered.append(
            .retry(
                task, load.owners.priority, isPrefetch: load.owners.isPrefetch, isAwaited: load.owners.isAwaited,
                failures: load.attempts, statedDelay: load.statedDelay))
    }

    /// Asks the error strategy what to do now.
    private mutating func ask(
        _ id: UInt64, about error: PaginatorError, isRetryable: Bool, statedDelay: Duration?
    ) {
        let number = makeID()
        let earlier = loads.change(id) { load in
            let earlier = load.lastError
            load.sourceStage = .deciding(number)
            load.lastError = error
            load.statedDelay = statedDelay
            load.wasRefused = false
            return earlier
        }
        if let earlier = earlier ?? nil { outbox.retired.append(.error(earlier)) }
        outbox.unordered.append(.decide(.load(id, number: number), failure(error, of: id, isRetryable: isRetryable)))
    }

    /// What the error strategy may know of a failure.
    func failure(_ error: PaginatorError, of id: UInt64, isRetryable: Bool) -> ErrorStrategy.Failure {
        let load = loads[id]
        let identity = load?.identity ?? PageIdentity(key: "", pageSize: 0)
        let cached = load?.candidate.map { $0.age(at: now) }
        return ErrorStrategy.Failure(
            identity: identity, error: error, attempt: load?.attempts ?? 0, maxAttempts: settings.maxAttempts,
            isRetryable: isRetryable, cachedAge: cached)
    }

    private mutating func endAttempt(_ task: UInt64, of id: UInt64) {
        tasks[task] = nil
        deadlines.remove(.attempt(task))
        retireJudged(of: id)
    }

    private mutating func retireJudged(of id: UInt64) {
        let page = loads.change(id) { load in
            let page = load.judged
            load.judged = nil
            return page
        }
        if let page = page ?? nil { outbox.retired.append(.page(page)) }
    }

    private mutating func reportAttempt(of load: Load, error: PaginatorError?) {
        let duration = load.attemptStartedAt.duration(to: now)
        report(.attemptEnded, load.identity) { event in
            event.attempt = load.attempts
            event.duration = duration
            event.error = error
        }
    }
}
