/// Decides when tasks start: the pure composition of a scheduler's parts.
///
/// Events with their time go in, decisions come out; it has no lock, no clock and no timer, and its randomness follows
/// from a seed. A task is unknown, ready, held by a pause of its client, backing off or running. Events about tasks or
/// clients that it does not know change nothing, so that they may cross with decisions under way.
package struct SchedulerMachine: ~Copyable, Sendable {
    /// Who wants a task.
    struct Demand: Sendable {
        var priority: FetchPriority
        var isPrefetch: Bool
        /// Whether somebody is told how it ends, so that it should not wait for a connection.
        var isAwaited: Bool
    }

    enum TaskState: Sendable {
        case ready(ReadyQueue.Handle, isAwaited: Bool)
        /// Ready, but for the pause of its client.
        case held(Demand)
        case backingOff(Demand)
        case running
    }

    enum Deadline: Hashable, Sendable {
        case backOff(SchedulerTask)
        case wakeup(client: UInt64)
        case pauseEnd(client: UInt64)
    }

    let config: PaginatorSchedulerConfig
    var clients = RowTable<RowTable<TaskState>>()
    var lastClient: UInt64 = 0
    var ready = ReadyQueue()
    var deadlines = DeadlineQueue<Deadline>()
    /// Tasks that back off because an attempt failed without a connection; they are due when it is back.
    var stranded = DeadlineQueue<SchedulerTask>()
    var slots: Slots
    var fairness: StartFairness
    let backoff: Backoff
    var budget: RetryBudget
    var throttle: AdaptiveThrottle?
    var rate: TokenBucket?
    /// When the rate allows the next start, while something waits for that.
    var permitDeadline: PaginatorInstant?
    var backingOff = 0
    /// Until when no task of a client may start, because its source asked for that.
    var pauses: [UInt64: PaginatorInstant] = [:]
    var held = 0
    var random: SplitMix64
    var isSuspended = false
    var conditions: PaginatorConditions = []
    var now = PaginatorInstant(nanoseconds: .min)
    var counters = PaginatorScheduler.Counters()
    var decisions: [SchedulerDecision] = []

    /// Makes a scheduler without clients.
    package init(config: PaginatorSchedulerConfig, seed: UInt64) {
        self.config = config
        slots = Slots(limit: config.maxParallelCalls)
        fairness = StartFairness(bound: config.agingBound)
        backoff = Backoff(base: config.backoffBase, cap: config.backoffCap)
        budget = RetryBudget(
            tokens: config.retryBudgetTokens, refill: config.retryBudgetRefill, reserve: config.retryBudgetReserve,
            fading: config.retryBudgetFading)
        throttle = config.adaptiveThrottling.map {
            AdaptiveThrottle(multiplier: $0.multiplier, floor: $0.floor, window: $0.window)
        }
        rate = config.rateLimit.map { TokenBucket(permits: $0.permits, per: $0.duration, burst: $0.burst) }
        random = SplitMix64(seed: seed)
    }

    /// When ``timePassed(at:)`` is to be called next; `nil` when nothing waits for the time.
    package var nextDeadline: PaginatorInstant? {
        guard let next = deadlines.next else { return permitDeadline }
        return permitDeadline.map { min($0, next) } ?? next
    }

    /// Admits a client and returns its number, from 1.
    package mutating func addClient() -> UInt64 {
        lastClient += 1
        clients[lastClient] = RowTable()
        return lastClient
    }

    /// Forgets a client: its tasks go, its slots are free. Complexity: O(its tasks).
    package mutating func removeClient(_ client: UInt64, at now: PaginatorInstant) -> [SchedulerDecision] {
        perform(at: now) {
            guard let tasks = $0.clients.removeValue(forKey: client) else { return }
            $0.deadlines.remove(.wakeup(client: client))
            $0.deadlines.remove(.pauseEnd(client: client))
            $0.pauses[client] = nil
            for (id, state) in tasks { $0.release(SchedulerTask(client: client, id: id), state) }
        }
    }

    /// A task is ready to start; without a connection an awaited one is refused, as configured.
    package mutating func submit(
        _ task: SchedulerTask, priority: FetchPriority, isPrefetch: Bool, isAwaited: Bool? = nil,
        at now: PaginatorInstant
    ) -> [SchedulerDecision] {
        perform(at: now) {
            guard $0.knowsClient(of: task), $0[task] == nil else { return }
            $0.enqueue(
                task, Demand(priority: priority, isPrefetch: isPrefetch, isAwaited: isAwaited ?? !isPrefetch))
        }
    }

    /// A task that is not running is asked for with another priority, or by somebody else.
    package mutating func reprioritize(
        _ task: SchedulerTask, priority: FetchPriority, isPrefetch: Bool, isAwaited: Bool? = nil,
        at now: PaginatorInstant
    ) -> [SchedulerDecision] {
        let demand = Demand(priority: priority, isPrefetch: isPrefetch, isAwaited: isAwaited ?? !isPrefetch)
        return perform(at: now) {
            switch $0[task] {
            case .ready(let handle, _):
                if let reason = $0.refusal(of: demand) {
                    $0.ready.remove(handle)
                    $0.refuse(task, reason)
                } else {
                    $0[task] = .ready(handle, isAwaited: demand.isAwaited)
                    $0.ready.reprioritize(handle, priority: priority, isPrefetch: isPrefetch, at: $0.now)
                }
            case .held:
                if let reason = $0.refusal(of: demand) {
                    $0.held -= 1
                    $0.refuse(task, reason)
                } else {
                    $0[task] = .held(demand)
                }
            case .backingOff: $0[task] = .backingOff(demand)
            case .running, nil: break
            }
        }
    }

    /// A task is not wanted any more; a running one gives its slot back.
    package mutating func cancel(_ task: SchedulerTask, at now: PaginatorInstant) -> [SchedulerDecision] {
        perform(at: now) {
            guard let state = $0[task] else { return }
            $0[task] = nil
            $0.release(task, state)
        }
    }

    /// A running task's attempt is over: it gives its slot back and is forgotten.
    package mutating func attemptEnded(
        _ task: SchedulerTask, outcome: AttemptOutcome, at now: PaginatorInstant
    ) -> [SchedulerDecision] {
        perform(at: now) {
            guard case .running = $0[task] else { return }
            $0[task] = nil
            $0.slots.release()
            $0.learn(from: outcome)
        }
    }

    /// The client wants to be woken at `deadline`, in place of an earlier one; `nil` takes it away.
    package mutating func setWakeup(
        _ client: UInt64, at deadline: PaginatorInstant?, now: PaginatorInstant
    ) -> [SchedulerDecision] {
        perform(at: now) {
            guard $0.clients[client] != nil else { return }
            if let deadline {
                $0.deadlines.set(.wakeup(client: client), at: deadline)
                $0.expire()
            } else {
                $0.deadlines.remove(.wakeup(client: client))
            }
        }
    }

    /// Time has passed; ``nextDeadline`` may be reached.
    package mutating func timePassed(at now: PaginatorInstant) -> [SchedulerDecision] {
        perform(at: now) { _ in }
    }
}

extension SchedulerMachine {
    subscript(task: SchedulerTask) -> TaskState? {
        get { clients[task.client]?[task.id] }
        set { clients.change(task.client) { $0[task.id] = newValue } }
    }

    /// Runs an event: what the time has brought comes before it, the starts that it makes possible after it.
    ///
    /// Several threads may bring their times in another order than they read them; the machine's own time never runs
    /// backwards.
    mutating func perform(at now: PaginatorInstant, _ event: (inout SchedulerMachine) -> Void) -> [SchedulerDecision] {
        self.now = max(self.now, now)
        expire()
        event(&self)
        startWhatMay()
        guard !decisions.isEmpty else { return [] }
        defer { decisions = [] }
        return decisions
    }

    func knowsClient(of task: SchedulerTask) -> Bool { clients[task.client] != nil }

    /// Why such a task, whose end somebody is told, is refused under the conditions; `nil` where it may start or waits.
    func refusal(of demand: Demand) -> SchedulerRefusal? {
        guard demand.isAwaited else { return nil }
        if refusesOffline { return .offline }
        return demand.isPrefetch && !conditionsAllowPrefetch ? .heldBack : nil
    }

    /// Whether what somebody waits for is refused because there is no connection.
    var refusesOffline: Bool { conditions.contains(.offline) && config.offlineBehavior == .failFast }

    /// Puts a task of a known client among the ready ones, holds it, or refuses it.
    mutating func enqueue(_ task: SchedulerTask, _ demand: Demand) {
        if let reason = refusal(of: demand) {
            refuse(task, reason)
        } else if let end = pauses[task.client] {
            hold(task, demand, until: end)
        } else {
            let handle = ready.add(task, priority: demand.priority, isPrefetch: demand.isPrefetch, at: now)
            self[task] = .ready(handle, isAwaited: demand.isAwaited)
        }
    }

    /// Forgets a task that is in no other table any more.
    mutating func refuse(_ task: SchedulerTask, _ reason: SchedulerRefusal) {
        self[task] = nil
        counters.note(reason)
        decisions.append(.refuse(task, reason))
    }

    /// Takes a task that is being forgotten out of the tables that its state put it into.
    mutating func release(_ task: SchedulerTask, _ state: TaskState) {
        switch state {
        case .ready(let handle, _): ready.remove(handle)
        case .held: held -= 1
        case .backingOff:
            backingOff -= 1
            deadlines.remove(.backOff(task))
            stranded.remove(task)
        case .running: slots.release()
        }
    }
}
