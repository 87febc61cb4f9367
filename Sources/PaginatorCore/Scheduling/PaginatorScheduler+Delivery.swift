extension PaginatorScheduler {
    /// Feeds an event to the machine, and hands on what it decided.
    func perform(_ event: (inout SchedulerMachine, PaginatorInstant) -> [SchedulerDecision]) {
        let now = clock.now
        perform { event(&$0.machine, now) }
    }

    /// Runs `body` with the lock held, then asks for the clients' turns and sets the timer without it.
    func perform(_ body: (inout State) -> [SchedulerDecision]) {
        if decide(body) { setTimer() }
    }

    /// Feeds an event for a client that may hold a lock: the clock, which is the user's, is not called.
    ///
    /// - Parameter now: the time; `nil` when no lock is held, and the timer is set right as well.
    /// - Returns: whether the caller has to set the timer when no lock is held.
    func perform(
        at now: PaginatorInstant?, _ event: (inout SchedulerMachine, PaginatorInstant) -> [SchedulerDecision]
    ) -> Bool {
        guard let now else {
            perform(event)
            return false
        }
        return decide { event(&$0.machine, now) }
    }

    /// Runs `body` with the lock held, then asks for the clients' turns; says whether the timer is set wrong now.
    private func decide(_ body: (inout State) -> [SchedulerDecision]) -> Bool {
        let (awaiting, isTimerWrong) = state.withLock { state -> ([UInt64], Bool) in
            var awaiting: [UInt64] = []
            for decision in body(&state)
            where state.outboxes.change(decision.client, { $0.append(decision) }) ?? false {
                awaiting.append(decision.client)
            }
            return (awaiting, state.machine.nextDeadline != state.armed)
        }
        for client in awaiting { askForTurn(of: client) }
        return isTimerWrong
    }

    private func askForTurn(of client: UInt64) {
        executor.runPromptly { [self] mayBlock in tell(client, mayBlock: mayBlock) }
    }

    /// Tells a client what was decided, and what is decided meanwhile, until its turn is over; one that no longer lives is
    /// unregistered.
    ///
    /// The only attempt of a turn waits for the turn's end, when this thread is free for it; several keep their order.
    ///
    /// - Parameter mayBlock: whether the thread may run an attempt at all.
    private func tell(_ number: UInt64, mayBlock: Bool) {
        var left = SchedulerOutbox.turn
        var attempts = 0
        var loneAttempt: (@Sendable () -> Void)?
        while left > 0 {
            let next = state.withLock { $0.outboxes.change(number) { $0.next(upTo: left) } ?? nil }
            guard let (client, batch) = next else {
                unregister(number)
                return
            }
            guard !batch.isEmpty else { return run(loneAttempt, mayBlock: mayBlock) }
            for decision in batch {
                guard let attempt = tell(client, decision) else { continue }
                attempts += 1
                if attempts == 1 {
                    loneAttempt = attempt
                } else {
                    if let earlier = loneAttempt.take() { executor.run(earlier) }
                    executor.run(attempt)
                }
            }
            left -= batch.count
        }
        let goesOn = state.withLock { $0.outboxes.change(number) { $0.endTurn() } ?? false }
        if goesOn { askForTurn(of: number) }
        run(loneAttempt, mayBlock: mayBlock)
    }

    private func run(_ attempt: (@Sendable () -> Void)?, mayBlock: Bool) {
        guard let attempt else { return }
        if mayBlock { attempt() } else { executor.run(attempt) }
    }

    /// Tells a client one decision, and returns the attempt that it has made of it.
    private func tell(_ client: any SchedulerClient, _ decision: SchedulerDecision) -> (@Sendable () -> Void)? {
        switch decision {
        case .start(let task, let waited): return client.schedulerDidStart(task.id, waited: waited)
        case .refuse(let task, let reason): client.schedulerDidRefuse(task.id, reason: reason)
        case .backOff(let task, let delay): client.schedulerDidBackOff(task.id, delay: delay)
        case .hold(let task, let delay): client.schedulerDidHold(task.id, delay: delay)
        case .wake: client.schedulerDidWake()
        }
        return nil
    }

    /// Sets the timer to the next deadline; one thread at a time, so that the newest deadline is the one that stays.
    ///
    /// The clock and its timers are the user's code, so no lock may be held, of whomever.
    func setTimer() {
        let isMine = state.withLock { state in
            defer { state.isArming = true }
            return !state.isArming
        }
        guard isMine else { return }
        while let (timer, deadline) = nextArming() {
            guard let timer else {
                let timer = clock.makeTimer { [weak self] in self?.timerFired() }
                state.withLock { $0.timer = timer }
                continue
            }
            if let deadline { timer.arm(at: deadline) } else { timer.disarm() }
        }
    }

    /// What the timer is to be set to; `nil`, and the arming over, when it is set right. No timer is made in vain.
    private func nextArming() -> (timer: (any PaginatorTimer)?, deadline: PaginatorInstant?)? {
        state.withLock { state in
            let deadline = state.machine.nextDeadline
            guard deadline != state.armed else {
                state.isArming = false
                return nil
            }
            if state.timer != nil { state.armed = deadline }
            return (state.timer, deadline)
        }
    }

    private func timerFired() {
        let now = clock.now
        perform { state in
            // A timer that fired is not armed any more, whatever it was armed to.
            state.armed = nil
            return state.machine.timePassed(at: now)
        }
    }
}
