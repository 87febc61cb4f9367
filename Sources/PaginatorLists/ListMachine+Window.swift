import PaginatorCore

// The window, and prefetching around the visible rows.
extension ListMachine {
    /// The visible rows, by the identities of the first and the last. `jump` is the number of the last jump or bookmark
    /// while they are its row; `nil` once there is a hint.
    typealias VisibleRange = (first: ListItemID, last: ListItemID, jump: Int?)

    mutating func setPrefetchDistance(_ distance: Int?) {
        config.prefetchDistance = distance
        emptyPages = 0
        setbacks = [:]
        prefetch()
    }

    mutating func setPrefetchPaused(_ isPaused: Bool) {
        isPrefetchPaused = isPaused
        setbacks = [:]
        prefetch()
    }

    mutating func hint(_ range: Range<Int>, at now: PaginatorInstant) {
        emptyPages = 0
        guard kept.isEmpty else {
            if kept[0].setVisible(range) != nil { visible = kept[0].visible }
            return
        }
        guard tree.count > 0 else {
            // Kept for the first rows; pages without rows may precede them.
            if !seats.isEmpty || running[.first] != nil { earlyHint = range }
            return prefetch()
        }
        let former = visiblePositions()?.first
        guard let range = setVisible(range) else { return prefetch() }
        // Rows inserted above meanwhile do not count as scrolled past.
        if let former { distance.scrolled(by: range.lowerBound - former, at: now) }
        hideFarRows()
        // Drops pages that could not be dropped earlier, such as those that `loadAll` loaded.
        if goals.isEmpty, running[.next] == nil, running[.previous] == nil { dropFarPages(at: nil) }
        if mayPrefetch, let (first, last) = visiblePositions() { prefetch(around: first, last) }
    }

    // Ignores a hint that was made before its view knew of the last jump, because it is about former rows. `jump` is
    // the last one that the view knew.
    mutating func hint(_ range: Range<Int>, at now: PaginatorInstant, after jump: Int?) {
        if visible?.jump == nil || visible?.jump == jump { hint(range, at: now) }
    }

    mutating func hint(_ id: ListItemID, at now: PaginatorInstant, after jump: Int?) {
        let position = kept.isEmpty ? position(of: id) : kept[0].position(of: id)
        if let position { hint(position..<position + 1, at: now, after: jump) }
    }

    mutating func takeRememberedHint() {
        guard let range = earlyHint, !seats.isEmpty else { return }
        rebuildDirty()
        // After a jump, it is about former rows.
        let hasJumped = visible?.jump != nil && visiblePositions() != nil
        if hasJumped || setVisible(range) != nil { earlyHint = nil }
    }

    // Looks at the row of a jump or a bookmark. Views go there once for each number.
    mutating func go(to id: ListItemID) {
        visible = (id, id, Int(truncatingIfNeeded: makeNumber()))
    }

    private mutating func setVisible(_ range: Range<Int>) -> ClosedRange<Int>? {
        let count = tree.count
        guard count > 0 else { return nil }
        let lower = min(max(0, range.lowerBound), count - 1)
        let upper = min(max(lower, range.isEmpty ? lower : range.upperBound - 1), count - 1)
        let (first, last) = (tree.row(at: lower).id, tree.row(at: upper).id)
        if let place = restoreTarget?.place, !(position(of: place).map((lower...upper).contains) ?? false) {
            restoreTarget = nil
        }
        if visible?.first != first || visible?.last != last { countHint() }
        visible = (first, last, nil)
        return lower...upper
    }

    mutating func prefetch() {
        guard mayPrefetch, visible != nil || earlyHint != nil else { return }
        rebuildDirty()
        if let (first, last) = visiblePlace { prefetch(around: first, last) }
    }

    // The visible rows; in a list without rows, the place where they will be.
    var visiblePlace: (first: Int, last: Int)? {
        visiblePositions() ?? (earlyHint != nil && tree.count == 0 ? (0, -1) : nil)
    }

    func visiblePositions() -> (first: Int, last: Int)? {
        guard let range = visible, let first = position(of: range.first) ?? position(of: range.last) else { return nil }
        // A refresh may have reversed their order.
        let last = position(of: range.last) ?? first
        return (min(first, last), max(first, last))
    }

    func prefetchDistance(at end: ListEnd) -> Int { config.prefetchDistance ?? distance.rows(at: end) }

    // The distance from the visible rows within which rows are kept. Limited by the number of rows, so that it cannot
    // overflow.
    var keptDistance: Int {
        let distance = max(0, prefetchDistance(at: .start), prefetchDistance(at: .end))
        return isPrefetchPaused ? 0 : min(distance, tree.count)
    }

    private var mayPrefetch: Bool {
        !isPrefetchPaused && !seats.isEmpty && running[.first] == nil && emptyPages <= config.maxEmptyPages
    }

    // Offline, the next page could not be loaded anyway.
    var isLoadingAheadHeldBack: Bool { !blocking.isEmpty && !blocking.contains(.offline) }

    private mutating func prefetch(around first: Int, _ last: Int) {
        // Conditions hold back prefetches, but at the last row the user waits for the next page.
        let areHeldBack = isLoadingAheadHeldBack
        let (isNextAhead, isPreviousAhead) = (!areHeldBack || last < tree.count - 1, !areHeldBack || first > 0)
        if tree.count - 1 - last < prefetchDistance(at: .end), mayLoad(at: .end, isAhead: isNextAhead),
            case .idle = phase(.next, isAtEnd: isBottomShown && isEndCertain)
        {
            loadNext(isAhead: isNextAhead)
        }
        if first < prefetchDistance(at: .start), mayLoad(at: .start, isAhead: isPreviousAhead),
            case .idle = phase(.previous, isAtEnd: isTopShown)
        {
            loadPrevious(isAhead: isPreviousAhead)
        }
    }

    var visibleRank: Int? {
        visible.flatMap { chunk(showing: $0.first) ?? chunk(showing: $0.last) }
            .flatMap { Self.pageRanks.contains($0) ? $0 : nil }
    }

    // MARK: - Dropping

    // Drops pages at an end, or, if `nil`, at the end that is farther from the visible rows, while more than two are
    // left.
    mutating func dropFarPages(at wanted: ListEnd?) {
        guard let limit = config.windowItems else { return }
        rebuildDirty()
        while tree.count > max(1, limit), seats.count > 2 {
            let end = wanted ?? fartherEnd
            // Where `loadAll` goes on, nothing is dropped.
            guard end == .start || goals.isEmpty, let rank = page(at: end), !isNearVisible(rank) else { return }
            drop(rank, at: end)
            rebuildDirty()
        }
    }

    private var fartherEnd: ListEnd {
        let middle = visible.flatMap { position(of: $0.first) } ?? 0
        return middle > tree.count - 1 - middle ? .start : .end
    }

    private func isNearVisible(_ rank: Int) -> Bool {
        // While the list begins there was no hint yet; the user will look at the first page.
        guard let (first, last) = visiblePositions() else { return goals[Self.initialLoad] != nil }
        guard let place = tree.place(of: rank) else { return false }
        let lower = place.before.rows
        let upper = lower + place.payload.rows.count
        let distance = keptDistance
        return upper > first - distance && lower <= last + distance
    }

    private mutating func drop(_ rank: Int, at end: ListEnd) {
        // Pages on both sides of a gap do not follow each other. A page dropped there is found again by its key.
        let left = pageRank(before: rank)
        let isChained = (end == .start ? rank : left).flatMap { seats[$0]?.isLinkedToNext } ?? false
        let notBefore = demand(beside: rank)
        let neighbor = (end == .start ? pageRank(after: rank) : left).flatMap { seats[$0] }
        // Later, the page comes without the rows that edits have removed.
        let ids = seats[rank]?.ids.filter { entries[$0]?.base != nil }
        let beside = isChained ? neighbor?.ids ?? [] : []
        guard let seat = remove(rank) else { return }
        failures.removeAll { $0.load.purpose == .page(seat.identity) }
        // Beyond a gap, the keys of the page that stays lead to the rows in the gap, if there are any.
        let isKept = isChained || !leads(to: end)
        if !isKept { forgetDropped(at: end) }
        let page = DroppedPage(
            identity: seat.identity, ids: isChained ? ids : nil,
            neighborIDs: beside.filter { entries[$0]?.base != nil },
            fetchedAt: seat.stamp.time, neighborTime: neighbor?.stamp.time,
            notBefore: notBefore, shifts: seat.shifts, isBesideGap: !isChained, isOutdated: seat.isRenamed)
        if end == .start { leadingShift += seat.shifts.own }
        if isKept {
            dropped.insert(seat.identity)
            self[dropped: end].append(page)
        }
        if end == .end, let last = lastPage {
            seats[last]?.isLinkedToNext = false
            dirty.insert(last)
        }
        giveUp(end.purpose)
        hideFarRows()
    }

    // Returns whether the page at one end names a page beyond it.
    private func leads(to end: ListEnd) -> Bool {
        guard let seat = page(at: end).flatMap({ seats[$0] }) else { return false }
        return switch end {
        case .start: seat.previous != nil && !seat.isPreviousRepeated
        case .end: seat.next != nil && !seat.isNextRepeated
        }
    }

    // Removes a page that is out of order or outdated, which leaves a gap.
    mutating func takeOut(_ rank: Int, with error: PaginatorError? = nil) {
        let left = pageRank(before: rank)
        guard let seat = remove(rank) else { return }
        // Waiters for the refresh of a page that others have replaced succeed.
        giveUp(.page(seat.identity), with: error)
        guard let left, let other = seats[left] else {
            leadingShift += seat.shifts.own
            leaveDropped(at: .start, shift: seat.shifts.own)
            return hideFarRows()
        }
        // The pages after it keep their offsets.
        seats[left]?.shifts.ownAtFetch += seat.shifts.own
        setShift(other.shifts.own + seat.shifts.own, at: left)
        seats[left]?.isLinkedToNext = false
        dirty.insert(left)
        if pageRank(after: left) == nil { leaveDropped(at: .end, shift: 0) }
        hideFarRows()
    }

    // Forgets the pages dropped beyond an end that has lost its page, unless nothing else leads to them.
    private mutating func leaveDropped(at end: ListEnd, shift: Int) {
        guard let nearest = self[dropped: end].indices.last, !leads(to: end) else { return forgetDropped(at: end) }
        giveUp(end.purpose)
        self[dropped: end][nearest].shifts.own += shift
        self[dropped: end][nearest].shifts.ownAtFetch += shift
        self[dropped: end][nearest].isBesideGap = true
    }

    private mutating func remove(_ rank: Int) -> ListSeat? {
        guard let seat = seats.removeValue(forKey: rank) else { return nil }
        tree.remove(at: rank)
        ranks[seat.identity] = nil
        fallbackPages[seat.identity] = nil
        dirty.remove(rank)
        dirtyRows[rank] = nil
        touches?.insert(rank)
        for id in seat.ids { removeItem(id, from: rank, of: seat.stamp.time) }
        if config.windowItems != nil { actions.append(.unpin(seat.identity)) }
        giveUp(.gap(seat.identity, at: .end))
        giveUp(.gap(seat.identity, at: .start))
        return seat
    }

    mutating func keepToWindow(insertedAt place: PaginatorRowPlace<ListItemID>) {
        // Pages at the end stay until the next hint, as those that `loadAll` has loaded.
        if place == .tail { dropFarPages(at: .start) }
        hideFarRows()
    }

    // Removes and returns the dropped page that a load brought; `nil` if its page was never dropped.
    mutating func takeDropped(at end: ListEnd) -> DroppedPage? {
        guard let page = self[dropped: end].popLast() else { return nil }
        forget([page])
        if end == .start { leadingShift -= page.shifts.own }
        return page
    }

    // Replaces a dropped page and the nearer ones by the page of a jump; the farther ones still follow that. If none is
    // at its place, all are forgotten.
    mutating func takeDropped(upTo identity: PageIdentity, at end: ListEnd) -> DroppedPage? {
        let pages = self[dropped: end]
        let keys = droppedKeys(at: end)
        guard let distance = keys.firstIndex(where: { $0.hasSameBytes(as: identity.key) }) else {
            forgetDropped(at: end)
            return nil
        }
        let index = pages.count - 1 - distance
        let shift = pages[index...].reduce(0) { $0 + $1.shifts.own }
        forget(Array(pages[index...]))
        self[dropped: end].removeSubrange(index...)
        // The nearest one has another neighbor now.
        if index > 0 { self[dropped: end][index - 1].isBesideGap = true }
        if end == .start { leadingShift -= shift }
        giveUp(end.purpose)
        return DroppedPage(identity: identity, ids: nil, shifts: PageShifts(own: shift))
    }

    // Forgets a dropped page that arrived in another place, and the dropped pages beyond it.
    mutating func forgetDropped(_ identity: PageIdentity) {
        guard dropped.contains(identity) else { return }
        func cut(_ pile: inout [DroppedPage]) -> [DroppedPage] {
            guard let index = pile.firstIndex(where: { $0.identity == identity }) else { return [] }
            defer { pile.removeSubrange(...index) }
            return Array(pile[...index])
        }
        forget(cut(&droppedBefore) + cut(&droppedAfter))
    }

    private mutating func forget(_ pages: [DroppedPage]) {
        for page in pages { dropped.remove(page.identity) }
    }

    mutating func forgetDropped(at end: ListEnd) {
        forget(self[dropped: end])
        self[dropped: end] = []
        giveUp(end.purpose)
    }

    // Cancels a load and forgets its failure, because its page would arrive in the wrong place.
    mutating func giveUp(_ purpose: Purpose, with error: PaginatorError? = Self.cancelled) {
        failures.removeAll { $0.load.purpose == purpose }
        guard let load = running[purpose] else { return }
        end(load.id, with: error)
        actions.append(.cancel(load.id))
    }
}
