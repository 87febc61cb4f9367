import PaginatorCore

// Loads that fail, and when they are tried again.
extension ListMachine {
    mutating func failed(_ id: UInt64, _ error: PaginatorError) {
        guard let purpose = purposes[id], var load = running[purpose] else { return }
        if load.shiftedKey != nil {
            end(id, with: nil)
            return askForShifted(load)
        }
        if error.code == .expiredKey, !hasRestarted, !load.identity.key.hasSameBytes(as: firstKey) {
            return restart(becauseOf: id)
        }
        end(id, with: error)
        if purpose == .next || purpose == .first {
            load.goal = goals[0]
            endGoals(with: error)
        }
        // First, because what starts takes the place of what failed before it, and not of this.
        startWaitingJumps()
        if error.code != .cancelled {
            if load.isAhead {
                // Nobody has asked for it, so nobody is told, but who looks at the end where it is missing; and what
                // conditions hold back has not failed.
                holdBack(load.purpose, after: error)
                if error.attempts > 0 { setbacks[load.purpose]?.error = error }
                // Somebody may have come to the last row meanwhile.
                prefetch()
            } else {
                failures.removeAll { $0.load.purpose == load.purpose }
                failures.append((load, error))
            }
        }
        retryOnline(id, error)
    }

    // Of what a missing connection is to blame for nobody may be told before the connection is back.
    mutating func retryOnline(_ id: UInt64, _ error: PaginatorError) {
        guard Self.mayBeOffline(error), id <= lastOffline, !conditions.contains(.offline) else { return }
        retry(where: Self.mayBeOffline)
    }

    // A connection breaks, or a portal answers for the server, before the system says that there is none.
    private static func mayBeOffline(_ error: PaginatorError) -> Bool {
        error.code == .offline || error.code == .sourceFailed
    }

    // Also what a stale page stands in for.
    mutating func retry(where isWanted: (PaginatorError) -> Bool = { _ in true }) {
        setbacks = [:]
        let failed = failures.filter { isWanted($0.error) }
        let hasExpired = failed.contains {
            $0.error.code == .expiredKey && !$0.load.identity.key.hasSameBytes(as: firstKey)
        }
        // A key that has expired does not come back.
        if hasExpired { return restart() }
        for failure in failed where running[failure.load.purpose] == nil { askAgain(failure.load, isSecond: false) }
        // Not before, since what starts in place of one goes on to begin the list as that was to.
        failures.removeAll { failure in failed.contains { $0.load.id == failure.load.id } }
        // They are loaded anew together, and as new as the pages that they are to follow.
        let batch = makeNumber()
        for rank in standIns.filter({ isWanted($0.value) }).keys.compactMap({ ranks[$0] }).sorted() {
            refreshPage(at: rank, batch: batch, notBefore: seats[rank]?.notBefore)
        }
        // What looking ahead did not bring.
        prefetch()
    }

    // Begins again from the source's first key; what is shown stays until the page has come.
    private mutating func restart(becauseOf load: UInt64? = nil) {
        hasRestarted = true
        notices.append(.restarted)
        postponeJumps(except: load)
        let id = makeNumber()
        cancelLoads(continuedBy: id) { _ in true }
        failures = []
        start(Load(id: id, purpose: .first, identity: identity(firstKey), isRefresh: true))
    }

    // MARK: - Loading ahead

    // Takes note that nothing is to be loaded ahead in a direction for a while: somebody who scrolls hints many times a
    // second, and each hint would ask again.
    mutating func holdBack(_ purpose: Purpose, after error: PaginatorError) {
        // Nothing else is loaded ahead.
        guard purpose == .next || purpose == .previous else { return }
        var setback = setbacks[purpose] ?? Setback()
        defer { setbacks[purpose] = setback }
        // They may have become better before the failure was told; then it is tried again as after any other failure.
        setback.waitsForConditions = !conditions.isEmpty
        guard !setback.waitsForConditions else { return }
        let mayPass = setback.failures < 8 && Self.passingFailures.contains(error.code)
        setback.failures = min(8, setback.failures + 1)
        setback.hints = (1 << setback.failures) - 1
        // Who looks at the last row has nothing more to hint.
        if mayPass { actions.append(.wake(after: .seconds(1 << setback.failures))) }
    }

    // After these another try may succeed with no help of the user.
    private static var passingFailures: Set<PaginatorError.Code> {
        [.sourceFailed, .timedOut, .offline, .heldBack, .throttled, .storeFailed]
    }

    mutating func countHint() {
        for purpose in setbacks.keys { setbacks[purpose]?.hints -= 1 }
    }

    mutating func woken() {
        for purpose in setbacks.keys { setbacks[purpose]?.hints = 0 }
        prefetch()
    }

    func mayLoad(_ purpose: Purpose, isAhead: Bool) -> Bool {
        guard let setback = setbacks[purpose] else { return true }
        return setback.hints <= 0 && !(isAhead && setback.waitsForConditions)
    }

    mutating func conditionsChanged(_ new: PaginatorConditions) {
        let gone = conditions.subtracting(new)
        conditions = new
        if !kept.isEmpty { kept[0].conditions = new }
        guard !gone.isEmpty else { return }
        if gone.contains(.offline) { lastOffline = lastNumber }
        retry { error in
            switch error.code {
            case .offline: !new.contains(.offline)
            // Perhaps it waited for them to the end, before its first attempt or, without a connection, a further one.
            case .timedOut: gone.contains(.offline) || error.attempts == 0
            case .sourceFailed: gone.contains(.offline)
            case .heldBack: true
            default: false
            }
        }
    }
}
