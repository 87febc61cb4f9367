import PaginatorCore

/// When tables are read, and which lanes start then.
extension OutboxMachine {
    /// Returns how many more lanes of a table may be sent now.
    func freeSlots(_ table: Int, _ now: PaginatorInstant) -> Int {
        guard effectiveGates.isEmpty, !isTokenRefused else { return 0 }
        let busy = lanes.count { key, lane in
            if case .waiting = lane.phase { false } else { key.table == table }
        }
        let free = max(0, max(1, tables[table].policy.parallelLanes) - busy)
        guard let outage else { return free }
        // One attempt at a time finds out whether the server is back. One from before, such as a long upload, tells
        // nothing for a long time.
        let isAsked = lanes.values.contains { lane in
            if case .sending = lane.phase { lane.token > outage.lastBefore } else { false }
        }
        return outage.until <= now && !isAsked ? min(1, free) : 0
    }

    mutating func startScans(_ now: PaginatorInstant) {
        for index in tables.indices where tables[index].isDirty && tables[index].scanLimit == nil {
            if let instant = tables[index].noScanBefore, now < instant { continue }
            let slots = freeSlots(index, now)
            guard slots > 0 else { continue }
            tables[index].noScanBefore = nil
            tables[index].isDirty = false
            tables[index].scanLimit = slots
            let busy = Set(lanes.keys.lazy.filter { $0.table == index }.map(\.name))
            let batchLimit = max(1, tables[index].policy.batchLimit)
            actions.append(.scan(index, excluding: busy, limit: slots, batchLimit: batchLimit))
        }
    }

    mutating func scanned(_ table: Int, _ found: [FoundLane], _ now: PaginatorInstant) {
        // If the limit was reached, there may be more lanes.
        if let limit = tables[table].scanLimit, found.count >= limit { tables[table].isDirty = true }
        tables[table].scanLimit = nil
        tables[table].storageFailures = 0
        let stopped = tables[table].stoppedWhileScanning
        tables[table].stoppedWhileScanning = []
        for lane in found where !lane.failureCounts.isEmpty && !stopped.contains(lane.name) {
            let key = LaneKey(table: table, name: lane.name)
            guard lanes[key] == nil else { continue }
            let policy = tables[table].policy
            // No delay is longer than an hour, so the wall clock was set back, and the row waits only once.
            let isTooFar = lane.dueIn > .hours(1)
            if lane.dueIn > .zero, !isTooFar || tables[table].waited.insert(lane.name).inserted {
                let wait = min(lane.dueIn, max(.zero, policy.backoffCap))
                add(key, [], .waiting(until: now.advanced(by: wait), forConnection: false))
                continue
            }
            guard freeSlots(table, now) > 0 else {
                tables[table].isDirty = true
                continue
            }
            let count = tables[table].singles[lane.name] == nil ? max(1, policy.batchLimit) : 1
            let token = add(
                key, Array(lane.failureCounts.prefix(count)), .sending(deadline: now.advanced(by: policy.timeout)))
            statistics.attempts += 1
            actions.append(.send(token, key, count: min(count, lane.failureCounts.count)))
        }
    }

    @discardableResult
    private mutating func add(_ key: LaneKey, _ failureCounts: [Int], _ phase: Phase) -> Int {
        lastToken += 1
        lanes[key] = Lane(token: lastToken, failureCounts: failureCounts, phase: phase)
        keys[lastToken] = key
        return lastToken
    }

    mutating func scanFailed(_ table: Int, _ now: PaginatorInstant) {
        tables[table].scanLimit = nil
        tables[table].isDirty = true
        tables[table].stoppedWhileScanning = []
        tables[table].noScanBefore = storageFailed(table, now)
    }

    // MARK: Time

    /// Ends the waits and attempts whose deadline has passed.
    mutating func passTime(_ now: PaginatorInstant) {
        for (key, lane) in lanes.sorted(by: { $0.value.token < $1.value.token }) {
            switch lane.phase {
            case .sending(let deadline) where deadline <= now:
                cancelSend(key)
                failed(key, lane.token, .timedOut, now)
            case .waiting(let until, _) where until <= now: free(key)
            case .sending, .recording, .waiting: break
            }
        }
    }

    /// Arms the timer for the earliest deadline.
    mutating func arm(_ now: PaginatorInstant) {
        var next = lanes.values.lazy.compactMap { lane -> PaginatorInstant? in
            switch lane.phase {
            case .sending(let deadline): deadline
            case .waiting(let until, _): until
            case .recording: nil
            }
        }.min()
        let mayScan = effectiveGates.isEmpty && !isTokenRefused
        for table in tables where table.isDirty && mayScan {
            for instant in [table.noScanBefore, outage?.until].compactMap({ $0 }) where instant > now {
                next = min(next ?? instant, instant)
            }
        }
        guard next != armed else { return }
        armed = next
        actions.append(next.map { .arm($0) } ?? .disarm)
    }
}
