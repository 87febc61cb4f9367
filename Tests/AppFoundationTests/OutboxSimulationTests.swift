import AppFoundation
import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

/// Random worlds: rows that come at any time, a server that fails, answers lost on the way, kills at any moment.
///
/// `OUTBOX_WORLDS=20000 swift test --filter OutboxSimulationTests` runs more of them.
@Suite struct OutboxSimulationTests {
    @Test func `every row has its effect once and in order`() {
        let worlds = ProcessInfo.processInfo.environment["OUTBOX_WORLDS"].flatMap { UInt64($0) } ?? 300
        for seed in 0..<worlds {
            var world = World(seed: seed)
            let complaint = world.run()
            #expect(complaint == nil, "seed \(seed)")
        }
    }
}

/// A table, a server and a device, as plain values.
private struct World {
    struct Row {
        let id: Int
        let lane: String
        var failureCount = 0
        /// The server refuses it for good.
        let isBad: Bool
    }

    /// What is under way, to be answered in any order.
    enum Pending {
        case scan(table: Int, excluding: Set<String>, limit: Int, batch: Int)
        case send(token: Int, rows: [Row])
        case record(token: Int, rows: [Row], outcome: Outcome)
    }

    enum Outcome { case success, failure(Int), cancellation }

    var random: SeededRandom
    var now = PaginatorInstant.zero
    var policy = OutboxPolicy()
    var machine: OutboxMachine
    var armed: PaginatorInstant?
    var pending: [Pending] = []
    /// What the last scan of the table read, and what attempts took of it.
    var found: [[String: [Row]]] = [[:], [:]]
    var taken: [Int: [Row]] = [:]
    var cancelledTokens: Set<Int> = []
    var gates: OutboxGates = []

    var rows: [[Row]] = [[], []]
    var effects: [String: [Int]] = [:]
    var cancelled: Set<Int> = []
    var made = 0
    var isHealthy = false
    var complaint: String?

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        policy.attemptLimit = 3
        policy.parallelLanes = 2
        policy.batchLimit = seed % 2 == 0 ? 1 : 3
        machine = OutboxMachine(policies: [policy, policy], seed: seed)
    }

    mutating func run() -> String? {
        for _ in 0..<random.number(in: 50..<250) { step() }
        isHealthy = true
        gates = []
        tell(.gates([]))
        tell(.signedIn)
        var steps = 0
        while complaint == nil, rows.contains(where: { !$0.isEmpty }) || !pending.isEmpty {
            steps += 1
            if steps > 20_000 { return "it does not come to an end: \(rows) \(machine)" }
            if pending.isEmpty {
                guard let armed, armed > now else { return "it waits for nothing: \(rows) \(machine)" }
                now = armed
                tell(.time)
            } else {
                answer()
            }
        }
        if let complaint { return complaint }
        for (lane, all) in effects {
            // What was given up may have reached the server late.
            let ids = all.filter { !cancelled.contains($0) }
            if ids != ids.sorted() { return "lane \(lane) out of order: \(ids)" }
        }
        let done = Set(effects.values.joined())
        for id in 0..<made where !done.contains(id) && !cancelled.contains(id) { return "\(id) is lost" }
        return nil
    }

    private mutating func step() {
        switch random.number(in: 0..<20) {
        case 0...3:
            let table = random.number(in: 0..<2)
            rows[table].append(
                Row(id: made, lane: "\(table)\(random.number(in: 0..<3))", isBad: random.chance(0.1)))
            made += 1
            // Whoever writes a row may be killed before it says so; the next start finds it.
            if random.chance(0.9) { tell(.changed(table: table)) } else { kill() }
        case 4:
            gates = OutboxGates(rawValue: UInt8(random.number(in: 0..<16)))
            if random.chance(0.6) { gates = [] }
            tell(.gates(gates))
        case 5: tell(.signedIn)
        case 6:
            now = now.advanced(by: .milliseconds(random.number(in: 0..<40_000)))
            if let armed, armed <= now { tell(.time) }
        case 7: if random.chance(0.3) { kill() }
        case 8: tell(.drain(made))
        case 9: tell(.stop(.init(table: 0, name: "0\(random.number(in: 0..<3))")))
        default: answer()
        }
    }

    /// Ends the process: what is in flight may still have its effect, and nobody hears of it.
    private mutating func kill() {
        for case .send(_, let rows) in pending where random.chance(0.5) { apply(rows) }
        pending = []
        taken = [:]
        cancelledTokens = []
        armed = nil
        machine = OutboxMachine(policies: [policy, policy], closedGates: gates, seed: random.next())
        tell(.changed(table: nil))
    }

    /// The server takes a batch whole or not at all, and the same row once.
    private mutating func apply(_ batch: [Row]) {
        guard !batch.contains(where: \.isBad) else { return }
        for row in batch where !effects[row.lane, default: []].contains(row.id) {
            effects[row.lane, default: []].append(row.id)
        }
    }

    private mutating func answer() {
        guard !pending.isEmpty else { return }
        switch pending.remove(at: random.number(in: 0..<pending.count)) {
        case .scan(let table, let busy, let limit, let batch):
            if !isHealthy, random.chance(0.1) { return tell(.scanFailed(table: table)) }
            var lanes: [(String, [Row])] = []
            for row in rows[table] where !busy.contains(row.lane) {
                if let index = lanes.firstIndex(where: { $0.0 == row.lane }) {
                    if lanes[index].1.count < batch { lanes[index].1.append(row) }
                } else if lanes.count < limit {
                    lanes.append((row.lane, [row]))
                }
            }
            found[table] = Dictionary(uniqueKeysWithValues: lanes)
            tell(.scanned(table: table, lanes.map { .init(name: $0.0, failureCounts: $0.1.map(\.failureCount)) }))
        case .send(let token, let batch):
            if cancelledTokens.contains(token), random.chance(0.5) { return }
            let draw = isHealthy ? 0 : random.number(in: 0..<10)
            if draw < 6 || draw == 9 { apply(batch) }
            switch draw {
            case 0...5:
                let isRefused = batch.contains(where: \.isBad)
                tell(.sent(token, isRefused ? .gone : nil))
            case 6: tell(.sent(token, .server))
            case 7: tell(.sent(token, .noConnection))
            case 8: tell(.sent(token, random.chance(0.2) ? .token : .server))
            // The effect is there, and the answer is lost.
            default: tell(.sent(token, .noConnection))
            }
        case .record(let token, let batch, let outcome):
            if !isHealthy, random.chance(0.1) { return tell(.recorded(token, isStored: false)) }
            let ids = Set(batch.map(\.id))
            for table in rows.indices {
                switch outcome {
                case .success: rows[table].removeAll { ids.contains($0.id) }
                case .cancellation:
                    rows[table].removeAll { ids.contains($0.id) }
                    cancelled.formUnion(ids)
                case .failure(let count):
                    for index in rows[table].indices where ids.contains(rows[table][index].id) {
                        rows[table][index].failureCount = count
                    }
                }
            }
            tell(.recorded(token, isStored: true))
        }
    }

    private mutating func tell(_ event: OutboxEvent) {
        for action in machine.handle(event, at: now) {
            switch action {
            case .scan(let table, let busy, let limit, let batch):
                pending.append(.scan(table: table, excluding: busy, limit: limit, batch: batch))
            case .send(let token, let key, let count):
                let batch = Array((found[key.table][key.name] ?? []).prefix(count))
                for case .send(let other, let rows) in pending
                where !cancelledTokens.contains(other) && rows.first?.lane == key.name {
                    complaint = "two attempts of lane \(key.name)"
                }
                taken[token] = batch
                pending.append(.send(token: token, rows: batch))
            case .cancelSend(let token): cancelledTokens.insert(token)
            case .forget(let token, _): taken[token] = nil
            case .recordSuccess(let token): record(token, .success)
            case .recordFailure(let token, let count, _, _): record(token, .failure(count))
            case .recordCancellation(let token, _): record(token, .cancellation)
            case .arm(let instant): armed = instant
            case .disarm: armed = nil
            case .drained: break
            }
        }
    }

    private mutating func record(_ token: Int, _ outcome: Outcome) {
        guard let batch = taken[token] else {
            complaint = "\(token) is recorded after it was forgotten"
            return
        }
        pending.append(.record(token: token, rows: batch, outcome: outcome))
    }
}
