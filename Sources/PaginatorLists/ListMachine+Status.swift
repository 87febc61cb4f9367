import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ListMachine {
    /// Returns the change for observers after an event. One call on the whole machine, because each closure that reads
    /// it would copy it.
    mutating func takeChange(
        at now: PaginatorInstant, places: ListItemTable
    ) -> (change: ListChange, staleTime: PaginatorInstant?) {
        let visible = kept.isEmpty ? visibleState(at: now) : kept[0].visibleState(at: now)
        let change = ListChange(
            content: ListContent(rows: shown, status: status(of: visible), places: places), anchor: anchor,
            touches: touches, notices: notices)
        touches = []
        notices = []
        return (change, visible.staleTime)
    }

    func status(at now: PaginatorInstant) -> PaginatorListStatus {
        status(of: kept.isEmpty ? visibleState(at: now) : kept[0].visibleState(at: now))
    }

    private func status(of visible: VisibleState) -> PaginatorListStatus {
        if var status = kept.first?.status(of: visible) {
            status.refresh = refreshPhase
            // Loading more means loading the first page of the new scope.
            (status.next, status.previous) = (status.refresh, status.refresh)
            return status
        }
        var status = PaginatorListStatus(scope: config.scope)
        status.freshness = freshness(of: visible)
        status.isPartial = visible.isPartial
        let (isStartLoaded, isEndLoaded, endError) = (isStartLoaded, isEndLoaded, endError)
        status.isEndShown = isBottomShown
        status.next = phase(.next, isAtEnd: status.isEndShown && isEndCertain)
        status.previous = phase(.previous, isAtEnd: isTopShown)
        if !setbacks.isEmpty || endError != nil, let (first, last) = visiblePlace {
            // At the last row the user waits for the next one.
            if status.next == .idle, last == shown.count - 1, let error = setbacks[.end]?.error ?? endError {
                status.next = .failed(error)
            }
            if status.previous == .idle, first == 0, let error = setbacks[.start]?.error {
                status.previous = .failed(error)
            }
        }
        status.refresh = refreshPhase
        status.gaps = gapPhases
        status.staleError = fallbackPages.keys.compactMap { ranks[$0] }.min().flatMap { seats[$0]?.refreshError }
        status.hasLoaded = !seats.isEmpty
        status.jump = self.visible?.jump
        status.replacements = replacements
        status.total = sourceCount
        (status.placeholdersBefore, status.placeholdersAfter) = missing
        status.newAbove = (isStartLoaded ? headRows.hiddenCount : headRows.count) + newRowCount
        status.newBelow = isEndLoaded ? tailRows.hiddenCount : tailRows.count
        return status
    }

    // The error of a load in place of which an older last page is shown. A view that sees the end must not have it
    // loaded again at once; without a connection nothing has failed.
    private var endError: PaginatorError? {
        guard isEndLoaded, let error = lastSeat?.refreshError else { return nil }
        return error.code == .offline ? nil : error
    }

    private func freshness(of visible: VisibleState) -> PaginatorListFreshness? {
        guard let savedAt = visible.savedAt else { return nil }
        if conditions.contains(.offline) { return .offline(savedAt: savedAt) }
        if let error = visible.error { return .failed(error, savedAt: savedAt) }
        return visible.isStale ? .stale(savedAt: savedAt) : .fresh(savedAt: savedAt)
    }

    /// What the status tells of the visible pages. Only of those, so that a long list costs no more than a short one.
    struct VisibleState {
        // When the oldest one was saved; `nil` without pages.
        var savedAt: Date?
        // The error of the first one that stands in for a newer one.
        var error: PaginatorError?
        var isStale = false
        var isPartial = false
        // When the next one expires.
        var staleTime: PaginatorInstant?
    }

    func visibleState(at now: PaginatorInstant) -> VisibleState {
        let first = visible.flatMap { chunk(showing: $0.first) }
        let last = visible.flatMap { chunk(showing: $0.last) }
        let (lower, upper) = (min(first ?? .max, last ?? .max), max(first ?? .min, last ?? .min))
        // If only local rows are visible, it is the page next to them; if none are, the first page.
        let start = lower == .max ? Self.pageRanks.lowerBound : max(lower, Self.pageRanks.lowerBound)
        var next = pageRank(after: start - 1) ?? lastPage
        var state = VisibleState()
        while let rank = next, state.savedAt == nil || rank <= upper {
            next = pageRank(after: rank)
            guard let index = seats.index(forKey: rank) else { continue }
            state.take(seats.values[index], isLast: next == nil, at: now)
        }
        return state
    }

    func phase(_ purpose: Purpose, isAtEnd: Bool) -> PaginatorLoadState {
        if running[purpose] != nil { return .loading }
        let failure = failures.first { $0.load.purpose == purpose }
        return failure.map { .failed($0.error) } ?? (isAtEnd ? .endReached : .idle)
    }

    private var refreshPhase: PaginatorLoadState {
        func isRefresh(_ load: Load) -> Bool {
            switch load.purpose {
            case .first, .jump: true
            case .page: load.gap == nil
            case .next, .previous, .gap: false
            }
        }
        if !waitingJumps.isEmpty || running.values.contains(where: isRefresh) { return .loading }
        return failures.first { isRefresh($0.load) }.map { .failed($0.error) } ?? .idle
    }

    private var gapPhases: [Int: PaginatorLoadState] {
        var phases: [Int: PaginatorLoadState] = [:]
        for failure in failures {
            if let position = gapPosition(of: failure.load) { phases[position] = .failed(failure.error) }
        }
        for load in running.values {
            if let position = gapPosition(of: load) { phases[position] = .loading }
        }
        return phases
    }

    private func gapPosition(of load: Load) -> Int? {
        let (page, side): (PageIdentity, ListEnd)
        switch load.purpose {
        case .gap(let anchor, let gap): (page, side) = (anchor, gap)
        case .page(let identity):
            guard let gap = load.gap else { return nil }
            (page, side) = (identity, gap)
        case .first, .next, .previous, .jump: return nil
        }
        guard let before = pageBeforeGap(at: side, of: page), seats[before]?.isLinkedToNext == false,
            pageRank(after: before) != nil, let place = tree.place(of: before)
        else { return nil }
        return place.before.rows + place.payload.rows.count
    }
}

extension ListMachine.VisibleState {
    fileprivate mutating func take(_ seat: ListSeat, isLast: Bool, at now: PaginatorInstant) {
        savedAt = min(savedAt ?? seat.savedAt, seat.savedAt)
        error = error ?? seat.refreshError
        isPartial = isPartial || seat.isPartial || !seat.isLinkedToNext && !isLast
        guard let time = seat.staleFrom else { return }
        if time <= now { isStale = true } else { staleTime = min(staleTime ?? time, time) }
    }
}
