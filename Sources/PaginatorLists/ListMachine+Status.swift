import PaginatorCore

extension ListMachine {
    /// Returns the change for observers after an event. One call on the whole machine, because each closure that reads
    /// it would copy it.
    mutating func takeChange(
        at now: PaginatorInstant, places: any ListPlaces
    ) -> (change: ListChange, staleTime: PaginatorInstant?) {
        let change = ListChange(
            content: ListContent(rows: shown, status: status(at: now), places: places), anchor: anchor,
            touches: touches, notices: notices)
        touches = []
        notices = []
        return (change, nextStaleTime(after: now))
    }

    func status(at now: PaginatorInstant) -> PaginatorListStatus {
        if var status = kept.first?.status(at: now) {
            status.refresh = refreshPhase
            // Loading more means loading the first page of the new scope.
            (status.next, status.previous) = (status.refresh, status.refresh)
            return status
        }
        var status = PaginatorListStatus(scope: config.scope)
        let pages = visiblePages
        status.freshness = freshness(of: pages.map(\.seat), at: now)
        status.isPartial = pages.contains {
            $0.seat.isPartial || !$0.seat.isLinkedToNext && pageRank(after: $0.rank) != nil
        }
        let (isStartLoaded, isEndLoaded) = (isStartLoaded, isEndLoaded)
        status.next = phase(.next, isAtEnd: isBottomShown && isEndCertain)
        status.previous = phase(.previous, isAtEnd: isTopShown)
        if !setbacks.isEmpty, let (first, last) = lookedAt {
            // At the last row the user waits for the next one.
            if status.next == .idle, last == shown.count - 1, let error = setbacks[.next]?.error {
                status.next = .failed(error)
            }
            if status.previous == .idle, first == 0, let error = setbacks[.previous]?.error {
                status.previous = .failed(error)
            }
        }
        status.refresh = refreshPhase
        status.gaps = gapPhases
        status.staleError = standIns.isEmpty ? nil : standIns.min { ranks[$0.key] ?? 0 < ranks[$1.key] ?? 0 }?.value
        status.hasLoaded = !seats.isEmpty
        status.total = sourceCount
        (status.placeholdersBefore, status.placeholdersAfter) = missing
        status.newAbove = (isStartLoaded ? headRows.hiddenCount : headRows.count) + newRowCount
        status.newBelow = isEndLoaded ? tailRows.hiddenCount : tailRows.count
        return status
    }

    // Only of visible pages, so that a long list costs no more than a short one.
    private func freshness(of pages: [ListSeat], at now: PaginatorInstant) -> PaginatorListFreshness? {
        guard let savedAt = pages.map(\.savedAt).min() else { return nil }
        if conditions.contains(.offline) { return .offline(savedAt: savedAt) }
        if let error = pages.lazy.compactMap(\.refreshError).first { return .failed(error, savedAt: savedAt) }
        let isStale = pages.contains { $0.staleFrom.map { $0 <= now } ?? false }
        return isStale ? .stale(savedAt: savedAt) : .fresh(savedAt: savedAt)
    }

    // Returns the time at which the next visible page expires.
    func nextStaleTime(after now: PaginatorInstant) -> PaginatorInstant? {
        (kept.first ?? self).visiblePages.lazy.compactMap(\.seat.staleFrom).filter { $0 > now }.min()
    }

    private var visiblePages: [(rank: Int, seat: ListSeat)] {
        let ends = visible.map { [$0.first, $0.last].compactMap(chunk(showing:)) } ?? []
        // If only local rows are visible, the page next to them counts.
        var next = pageRank(after: max(ends.min() ?? .min, Self.pageRanks.lowerBound) - 1) ?? lastPage
        var pages: [(rank: Int, seat: ListSeat)] = []
        while let rank = next, pages.isEmpty || rank <= ends.max() ?? .min {
            if let seat = seats[rank] { pages.append((rank, seat)) }
            next = pageRank(after: rank)
        }
        return pages
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
        let (page, side): (PageIdentity, GapSide)
        switch load.purpose {
        case .gap(let anchor, let fromStart): (page, side) = (anchor, fromStart ? .end : .start)
        case .page(let identity):
            guard let gap = load.gap else { return nil }
            (page, side) = (identity, gap)
        case .first, .next, .previous, .jump: return nil
        }
        guard let rank = ranks[page], let before = side == .end ? rank : pageRank(before: rank),
            seats[before]?.isLinkedToNext == false, pageRank(after: before) != nil,
            let place = tree.place(of: before)
        else { return nil }
        return place.before.rows + place.payload.rows.count
    }
}
