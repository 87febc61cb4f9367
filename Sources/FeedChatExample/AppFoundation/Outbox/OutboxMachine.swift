package import PaginatorCore

/// Decides what an outbox does: which lane is sent when, the consequence of a failure, and when to read tables again.
///
/// A lane is *sending* (an attempt runs), *recording* (its outcome is written) or *waiting* (for its next attempt);
/// a lane that the machine does not know has nothing in progress, and a scan may find it. Rows stay in their tables:
/// the machine knows their ids and counts for as long as their lane is busy.
///
/// Random numbers are determined by the seed. Complexity: O(busy lanes) an event.
package struct OutboxMachine: Sendable {
    /// A lane of one of the tables.
    package struct LaneKey: Hashable, Sendable {
        package let table: Int
        package let name: String

        package init(table: Int, name: String) {
            self.table = table
            self.name = name
        }
    }

    /// A lane as found by a scan.
    package struct FoundLane: Sendable {
        let name: String
        /// The failures of each operation, oldest first.
        let failureCounts: [Int]
        /// The time until the first operation may be sent.
        let dueIn: Duration

        package init(name: String, failureCounts: [Int], dueIn: Duration = .zero) {
            self.name = name
            self.failureCounts = failureCounts
            self.dueIn = dueIn
        }
    }

    enum Phase: Sendable {
        case sending(deadline: PaginatorInstant)
        /// The outcome is being written; a failed lane waits afterwards.
        case recording(Outcome, then: PaginatorInstant?)
        case waiting(until: PaginatorInstant, forConnection: Bool)
    }

    enum Outcome: Sendable { case sent, failed, cancelled }

    struct Lane: Sendable {
        var token: Int
        var failureCounts: [Int]
        var phase: Phase
    }

    struct Table: Sendable {
        var policy: OutboxPolicy
        /// Whether there may be rows that no scan has seen.
        var isDirty = true
        /// The maximum number of lanes of the running scan; `nil` while none runs.
        var scanLimit: Int?
        /// Lanes that were stopped during a scan, which may have read removed rows.
        var stoppedWhileScanning: Set<String> = []
        /// The number of operations of a lane that are sent singly, because a batch of them was refused.
        var singles: [String: Int] = [:]
        /// Lanes that have waited once for a time that is too far ahead.
        var waited: Set<String> = []
        var storageFailures = 0
        var noScanBefore: PaginatorInstant?
    }

    var tables: [Table]
    var lanes: [LaneKey: Lane] = [:]
    var keys: [Int: LaneKey] = [:]
    var closedGates: OutboxGates
    var isTokenRefused = false
    /// The consecutive attempts that did not reach the server, the time of the next one, the time that the server
    /// stated, which a new connection does not change, and the last attempt that began before the first of them failed.
    var outage: (streak: Int, until: PaginatorInstant, stated: PaginatorInstant, lastBefore: Int)?
    var drains: [Int: OutboxStatistics] = [:]
    var isShutDown = false
    var armed: PaginatorInstant?
    var lastToken = 0
    var random: SplitMix64
    var actions: [OutboxAction] = []
    package internal(set) var statistics = OutboxStatistics()

    /// Creates the machine of tables with these policies.
    package init(policies: [OutboxPolicy], closedGates: OutboxGates = [], seed: UInt64) {
        tables = policies.map { Table(policy: $0) }
        self.closedGates = closedGates
        random = SplitMix64(seed: seed)
    }

    /// Handles one event and returns the actions, in order.
    package mutating func handle(_ event: OutboxEvent, at now: PaginatorInstant) -> [OutboxAction] {
        guard !isShutDown else { return [] }
        switch event {
        case .changed(let table): markDirty(table)
        case .gates(let gates): gatesChanged(gates, now)
        case .signedIn: isTokenRefused = false
        case .scanned(let table, let found): scanned(table, found, now)
        case .scanFailed(let table): scanFailed(table, now)
        case .sent(let token, let failure): sent(token, failure, now)
        case .recorded(let token, let isStored): recorded(token, isStored, now)
        case .stop(let key): stop(key)
        case .time: armed = nil
        case .drain(let id):
            drains[id] = statistics
            markDirty(nil)
        case .abandonDrain(let id): abandon(id)
        case .shutDown:
            shutDown()
            return takeActions()
        }
        passTime(now)
        startScans(now)
        finishDrains(now)
        arm(now)
        return takeActions()
    }

    private mutating func takeActions() -> [OutboxAction] {
        defer { actions = [] }
        return actions
    }

    mutating func markDirty(_ table: Int?) {
        for index in tables.indices where table == nil || table == index { tables[index].isDirty = true }
    }

    private mutating func shutDown() {
        isShutDown = true
        stopSending()
        actions.append(.disarm)
        for (id, start) in drains.sorted(by: { $0.key < $1.key }) {
            actions.append(.drained(id, statistics.since(start, isComplete: false)))
        }
        drains = [:]
    }

    // MARK: Lanes

    /// Forgets a lane, so that the next scan may find it.
    mutating func free(_ key: LaneKey) {
        guard let lane = lanes.removeValue(forKey: key) else { return }
        keys.removeValue(forKey: lane.token)
        actions.append(.forget(lane.token, table: key.table))
        tables[key.table].isDirty = true
    }

    mutating func stop(_ key: LaneKey) {
        if tables[key.table].scanLimit != nil { tables[key.table].stoppedWhileScanning.insert(key.name) }
        tables[key.table].isDirty = true
        switch lanes[key]?.phase {
        case .sending:
            cancelSend(key)
            free(key)
        case .waiting: free(key)
        case .recording, nil: break
        }
    }

    /// Stops every running attempt; the rows stay pending.
    mutating func stopSending() {
        for (key, lane) in lanes.sorted(by: { $0.value.token < $1.value.token }) {
            guard case .sending = lane.phase else { continue }
            cancelSend(key)
            free(key)
        }
    }

    mutating func cancelSend(_ key: LaneKey) {
        if let lane = lanes[key] { actions.append(.cancelSend(lane.token)) }
    }

    // MARK: Gates and drains

    var effectiveGates: OutboxGates {
        drains.isEmpty ? closedGates : closedGates.subtracting(.background)
    }

    private mutating func gatesChanged(_ gates: OutboxGates, _ now: PaginatorInstant) {
        let opened = closedGates.subtracting(gates)
        let closed = gates.subtracting(closedGates)
        closedGates = gates
        if opened.contains(.signedOut) { isTokenRefused = false }
        if closed.contains(.signedOut) { stopSending() }
        if opened.contains(.offline) {
            if let stated = outage?.stated, stated > now {
                outage?.streak = 0
                outage?.until = stated
            } else {
                outage = nil
            }
            for (key, lane) in lanes {
                if case .waiting(_, forConnection: true) = lane.phase { free(key) }
            }
        }
    }

    private mutating func abandon(_ id: Int) {
        guard let start = drains.removeValue(forKey: id) else { return }
        if drains.isEmpty, closedGates.contains(.background) { stopSending() }
        actions.append(.drained(id, statistics.since(start, isComplete: false)))
    }

    private mutating func finishDrains(_ now: PaginatorInstant) {
        guard !drains.isEmpty, !tables.contains(where: { $0.scanLimit != nil }) else { return }
        let isBusy = lanes.values.contains {
            if case .waiting = $0.phase { false } else { true }
        }
        guard !isBusy else { return }
        let isComplete = lanes.isEmpty && !tables.contains(where: { $0.isDirty })
        for (id, start) in drains.sorted(by: { $0.key < $1.key }) {
            actions.append(.drained(id, statistics.since(start, isComplete: isComplete)))
        }
        drains = [:]
    }
}
