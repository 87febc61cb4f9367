import PaginatorCore

// Failed loads, and their retries.
extension ListMachine {
    mutating func failed(_ id: UInt64, _ error: PaginatorError) {
        guard let purpose = purposes[id], var load = running[purpose] else { return }
        if load.readsOldKey {
            end(id, with: nil)
            return askForShifted(load)
        }
        if error.code == .expiredKey, restartedWith == nil, !load.identity.key.hasSameBytes(as: firstKey) {
            return restart(becauseOf: id)
        }
        end(id, with: error)
        leaveRefresh(load)
        // The rest of the last page, which is refreshed if it has another key by now.
        let isRest =
            if case .page(let page) = purpose, let rank = ranks[page] {
                rank == lastPage && seats[rank]?.isPartial == true
            } else {
                false
            }
        if purpose == .next || purpose == .first || isRest {
            load.goal = goals[Self.initialLoad]
            endGoals(with: error)
        }
        // First, because a jump that starts replaces earlier failures, but not this one.
        startWaitingJumps()
        if error.code != .cancelled {
            if load.isAhead, let end = load.purpose.end {
                // A failed prefetch is not reported, except at the end where its page is missing. A load that
                // conditions hold back has not failed.
                noteSetback(at: end, after: error)
                if error.attempts > 0 { setbacks[end]?.error = error }
                // The last row may have become visible meanwhile.
                prefetch()
            } else {
                failures.removeAll { $0.load.purpose == load.purpose }
                failures.append((load, error))
            }
        }
        retryInterrupted(id, error)
    }

    // A page that was to be read again with others of a refresh, and failed, is older than they are.
    private mutating func leaveRefresh(_ load: Load) {
        guard case .page(let page) = load.purpose, load.refreshNumber != 0, let rank = ranks[page],
            let seat = seats[rank], seat.refreshNumber == load.refreshNumber, !seat.isAsNew(as: load.notBefore)
        else { return }
        seats[rank]?.refreshNumber = 0
        if let left = pageRank(before: rank) { relink(left, rank, .changed) }
        if let right = pageRank(after: rank) { relink(rank, right, .changed) }
    }

    // Forgets the failed loads that a page has made up for, being whole and as new as they wanted it: its refreshes,
    // refreshes of everything that begin with it, and loads that brought a part of it.
    mutating func forgetFailures(of page: PageIdentity, at rank: Int, madeUpBy seat: ListSeat) {
        guard !seat.isPartial, seat.refreshError == nil else { return }
        let isFirst = rank == firstPage && isStartLoaded
        failures.removeAll {
            seat.isAsNew(as: $0.load.notBefore)
                && ($0.load.purpose == .page(page)
                    || $0.load.purpose == .first && $0.load.isRefresh && (isFirst || $0.load.identity == page)
                    || $0.load.isPreviewed && $0.load.identity == seat.identity)
        }
    }

    // Retries a load at once if it failed offline, or because the app was suspended, and that was over before the
    // failure was handled.
    mutating func retryInterrupted(_ id: UInt64, _ error: PaginatorError) {
        guard Self.mayBeInterruption(error), id <= lastInterrupted, !conditions.contains(.offline) else { return }
        retry(keepingPlace: true, where: Self.mayBeInterruption)
    }

    // A connection fails, or a captive portal answers for the server, before the system reports that there is none. The
    // time limit may pass during that, or during a suspension.
    private static func mayBeInterruption(_ error: PaginatorError) -> Bool {
        [.offline, .sourceFailed, .timedOut, .throttled].contains(error.code)
    }

    // Includes pages of which an older version is shown because their load failed. With `keepingPlace`, no refresh of
    // everything takes rows from under the user, who did not ask for it now.
    mutating func retry(keepingPlace: Bool = false, where isWanted: (PaginatorError) -> Bool = { _ in true }) {
        setbacks = [:]
        let failed = failures.filter { isWanted($0.error) }
        let hasExpired = failed.contains {
            $0.error.code == .expiredKey && !$0.load.identity.key.hasSameBytes(as: firstKey)
        }
        // An expired key stays expired.
        if hasExpired { return restart() }
        for failure in failed {
            // The retry of another one may have renamed its page.
            let load = failures.first { $0.load.id == failure.load.id }?.load ?? failure.load
            guard running[load.purpose] == nil else { continue }
            // After an expired key the list begins again in any case; that load has no time.
            if keepingPlace, hasGoneOn(from: load), let time = Self.later(load.notBefore, load.newer?.time) {
                refresh(.keepingPlace, at: time)
            } else {
                askAgain(load, isSecond: false)
            }
        }
        // Not earlier, because a load that replaces a failed first load takes its goal.
        failures.removeAll { failure in failed.contains { $0.load.id == failure.load.id } }
        // They are reloaded together, so they count as equally new.
        let number = makeNumber()
        for rank in fallbackPages.filter({ isWanted($0.value) }).keys.compactMap({ ranks[$0] }).sorted() {
            reloadPage(at: rank, number: number)
        }
        // Retries failed prefetches.
        prefetch()
    }

    // Returns whether the visible rows are not those at which a failed refresh of everything begins.
    private func hasGoneOn(from load: Load) -> Bool {
        guard load.purpose == .first, load.isRefresh, let start = firstPage, let end = lastPage, let visible
        else { return false }
        // Local rows at the ends stand beside the first and the last page.
        let shown = [visible.first, visible.last].compactMap { chunk(showing: $0) }.map { min(max($0, start), end) }
        guard let low = shown.min(), let high = shown.max() else { return false }
        let showsIt = ranks[load.identity].map { low <= $0 && $0 <= high } ?? false
        return !showsIt && !(isStartLoaded && low == start)
    }

    // Begins again at the source's first key. The rows stay until its page arrives.
    mutating func restart(becauseOf load: UInt64? = nil) {
        restartedWith = seats.count + dropped.count
        notices.append(.restarted)
        postponeJumps(except: load)
        let id = makeNumber()
        cancel(continuedBy: id) { _ in true }
        failures = []
        start(Load(id: id, purpose: .first, identity: identity(firstKey), isRefresh: true))
    }

    // MARK: - Loading ahead

    // Suspends prefetching at an end for a while. Hints arrive many times a second while the user scrolls, and
    // each would call the source again. After each failure more of them are ignored, 254 at most.
    mutating func noteSetback(at end: ListEnd, after error: PaginatorError) {
        var setback = setbacks[end] ?? Setback()
        defer { setbacks[end] = setback }
        // If conditions improved before the failure was handled, it is retried like any other failure.
        setback.waitsForConditions =
            !blocking.isEmpty || conditions.contains(.offline) && error.code == .offline
        guard !setback.waitsForConditions else { return }
        let mayPass = setback.failures < 8 && Self.passingFailures.contains(error.code)
        setback.failures = min(8, setback.failures + 1)
        setback.hints = (1 << setback.failures) - 1
        // At the last row no further hint arrives.
        if mayPass { actions.append(.wake(after: .seconds(1 << setback.failures))) }
    }

    // Errors after which a retry may succeed without a change.
    private static var passingFailures: Set<PaginatorError.Code> {
        [.sourceFailed, .timedOut, .offline, .heldBack, .throttled, .storeFailed]
    }

    mutating func countHint() {
        for end in setbacks.keys { setbacks[end]?.hints -= 1 }
    }

    mutating func woken() {
        for end in setbacks.keys { setbacks[end]?.hints = 0 }
        prefetch()
    }

    func mayLoad(at end: ListEnd, isAhead: Bool) -> Bool {
        guard let setback = setbacks[end] else { return true }
        return setback.hints <= 0 && !(isAhead && setback.waitsForConditions)
    }

    mutating func conditionsChanged(_ new: PaginatorConditions) {
        let gone = conditions.subtracting(new)
        let wasOffline = blocking.contains(.offline)
        conditions = new
        if !kept.isEmpty { kept[0].conditions = new }
        guard !gone.isEmpty else {
            // What was held back may be in the caches, which answer alone now.
            guard blocking.contains(.offline), !wasOffline, setbacks.values.contains(where: \.waitsForConditions)
            else { return }
            setbacks = setbacks.filter { !$0.value.waitsForConditions }
            return prefetch()
        }
        let mayHaveStopped = gone.contains(.offline) || gone.contains(.background)
        if mayHaveStopped { lastInterrupted = lastNumber }
        retry(keepingPlace: true) { error in
            switch error.code {
            case .offline: !new.contains(.offline)
            // It may have waited for conditions until it timed out: before its first attempt, or offline between two.
            // Or its time passed while the app was suspended.
            case .timedOut: mayHaveStopped || error.attempts == 0
            case .sourceFailed, .throttled: gone.contains(.offline)
            default: false
            }
        }
    }
}
