import PaginatorCore

// The number of items, and loading until there are enough.
extension ListMachine {
    // The number of items at the source: the total of the newest page, changed by later inserts and removals.
    var sourceCount: Int? {
        total.map { told in max(0, countChanges.reduce(told.items) { $1.time > told.time ? $0 + $1.items : $0 }) }
    }

    mutating func takeTotal(of page: ListPage) {
        guard let items = page.total, page.fetchedAt >= total?.time ?? .zero else { return }
        // Bounded, so that adding items does not overflow.
        total = (min(items, .max / 2), page.fetchedAt)
        // The source counted a new item if it is on the page. A removed one tells nothing: edits have removed it here.
        countChanges.removeAll { change in
            change.time > page.fetchedAt && page.items.contains { $0.id == change.id }
        }
    }

    // Records that the source has had more or fewer items since a time. The same change may be reported again.
    mutating func count(_ items: Int, of id: ListItemID, since time: PaginatorInstant) {
        countChanges.removeAll { $0.id == id && $0.time == time }
        let isAtHead = chunk(showing: id).map { $0 < Self.pageRanks.lowerBound } ?? false
        countChanges.append((id, items, time, isAtHead))
        guard countChanges.count > 128 else { return }
        // Merging is wrong only for a page that arrives now and was requested between the two oldest changes.
        let first = countChanges.removeFirst()
        countChanges[0] = (nil, countChanges[0].items + first.items, max(countChanges[0].time, first.time), false)
    }

    // The number of rows at the head of which only the number is known.
    var newRowCount: Int { newRows.reduce(0) { $0 + $1.count } }

    // The source's first page contains rows that were announced before it was requested, even after the window dropped
    // it. Its key may not be the first one, and it may name a key before it, for what is newer. In a list that grows
    // upwards it is the last one.
    mutating func forgetSeenRows() {
        guard !newRows.isEmpty else { return }
        let identity = identity(firstKey)
        let first = ranks[identity] ?? (isStartLoaded && !dropped.contains(identity) ? firstPage : nil)
        guard let time = first.flatMap({ seats[$0]?.stamp.time }) else { return }
        newRows.removeAll { $0.time <= time }
    }

    mutating func reportNewRows(_ count: Int, in scope: ExactText, at time: PaginatorInstant) {
        applyToKept { $0.reportNewRows(count, in: scope, at: time) }
        guard scope == ExactText(config.scope) else { return }
        // Bounded, so that no sum overflows.
        if newRows.count == 64, let oldest = newRows.first {
            newRows[1].count = min(newRows[1].count + oldest.count, .max / 128)
            newRows.removeFirst()
        }
        newRows.append((min(max(0, count), .max / 128), time))
    }

    // The numbers of the source's rows before and after the loaded ones, as far as they are known.
    var missing: (before: Int, after: Int) {
        guard let count = sourceCount, let first = firstPage, let last = lastPage, let start = seats[first],
            let end = seats[last]
        else { return (0, 0) }
        guard config.addressing != .opaque else {
            return (0, isStartLoaded && !isEndLoaded ? max(0, count - tree.count) : 0)
        }
        let before = isStartLoaded ? 0 : position(ofKey: effectiveKey(of: start, at: first)) ?? 0
        let after =
            end.isPartial
            ? position(ofKey: effectiveKey(of: end, at: last)).map { min($0, count) + end.ids.count }
            : isEndLoaded ? nil : effectiveNext(of: end, at: last).flatMap(position(ofKey:))
        return (min(max(0, before), count), after.map { max(0, count - max(0, $0)) } ?? 0)
    }

    // Returns the position at which a page begins, in items of the source.
    private func position(ofKey key: String) -> Int? {
        guard case .pageNumber(let first) = config.addressing else {
            // Some offsets begin at 1.
            return Int(key).map { max(0, $0) - (Self.offset(firstKey) ?? 0) }
        }
        return Int(key).map { number in
            let (pages, isFar) = number.subtractingReportingOverflow(first)
            let (items, isFarther) = pages.multipliedReportingOverflow(by: max(1, config.pageSize))
            return isFar || isFarther ? .max : items
        }
    }

    // Loads at the end until the list has `limit` items or the source has no more.
    mutating func loadAll(_ limit: Int, token: UInt64) {
        guard limit > 0 else { return actions.append(.ended(token, nil)) }
        emptyPages = 0
        goals[token] = limit
        // Also if the last page is an older one in place of a failed load, since more may follow it.
        if isBottomShown { loadNext() }
    }

    mutating func endGoals(upTo items: Int = .max, with error: PaginatorError?) {
        for token in goals.keys.sorted() where goals[token] ?? 0 <= items { endGoal(token, with: error) }
    }

    mutating func endGoal(_ token: UInt64, with error: PaginatorError?) {
        if goals.removeValue(forKey: token) != nil { actions.append(.ended(token, error)) }
    }

    // Whether the last page, which is uncertain, is being loaded again, other than as the next page: as a refresh, or
    // its rest as the page of a jump.
    var isLastReloaded: Bool {
        guard !isEndCertain, let seat = lastSeat else { return false }
        return running[.page(seat.identity)] != nil
            || seat.isPartial && running.contains { $0 != .next && $1.identity == seat.identity }
    }

    // Whether the next page waits because the previous one is being loaded by its key.
    var isNextAwaitingPrevious: Bool {
        guard let load = running[.previous], let last = lastPage, let seat = seats[last] else { return false }
        return load.identity == droppedAfter.last?.identity ?? effectiveNext(of: seat, at: last).map(identity)
    }

    // Loads the next page for a running `loadAll`. Without recursion, because each page that arrives is an event.
    mutating func continueLoadAll() {
        while !goals.isEmpty, running[.first] == nil, running[.next]?.isAhead ?? true {
            rebuildDirty()
            if !isLastReloaded, isBottomShown {
                return endGoals(with: isEndCertain ? nil : lastSeat?.refreshError)
            }
            let items = droppedBefore.reduce(tree.count) { $0 + ($1.ids?.count ?? 0) }
            endGoals(upTo: emptyPages > config.maxEmptyPages ? .max : items, with: nil)
            guard !goals.isEmpty, !isLastReloaded else { return }
            let hidden = tailRows.hiddenCount
            loadNext()
            // Under another key it is a refresh of the page.
            if isLastReloaded { return }
            let isLoading = running[.next] != nil || running[.first] != nil
            if !isLoading, tailRows.hiddenCount == hidden { return isNextAwaitingPrevious ? () : endGoals(with: nil) }
        }
    }
}
