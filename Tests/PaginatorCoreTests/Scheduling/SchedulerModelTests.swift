import Testing

@testable import PaginatorCore

@Suite struct SchedulerModelTests {
    @Test(arguments: 1...24 as ClosedRange<UInt64>)
    func `agrees with searches through a list`(seed: UInt64) {
        var run = Run(seed: seed)
        for step in 0..<1_500 {
            guard run.step() else {
                Issue.record("seed \(seed), step \(step): \(run.difference)")
                return
            }
        }
        #expect(run.starts > 100, "seed \(seed)")
    }

    private struct Run: ~Copyable {
        var random: SplitMix64
        var machine: SchedulerMachine
        var model: SchedulerModel
        var now = PaginatorInstant.zero
        var lastTask: UInt64 = 0
        var starts = 0
        var difference = ""

        init(seed: UInt64) {
            random = SplitMix64(seed: seed)
            var config = PaginatorSchedulerConfig()
            // That tokens fade is tested by itself.
            config.retryBudgetFading = nil
            config.maxParallelCalls = Int.random(in: 1...5, using: &random)
            config.agingBound = .milliseconds(Int.random(in: 0...3, using: &random) * 400)
            config.throttlesFailingSource = false
            config.waitsForConnectivity = Bool.random(using: &random)
            machine = SchedulerMachine(config: config, seed: seed)
            model = SchedulerModel(
                parallel: config.maxParallelCalls, agingBound: config.agingBound,
                waitsOffline: config.waitsForConnectivity)
            for _ in 0..<3 { model.clients.insert(machine.addClient()) }
        }

        mutating func step() -> Bool {
            if Int.random(in: 0..<3, using: &random) == 0 {
                now = now.advanced(by: .milliseconds(Int.random(in: 0...400, using: &random)))
            }
            let kind = Int.random(in: 0..<100, using: &random)
            let task = anyTask(running: (35..<68).contains(kind))
            let priority = FetchPriority.allCases.randomElement(using: &random) ?? .low
            let isPrefetch = Int.random(in: 0..<3, using: &random) == 0
            let isAwaited = !isPrefetch || Bool.random(using: &random)
            let ahead = isPrefetch ? anyConditions() : []
            let isRemote = Int.random(in: 0..<3, using: &random) > 0
            func row(_ task: SchedulerTask) -> SchedulerModel.Row {
                SchedulerModel.Row(
                    task: task, priority: priority, ahead: ahead, isAwaited: isAwaited, isRemote: isRemote)
            }
            let demand = SchedulerDemand(
                priority: priority, wanted: isPrefetch ? .ahead(ahead, mayWait: !isAwaited) : .byCaller,
                needsConnection: isRemote)
            switch kind {
            case 0..<35:
                lastTask += 1
                let new = SchedulerTask(client: task.client, id: lastTask)
                return agree(
                    machine.decide(.submit(new, demand), at: now),
                    model.event(at: now) { $0.submit(row(new)) })
            case 35..<55:
                let outcome: AttemptOutcome =
                    [.accepted, .overloaded, .abandoned].randomElement(using: &random) ?? .accepted
                return agree(
                    machine.decide(.attemptEnded(task, outcome), at: now),
                    model.event(at: now) { $0.end(task, outcome) })
            case 55..<68:
                // As a load does, with a new task for each attempt; and now and then as none does.
                if Int.random(in: 0..<5, using: &random) == 0 { return retry(row(task), demand) }
                lastTask += 1
                return retry(row(SchedulerTask(client: task.client, id: lastTask)), demand)
            case 68..<80:
                return agree(
                    machine.decide(.reprioritize(task, demand), at: now),
                    model.event(at: now) { $0.reprioritize(row(task)) })
            case 80..<82:
                let delay: Duration = .milliseconds(Int.random(in: 0...800, using: &random))
                return agree(
                    machine.decide(.pause(client: task.client, delay), at: now),
                    model.event(at: now) { $0.pause(task.client, delay) })
            case 82..<88:
                return agree(
                    machine.decide(.cancel(task), at: now),
                    model.event(at: now) { model in model.rows.removeAll { $0.task == task } })
            case 88..<90:
                return agree(machine.decide(.suspend, at: now), model.event(at: now) { $0.isSuspended = true })
            case 90..<94:
                return agree(machine.decide(.resume, at: now), model.event(at: now) { $0.isSuspended = false })
            case 94..<98:
                let bits = Int.random(in: 0..<3, using: &random) == 0 ? UInt8.random(in: 0..<32, using: &random) : 16
                let conditions = PaginatorConditions(rawValue: bits)
                return agree(
                    machine.decide(.conditionsChanged(conditions), at: now),
                    model.event(at: now) { $0.change(conditions) })
            case 98:
                let former = task.client
                let agreed = agree(
                    machine.decide(.removeClient(former), at: now), model.event(at: now) { $0.remove(client: former) })
                model.clients.insert(machine.addClient())
                return agreed
            default:
                if let deadline = machine.nextDeadline { now = max(now, deadline) }
                return agree(machine.decide(.timePassed, at: now), model.event(at: now) { _ in })
            }
        }

        /// The machine draws the delay; the model takes it over.
        private mutating func retry(_ row: SchedulerModel.Row, _ demand: SchedulerDemand) -> Bool {
            let stated: Duration? = Int.random(in: 0..<4, using: &random) == 0 ? .milliseconds(300) : nil
            let decided = machine.decide(.retry(row.task, demand, failures: 2, statedDelay: stated), at: now)
            var delay: Duration?
            for case .backOff(row.task, let drawn) in decided { delay = drawn }
            return agree(decided, model.event(at: now) { $0.retry(row, isStated: stated != nil, delay) })
        }

        /// Mostly what a prefetch is by default; else what one or two want.
        private mutating func anyConditions() -> Set<PaginatorConditions> {
            if Bool.random(using: &random) { return [[]] }
            return Set(
                (0..<Int.random(in: 1...2, using: &random)).map { _ in
                    PaginatorConditions(rawValue: UInt8.random(in: 0..<64, using: &random))
                })
        }

        private mutating func anyTask(running: Bool) -> SchedulerTask {
            let rows = running ? model.rows.filter { $0.state == .running } : model.rows
            if let row = rows.randomElement(using: &random), Int.random(in: 0..<10, using: &random) > 0 {
                return row.task
            }
            let client = model.clients.sorted().randomElement(using: &random) ?? 1
            return SchedulerTask(client: client, id: lastTask + UInt64.random(in: 0..<3, using: &random) * 1_000_000)
        }

        private mutating func agree(_ decided: [SchedulerDecision], _ expected: [SchedulerDecision]) -> Bool {
            let statistics = machine.statistics(at: now)
            starts += decided.count { if case .start = $0 { true } else { false } }
            difference = "decided \(decided), expected \(expected)"
            return decided == expected
                && statistics.running == model.rows.count { $0.state == .running }
                && statistics.backingOff == model.rows.count { $0.state == .backingOff }
                && statistics.waiting.values.reduce(0, +) == model.rows.count { $0.state == .ready }
                && statistics.held == model.rows.count { $0.state == .held }
                && machine.nextDeadline
                    == (model.rows.filter { $0.state == .backingOff }.map(\.due.time) + model.pauses.values.map(\.time))
                    .min()
        }
    }
}
