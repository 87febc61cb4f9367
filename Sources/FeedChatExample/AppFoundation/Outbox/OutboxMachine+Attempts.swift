import PaginatorCore

/// The results of attempts and of their recording.
extension OutboxMachine {
    mutating func sent(_ token: Int, _ failure: OutboxFailure?, _ now: PaginatorInstant) {
        guard let key = keys[token], case .sending? = lanes[key]?.phase else { return }
        guard let failure else {
            outage = nil
            return record(key, .sent, then: nil, .recordSuccess(token))
        }
        failed(key, token, failure, now)
    }

    /// Handles a failure: whether it counts, which lanes wait how long, and whether it was the last attempt.
    mutating func failed(_ key: LaneKey, _ token: Int, _ failure: OutboxFailure, _ now: PaginatorInstant) {
        guard let lane = lanes[key] else { return }
        let policy = tables[key.table].policy
        if failure.kind == .unreachable || closedGates.contains(.offline) {
            return unreachable(key, failure, now)
        }
        if failure != .timedOut { outage = nil }
        switch failure.kind {
        case .signedOut:
            isTokenRefused = true
            stopSending()
        case .refused where lane.failureCounts.count > 1:
            tables[key.table].singles[key.name] = lane.failureCounts.count
            free(key)
        case .refused:
            record(key, .cancelled, then: nil, .recordCancellation(token, failure))
        default:
            let limit = max(1, policy.attemptLimit)
            let (count, overflow) = (lane.failureCounts.max() ?? 0).addingReportingOverflow(1)
            let isLast = overflow || count >= limit
            if isLast, lane.failureCounts.count == 1 {
                return record(key, .cancelled, then: nil, .recordCancellation(token, failure))
            }
            // The batch has no attempts left; each of its operations gets one more of its own.
            if isLast { tables[key.table].singles[key.name] = lane.failureCounts.count }
            let counted = min(count, limit - 1)
            let delay = policy.backoff.delay(
                failures: max(1, counted), statedDelay: failure.statedDelay, using: &random)
            record(
                key, .failed, then: now.advanced(by: delay),
                .recordFailure(token, failureCount: counted, delay: delay, failure))
        }
    }

    private mutating func unreachable(_ key: LaneKey, _ failure: OutboxFailure, _ now: PaginatorInstant) {
        let streak = (outage?.streak ?? 0) &+ 1
        let policy = tables[key.table].policy
        let delay = policy.backoff.delay(failures: streak, statedDelay: failure.statedDelay, using: &random)
        let stated = max(outage?.stated ?? now, now.advanced(by: failure.statedDelay ?? .zero))
        let until = max(now.advanced(by: delay), stated)
        outage = (streak, until, stated, outage?.lastBefore ?? lastToken)
        statistics.unreachable += 1
        // Another lane, if there is one, tries first: if the server only fails this one, the others must not wait for it.
        wait(key, until: until.advanced(by: policy.backoffBase), forConnection: true)
    }

    mutating func record(
        _ key: LaneKey, _ outcome: Outcome, then next: PaginatorInstant?, _ action: OutboxAction
    ) {
        lanes[key]?.phase = .recording(outcome, then: next)
        actions.append(action)
    }

    mutating func wait(_ key: LaneKey, until instant: PaginatorInstant, forConnection: Bool) {
        lanes[key]?.phase = .waiting(until: instant, forConnection: forConnection)
    }

    mutating func recorded(_ token: Int, _ isStored: Bool, _ now: PaginatorInstant) {
        guard let key = keys[token], let lane = lanes[key], case .recording(let outcome, let next) = lane.phase
        else { return }
        guard isStored else {
            return wait(key, until: storageFailed(key.table, now), forConnection: false)
        }
        tables[key.table].storageFailures = 0
        switch outcome {
        case .sent: statistics.sent += lane.failureCounts.count
        case .failed: statistics.failed += 1
        case .cancelled: statistics.cancelled += lane.failureCounts.count
        }
        if let left = tables[key.table].singles[key.name], next == nil {
            tables[key.table].singles[key.name] = left > 1 ? left - 1 : nil
        }
        guard let next else { return free(key) }
        wait(key, until: next, forConnection: false)
    }

    /// Counts a failure of the table itself; the rows are found and sent again later.
    mutating func storageFailed(_ table: Int, _ now: PaginatorInstant) -> PaginatorInstant {
        statistics.storageFailures += 1
        tables[table].storageFailures &+= 1
        let delay = tables[table].policy.backoff.delay(
            failures: tables[table].storageFailures, statedDelay: .milliseconds(100), using: &random)
        return now.advanced(by: delay)
    }
}
