@testable import PaginatorCore

/// What a scheduler must decide, told as searches through one list of tasks; it knows neither throttle nor rate.
struct SchedulerModel {
    enum State: Equatable { case ready, held, backingOff, running }

    struct Row {
        let task: SchedulerTask
        var priority: FetchPriority
        /// Under what those who look ahead would have it run; empty where somebody looks at the page.
        var ahead: Set<PaginatorConditions>
        /// Whether it is refused rather than kept waiting.
        var isAwaited: Bool
        /// Whether it starts only with a connection.
        var isRemote: Bool
        var state = State.ready
        /// Its place among those of its priority.
        var ticket = 0
        /// The priority with which it became ready, and its place there.
        var home = (priority: FetchPriority.low, ticket: 0)
        /// Since when it counts for ageing, and its place among those of the same time.
        var arrival: (time: PaginatorInstant, order: Int) = (.zero, 0)
        var readySince = PaginatorInstant.zero
        /// Of one that is ready: wanted by a caller, a prefetch, or one that starts only while no caller wants any.
        var kind = ReadyQueue.Kind.wanted
        var due: (time: PaginatorInstant, order: Int) = (.zero, 0)

        var isPrefetch: Bool { !ahead.isEmpty }
    }

    let parallel: Int
    let agingBound: Duration
    let waitsOffline: Bool
    var clients: Set<UInt64> = []
    var rows: [Row] = []
    /// Until when clients are paused, and the place among deadlines of the same time.
    var pauses: [UInt64: (time: PaginatorInstant, order: Int)] = [:]
    var conditions: PaginatorConditions = .charging
    var isSuspended = false
    var sinceAged = 7
    var tokens = 100
    var order = 0
    var now = PaginatorInstant.zero
    var decisions: [SchedulerDecision] = []

    /// Runs an event between what the time brings and what may start.
    mutating func event(at now: PaginatorInstant, _ body: (inout SchedulerModel) -> Void) -> [SchedulerDecision] {
        self.now = now
        decisions = []
        expire()
        body(&self)
        start()
        return decisions
    }

    func place(_ task: SchedulerTask) -> Int? { rows.firstIndex { $0.task == task } }

    mutating func next() -> Int {
        order += 1
        return order
    }

    func isCutOff(_ isRemote: Bool) -> Bool { isRemote && conditions.contains(.offline) }

    var isHindered: Bool { !conditions.isDisjoint(with: [.weakLink, .lowPower, .background]) }

    var isIdle: Bool { rows.allSatisfy(\.isPrefetch) }

    /// What it is to be ready as, where one of those who look ahead wants it to run as things are; what a caller wants
    /// always may.
    func kind(_ ahead: Set<PaginatorConditions>, _ isRemote: Bool) -> ReadyQueue.Kind? {
        if isCutOff(isRemote) { return nil }
        if ahead.isEmpty { return .wanted }
        let content = ahead.filter { wanted in
            for bad in [PaginatorConditions.weakLink, .lowPower, .background] {
                if conditions.contains(bad), !wanted.contains(bad) { return false }
            }
            return !wanted.contains(.charging) || conditions.contains(.charging)
        }
        if content.contains(where: { !$0.contains(.idle) }) { return .prefetch }
        return content.isEmpty ? nil : .idlePrefetch
    }

    /// Why a task whose end somebody is told does not wait under the conditions.
    func refusal(_ ahead: Set<PaginatorConditions>, isAwaited: Bool, isRemote: Bool) -> SchedulerRefusal? {
        guard isAwaited else { return nil }
        if isCutOff(isRemote) { return waitsOffline ? nil : .offline }
        // Whoever is told how it ends does not wait until no caller wants any.
        let kind = kind(ahead, isRemote)
        return kind == .wanted || kind == .prefetch ? nil : .heldBack
    }

    /// Looks at all that wait, in their order, whether they still may or now may.
    mutating func sort() {
        let waiting = rows.filter { $0.state == .ready || $0.state == .held }
            .sorted { ($0.task.client, $0.task.id) < ($1.task.client, $1.task.id) }
        for row in waiting {
            guard let place = place(row.task) else { continue }
            if let reason = refusal(row.ahead, isAwaited: row.isAwaited, isRemote: row.isRemote) {
                refuse(place, reason)
            } else if row.state == .ready {
                guard let kind = kind(row.ahead, row.isRemote) else {
                    rows[place].state = .held
                    continue
                }
                if kind != row.kind { turn(place, into: kind) }
            } else if pauses[row.task.client] == nil, kind(row.ahead, row.isRemote) != nil {
                becomeReady(place)
            }
        }
    }

    /// A task of another kind arrives anew.
    mutating func turn(_ place: Int, into kind: ReadyQueue.Kind) {
        rows[place].kind = kind
        rows[place].ticket = next()
        rows[place].home = (rows[place].priority, rows[place].ticket)
        rows[place].arrival = (now, next())
    }

    mutating func refuse(_ place: Int, _ reason: SchedulerRefusal) {
        decisions.append(.refuse(rows.remove(at: place).task, reason))
    }

    mutating func becomeReady(_ place: Int) {
        let row = rows[place]
        if let reason = refusal(row.ahead, isAwaited: row.isAwaited, isRemote: row.isRemote) {
            return refuse(place, reason)
        }
        guard pauses[rows[place].task.client] == nil else { return hold(place) }
        guard let kind = kind(row.ahead, row.isRemote) else {
            rows[place].state = .held
            return
        }
        rows[place].state = .ready
        rows[place].readySince = now
        turn(place, into: kind)
    }

    mutating func hold(_ place: Int) {
        rows[place].state = .held
        let task = rows[place].task
        decisions.append(.hold(task, delay: now.duration(to: pauses[task.client]?.time ?? now)))
    }

    mutating func pause(_ client: UInt64, _ delay: Duration) {
        let end = now.advanced(by: delay)
        guard clients.contains(client), end > pauses[client]?.time ?? now else { return }
        pauses[client] = (end, next())
        let told = rows.filter { $0.task.client == client && [.ready, .held].contains($0.state) }.map(\.task.id)
        for id in told.sorted() { place(SchedulerTask(client: client, id: id)).map { hold($0) } }
    }

    mutating func submit(_ row: Row) {
        guard clients.contains(row.task.client), place(row.task) == nil else { return }
        rows.append(row)
        becomeReady(rows.count - 1)
    }

    mutating func reprioritize(_ new: Row) {
        guard let place = place(new.task) else { return }
        let former = rows[place]
        guard former.state != .running else {
            rows[place].ahead = new.ahead
            return
        }
        if former.state != .backingOff,
            let reason = refusal(new.ahead, isAwaited: new.isAwaited, isRemote: new.isRemote)
        {
            return refuse(place, reason)
        }
        rows[place].isAwaited = new.isAwaited
        rows[place].isRemote = new.isRemote
        rows[place].priority = new.priority
        rows[place].ahead = new.ahead
        switch former.state {
        case .held:
            if pauses[new.task.client] == nil, kind(new.ahead, new.isRemote) != nil { becomeReady(place) }
        case .ready:
            guard let kind = kind(new.ahead, new.isRemote) else {
                rows[place].state = .held
                return
            }
            guard kind == former.kind else { return turn(place, into: kind) }
            guard former.priority != new.priority else { return }
            rows[place].ticket = former.home.priority == new.priority ? former.home.ticket : next()
        case .backingOff, .running: break
        }
    }

    /// What failed for want of a connection waits for it and costs nothing, also where the source states a delay.
    mutating func retry(_ new: Row, isStated: Bool, _ delay: Duration?) {
        let task = new.task
        guard clients.contains(task.client), place(task) == nil else { return }
        if isCutOff(new.isRemote) {
            guard isStated else {
                rows.append(new)
                return becomeReady(rows.count - 1)
            }
        } else {
            guard tokens >= 10 else {
                decisions.append(.refuse(task, .budgetSpent))
                return
            }
            tokens -= 10
        }
        var row = new
        row.state = .backingOff
        row.due = (now.advanced(by: delay ?? .zero), next())
        rows.append(row)
        decisions.append(.backOff(task, delay: delay ?? .zero))
    }

    mutating func end(_ task: SchedulerTask, _ outcome: AttemptOutcome) {
        guard let place = place(task), rows[place].state == .running else { return }
        rows.remove(at: place)
        if outcome == .accepted { tokens = min(100, tokens + 1) }
    }

    mutating func remove(client: UInt64) {
        clients.remove(client)
        pauses[client] = nil
        rows.removeAll { $0.task.client == client }
    }

    mutating func change(_ conditions: PaginatorConditions) {
        self.conditions = conditions
        sort()
    }

    mutating func expire() {
        while true {
            let due = rows.indices.filter { rows[$0].state == .backingOff && rows[$0].due.time <= now }
            let next = due.min { rows[$0].due < rows[$1].due }
            let over = pauses.filter { $0.value.time <= now }.min { $0.value < $1.value }
            if let over, next.map({ over.value < rows[$0].due }) ?? true {
                endPause(over.key)
            } else if let next {
                becomeReady(next)
            } else {
                return
            }
        }
    }

    mutating func endPause(_ client: UInt64) {
        pauses[client] = nil
        let held = rows.filter { $0.task.client == client && $0.state == .held }.map(\.task.id).sorted()
        for id in held { place(SchedulerTask(client: client, id: id)).map { becomeReady($0) } }
    }

    func ranked(_ isCandidate: (Row) -> Bool) -> [Int] {
        rows.indices.filter { isCandidate(rows[$0]) }
            .sorted { (rows[$1].priority, rows[$0].ticket) < (rows[$0].priority, rows[$1].ticket) }
    }

    mutating func start() {
        while !isSuspended {
            let limit = isHindered ? max(1, parallel / 2) : parallel
            let free = limit - rows.count { $0.state == .running }
            guard free > 0 else { return }
            let last: ReadyQueue.Kind = free == 1 && limit > 1 ? .wanted : isIdle ? .idlePrefetch : .prefetch
            let candidates = ranked { $0.state == .ready && $0.kind <= last }
            let oldest = candidates.min { left, right in
                let (left, right) = (rows[left], rows[right])
                return (left.arrival.time, left.kind, left.arrival.order)
                    < (right.arrival.time, right.kind, right.arrival.order)
            }
            guard let first = candidates.first, let oldest else { return }
            let isAged = rows[oldest].arrival.time.duration(to: now) > agingBound
            let chosen = isAged && sinceAged >= 7 ? oldest : first
            sinceAged = isAged && chosen == oldest ? 0 : sinceAged + 1
            rows[chosen].state = .running
            decisions.append(.start(rows[chosen].task, waited: rows[chosen].readySince.duration(to: now)))
        }
    }
}
