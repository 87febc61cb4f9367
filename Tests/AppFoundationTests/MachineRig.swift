import AppFoundation
import PaginatorCore
import Testing

/// A machine, the time, and what it asked for last.
struct MachineRig {
    var machine: OutboxMachine
    var now = PaginatorInstant.zero
    private(set) var actions: [OutboxAction] = []

    init(_ policies: [OutboxPolicy] = [OutboxPolicy()], gates: OutboxGates = [], seed: UInt64 = 1) {
        machine = OutboxMachine(policies: policies, closedGates: gates, seed: seed)
    }

    @discardableResult
    mutating func tell(_ event: OutboxEvent) -> [OutboxAction] {
        actions = machine.handle(event, at: now)
        return actions
    }

    /// Lets the rows change and answers the scan with lanes that have these failures.
    @discardableResult
    mutating func find(_ lanes: (String, [Int])..., table: Int = 0) -> [OutboxAction] {
        if !scans.contains(table) { tell(.changed(table: table)) }
        return tell(.scanned(table: table, lanes.map { .init(name: $0.0, failureCounts: $0.1) }))
    }

    mutating func advance(by duration: Duration) {
        now = now.advanced(by: duration)
        tell(.time)
    }

    /// The tables that the last event made it read.
    var scans: [Int] {
        actions.compactMap { if case .scan(let table, _, _, _) = $0 { table } else { nil } }
    }

    /// The lanes that the last event made it send, with the number of operations.
    var sends: [String] {
        actions.compactMap { if case .send(_, let key, let count) = $0 { "\(key.name) \(count)" } else { nil } }
    }

    /// The token of the last attempt that began.
    var token: Int {
        actions.compactMap { if case .send(let token, _, _) = $0 { token } else { nil } }.last ?? -1
    }

    /// The failure count and delay that the last event made it write.
    var recordedFailure: (count: Int, delay: Duration)? {
        for case .recordFailure(_, let count, let delay, _) in actions { return (count, delay) }
        return nil
    }

    var cancels: Bool { actions.contains { if case .recordCancellation = $0 { true } else { false } } }
    var stops: Int { actions.count { if case .cancelSend = $0 { true } else { false } } }
    var armed: PaginatorInstant? {
        actions.compactMap { if case .arm(let instant) = $0 { instant } else { nil } }.last
    }
    var drained: OutboxDrain? {
        actions.compactMap { if case .drained(_, let drain) = $0 { drain } else { nil } }.last
    }
}

extension OutboxFailure {
    static let server = OutboxFailure(.retry, reason: "status 500")
    static let gone = OutboxFailure(.refused, reason: "status 404")
    static let noConnection = OutboxFailure(.unreachable, reason: "unreachable")
    static let token = OutboxFailure(.signedOut, reason: "token refused 401")
}
