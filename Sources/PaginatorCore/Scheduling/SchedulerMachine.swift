/// Decides when tasks start: the pure combination of a scheduler's parts.
///
/// Its randomness is determined by a seed. Events of unknown tasks or clients may cross decisions, and are ignored.
struct SchedulerMachine: Machine {
    enum TaskState: Sendable {
        case ready(ReadyQueue.Handle, SchedulerDemand)
        /// Ready, but held back by the pause of its client, or by the conditions.
        case held(SchedulerDemand)
        /// Ready at its deadline.
        case backingOff(SchedulerDemand)
        case running(SchedulerDemand)

        var demand: SchedulerDemand {
            switch self {
            case .ready(_, let demand), .held(let demand), .backingOff(let demand), .running(let demand): demand
            }
        }
    }

    enum Deadline: Hashable, Sendable {
        case backOff(SchedulerTask)
        case pauseEnd(client: UInt64)
        case permit
    }

    let config: PaginatorSchedulerConfig
    var outbox = MachineOutbox<SchedulerDecision, Never>()
    /// The tasks of each client.
    var clients: [UInt64: [UInt64: TaskState]] = [:]
    var lastClient: UInt64 = 0
    var ready = ReadyQueue()
    var deadlines = DeadlineQueue<Deadline>()
    var running = 0
    var fairness: StartFairness
    let backoff: Backoff
    var budget: RetryBudget
    var throttle: AdaptiveThrottle?
    var rate: TokenBucket?
    var random: SplitMix64
    var isSuspended = false
    /// The conditions that were reported last.
    var heard: PaginatorConditions?
    /// The number of tasks that a caller wants.
    private(set) var wantedByCallers = 0
    var now = PaginatorInstant(nanoseconds: .min)

    init(config: PaginatorSchedulerConfig, seed: UInt64) {
        self.config = config
        fairness = StartFairness(bound: config.agingBound)
        backoff = Backoff(base: config.backoffBase, cap: config.backoffCap)
        budget = RetryBudget(tokens: config.retryBudgetTokens, fading: config.retryBudgetFading)
        throttle = config.throttlesFailingSource ? AdaptiveThrottle() : nil
        rate = config.rateLimit.map { TokenBucket(permits: $0.permits, per: $0.duration, burst: $0.burst) }
        random = SplitMix64(seed: seed)
    }

    var nextDeadline: PaginatorInstant? { deadlines.next }

    /// Without a connectivity the device counts as connected to power.
    var conditions: PaginatorConditions { heard ?? .charging }

    mutating func addClient() -> UInt64 {
        lastClient += 1
        clients[lastClient] = [:]
        return lastClient
    }

    // Deadlines first, then the event, then the starts that it allows.
    mutating func handle(_ event: SchedulerEvent, at now: PaginatorInstant) {
        // Threads may feed events in another order than they read the clock.
        self.now = max(self.now, now)
        expire()
        apply(event)
        startWhatMay()
    }

    private mutating func apply(_ event: SchedulerEvent) {
        switch event {
        case .submit(let task, let demand): submit(task, demand)
        case .reprioritize(let task, let demand): reprioritize(task, demand)
        case .retry(let task, let demand, let failures, let statedDelay):
            retry(task, demand, failures: failures, statedDelay: statedDelay)
        case .cancel(let task): forget(task)
        case .attemptEnded(let task, let outcome): attemptEnded(task, outcome)
        case .pause(let client, let delay): pause(client, for: delay)
        case .removeClient(let client): removeClient(client)
        case .suspend: isSuspended = true
        case .resume: isSuspended = false
        case .conditionsChanged(let conditions): conditionsChanged(conditions)
        case .conditionsAtStart(let conditions): if heard == nil { conditionsChanged(conditions) }
        case .timePassed: break
        }
    }

    private mutating func submit(_ task: SchedulerTask, _ demand: SchedulerDemand) {
        guard clients[task.client] != nil, self[task] == nil else { return }
        enqueue(task, demand)
    }

    mutating func reprioritize(_ task: SchedulerTask, _ demand: SchedulerDemand) {
        switch self[task] {
        case .ready(let handle, _):
            // A waiter whose failure is reported may have joined a task that was allowed to wait.
            if let reason = refusal(of: demand) { return refuse(task, reason) }
            guard let kind = kind(of: demand) else {
                ready.remove(handle)
                self[task] = .held(demand)
                return
            }
            let moved = ready.reprioritize(handle, priority: demand.priority, kind: kind, at: now)
            self[task] = .ready(moved ?? handle, demand)
        case .held:
            if let reason = refusal(of: demand) { return refuse(task, reason) }
            self[task] = .held(demand)
            if pauseEnd(of: task.client) == nil, kind(of: demand) != nil { enqueue(task, demand) }
        case .backingOff: self[task] = .backingOff(demand)
        case .running: self[task] = .running(demand)
        case nil: break
        }
    }

    private mutating func attemptEnded(_ task: SchedulerTask, _ outcome: AttemptOutcome) {
        // If the task was cancelled meanwhile, its slot would be counted twice.
        guard case .running(let demand) = self[task] else { return }
        forget(task)
        record(outcome, of: demand)
    }

    private mutating func removeClient(_ client: UInt64) {
        for (task, _) in sortedTasks(of: client) { forget(task) }
        clients[client] = nil
        deadlines.remove(.pauseEnd(client: client))
    }
}

extension SchedulerMachine {
    /// Setting a task of an unknown client does nothing.
    subscript(task: SchedulerTask) -> TaskState? {
        get { clients[task.client]?[task.id] }
        set {
            let former = clients.change(task.client) { tasks in
                guard let newValue else { return tasks.removeValue(forKey: task.id) }
                return tasks.updateValue(newValue, forKey: task.id)
            }
            // Without a client there was no task before, either.
            guard let former else { return }
            count(former?.demand, -1)
            count(newValue?.demand, 1)
        }
    }

    // Sorted, because a dictionary's order differs from run to run, and a seed must be reproducible.
    func sortedTasks(of client: UInt64) -> [(task: SchedulerTask, state: TaskState)] {
        (clients[client] ?? [:]).sorted { $0.key < $1.key }
            .map { (SchedulerTask(client: client, id: $0.key), $0.value) }
    }

    var sortedTasks: [(task: SchedulerTask, state: TaskState)] { clients.keys.sorted().flatMap(sortedTasks(of:)) }

    private mutating func count(_ demand: SchedulerDemand?, _ change: Int) {
        if demand?.isAhead == false { wantedByCallers += change }
    }

    /// Returns the refusal; `nil` if the task may start, or waits because its failure is not reported.
    func refusal(of demand: SchedulerDemand) -> SchedulerRefusal? {
        if case .ahead(_, mayWait: true) = demand.wanted { return nil }
        guard !lacksConnection(demand) else { return config.waitsForConnectivity ? nil : .offline }
        guard let kind = kind(of: demand), kind < .idlePrefetch else { return .heldBack }
        return nil
    }

    mutating func enqueue(_ task: SchedulerTask, _ demand: SchedulerDemand) {
        if let reason = refusal(of: demand) {
            refuse(task, reason)
        } else if let end = pauseEnd(of: task.client) {
            hold(task, demand, until: end)
        } else if let kind = kind(of: demand) {
            let handle = ready.add(task, priority: demand.priority, kind: kind, at: now)
            self[task] = .ready(handle, demand)
        } else {
            self[task] = .held(demand)
        }
    }

    mutating func refuse(_ task: SchedulerTask, _ reason: SchedulerRefusal) {
        forget(task)
        outbox.ordered.append(.refuse(task, reason))
    }

    mutating func forget(_ task: SchedulerTask) {
        switch self[task] {
        case .ready(let handle, _): ready.remove(handle)
        case .backingOff: deadlines.remove(.backOff(task))
        case .running: running -= 1
        case .held, nil: break
        }
        self[task] = nil
        clients.change(task.client) { $0.shrinkIfEmpty() }
    }
}
