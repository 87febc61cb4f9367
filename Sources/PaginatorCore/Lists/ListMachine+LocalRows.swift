// Rows that no page has: live ones, and those that edits insert.
extension ListMachine {
    /// A row that no page has.
    struct LocalRow: Sendable {
        var place: PaginatorRowPlace<ID>
        /// The optimistic insert that made it; `nil` for a live or committed row, which the source has.
        var token: UInt64?
        /// When it came, or was committed: what a load that began earlier, or an older page, knows nothing of.
        var number: UInt64
        var time: PaginatorInstant
        /// The chunk that it is in, at the head and at the tail.
        var rank = 0
    }

    mutating func insert(
        _ id: ID, _ value: T, _ place: PaginatorRowPlace<ID>, token: UInt64?, at time: PaginatorInstant
    ) {
        let stamp = ListStamp(time: time, arrival: makeNumber())
        if let token { tokens[token] = id }
        if let entry = entries[id] {
            if let token {
                // The list has the item: the optimistic value lies over it, and can be taken back.
                pending[id, default: []].append(
                    PendingEdit(token: token, change: { _ in value }, insert: (value, place)))
                refold(id)
            } else {
                confirm(id, at: time)
                push(value, of: id, stamp)
                markDirty(id)
                if entry.base == nil { shiftOffsets(at: id, by: 1) }
            }
            return
        }
        entries[id] = Entry(base: value, stamp: stamp, pushed: stamp.arrival, shown: nil, version: 0)
        local[id] = LocalRow(place: place, token: token, number: stamp.arrival, time: time)
        switch place {
        case .head: local[id]?.rank = headRows.add(id)
        case .tail: local[id]?.rank = tailRows.add(id)
        case .after(let anchor): followers[anchor, default: []].insert(id, at: 0)
        }
        fold(id)
        markDirty(id)
        if token == nil { shiftOffsets(at: id, by: 1) }
    }

    /// Takes note that the source has a row that was inserted optimistically: taking the insert back leaves it there.
    private mutating func confirm(_ id: ID, at time: PaginatorInstant) {
        guard local[id]?.token != nil else { return }
        settleRow(id, at: time)
        shiftOffsets(at: id, by: 1)
    }

    /// Makes an optimistic row one that the source has.
    mutating func settleRow(_ id: ID, at time: PaginatorInstant) {
        guard var row = local[id] else { return }
        (row.token, row.number, row.time) = (nil, makeNumber(), time)
        local[id] = row
    }

    /// Takes a value that came by itself: an answer to a load that began before does not replace it.
    mutating func push(_ value: T, of id: ID, _ stamp: ListStamp) {
        take(value, of: id, stamp)
        notePush(of: id, stamp)
    }

    mutating func notePush(of id: ID, _ stamp: ListStamp) {
        if entries[id]?.stamp == stamp { entries[id]?.pushed = stamp.arrival }
        lastPush = stamp.arrival
    }

    /// Takes a local row away, or makes it the page's when a page has come that has it.
    ///
    /// Rows that follow one that goes take its place, or follow `heir`.
    mutating func removeLocal(_ id: ID, keepsEntry: Bool = false, heir: ID? = nil) {
        guard let row = local[id] else { return }
        markDirty(id)
        local[id] = nil
        var orphans: [ID] = []
        if !keepsEntry, entries[id]?.holders.isEmpty == true {
            entries[id] = nil
            orphans = followers.removeValue(forKey: id) ?? []
        }
        if let heir, heir != id {
            // One that followed what it inherits from takes its place.
            let others = orphans.filter { $0 != heir }
            orphans = orphans.filter { $0 == heir }
            leave(others, to: heir)
        }
        for orphan in orphans {
            local[orphan]?.place = row.place
            local[orphan]?.rank = row.rank
        }
        switch row.place {
        case .head: headRows.replace(id, with: orphans, at: row.rank)
        case .tail: tailRows.replace(id, with: orphans, at: row.rank)
        case .after(let anchor):
            if let index = followers[anchor]?.firstIndex(of: id) {
                followers[anchor]?.replaceSubrange(index...index, with: orphans)
            }
            if followers[anchor]?.isEmpty == true { followers[anchor] = nil }
        }
        if let heir { markDirty(heir) }
    }

    /// Lets rows follow an item.
    mutating func leave(_ rows: [ID], to heir: ID) {
        guard !rows.isEmpty else { return }
        followers[heir, default: []].insert(contentsOf: rows, at: 0)
        for row in rows { local[row]?.place = .after(heir) }
    }

    // MARK: - Answers of the source

    /// Takes away the rows that the source has by now: all, or those that are not newer than a page.
    ///
    /// - Returns: how many went.
    @discardableResult
    mutating func forgetSettledRows(
        olderThan page: ListPage<T, ID>? = nil, of load: Load? = nil, where isWanted: (LocalRow) -> Bool = { _ in true }
    ) -> Int {
        var gone = 0
        for (id, row) in local where row.token == nil && isWanted(row) {
            if let page, let load, isNewer(row, than: page, of: load) { continue }
            removeLocal(id)
            gone += 1
        }
        return gone
    }

    /// Whether a row came after a page was made: after the load began, or later than the page of a cache.
    func isNewer(_ row: LocalRow, than page: ListPage<T, ID>, of load: Load) -> Bool {
        row.number > load.startedAt || row.time > page.fetchedAt
    }

    /// Takes away what stands beside a page that has come anew, and is older than it: the source has put it into its
    /// pages by now, or has deleted it.
    ///
    /// - Parameter old: what the page had before.
    mutating func forgetRows(beside rank: Int, _ page: ListPage<T, ID>, _ load: Load, replacing old: [ID]) {
        guard load.isRefresh, !local.isEmpty else { return }
        if rank == tree.last, isEndLoaded {
            forgetSettledRows(olderThan: page, of: load) { $0.place == .tail }
        }
        guard rank == tree.first, isStartLoaded else { return }
        let gone = forgetSettledRows(olderThan: page, of: load) { $0.place == .head }
        // Where the page still reaches what was below them, it would have them: the source has deleted them.
        if gone > 0, page.items.contains(where: { old.contains($0.id) }) {
            leadingShift -= gone
            slots[rank]?.shiftBeforeAtFetch -= gone
            for (purpose, running) in running {
                self.running[purpose]?.shiftBefore = running.shiftBefore.map { $0 - gone }
            }
        }
    }

    /// The values that came by themselves after a load began.
    func values(newerThan load: Load) -> [ID: Entry] {
        lastPush > load.startedAt ? entries.filter { $0.value.pushed > load.startedAt } : [:]
    }

    /// Gives items that are there again the values that came after their page.
    mutating func takeBack(_ newer: [ID: Entry]) {
        for (id, entry) in newer where entries[id] != nil && local[id] == nil {
            entries[id]?.base = entry.base
            entries[id]?.stamp = entry.stamp
            entries[id]?.editMark = entry.editMark
            entries[id]?.pushed = entry.pushed
            refold(id)
        }
    }

    // MARK: - The window

    /// Whether nothing is above the first row that is shown.
    var isTopShown: Bool { isStartLoaded && headRows.hiddenCount == 0 }

    /// Whether nothing is below the last row that is shown.
    var isBottomShown: Bool { isEndLoaded && tailRows.hiddenCount == 0 }

    /// Hides local rows far from what is visible until the window holds; they are counted like those that are new, and
    /// come back when somebody scrolls to them.
    mutating func hideFarRows() {
        guard let limit = config.windowItems, visible != nil, !(headRows.isEmpty && tailRows.isEmpty) else { return }
        rebuildDirty()
        while rowCount > max(1, limit) {
            guard let (first, last) = visiblePositions() else { return }
            let distance = keptDistance
            let size = head.first.flatMap { head.place(of: $0)?.payload.rows.count } ?? 0
            let tailSize = tail.last.flatMap { tail.place(of: $0)?.payload.rows.count } ?? 0
            if !head.isEmpty, size <= first - distance, let rank = headRows.hideOutermost() {
                touches.headRanks.insert(rank)
                head = headRows.tree
            } else if !tail.isEmpty, rowCount - tailSize > last + distance, let rank = tailRows.hideOutermost() {
                touches.tailRanks.insert(rank)
                tail = tailRows.tree
            } else {
                return
            }
        }
    }

    /// Shows as many hidden rows as a page has; says whether there were any.
    mutating func revealRows(atStart: Bool) -> Bool {
        let limit = max(1, config.pageSize)
        let before = atStart ? headRows.hiddenCount : tailRows.hiddenCount
        guard before > 0, atStart ? isStartLoaded : isEndLoaded else { return false }
        while before - (atStart ? headRows.hiddenCount : tailRows.hiddenCount) < limit {
            guard atStart ? headRows.reveal() : tailRows.reveal() else { break }
        }
        rebuildDirty()
        dropFarPages(arrivedAtEnd: !atStart)
        return true
    }
}
