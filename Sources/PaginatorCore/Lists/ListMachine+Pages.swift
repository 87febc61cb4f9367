// Pages that come.
extension ListMachine {
    mutating func arrived(_ id: UInt64, _ page: ListPage<T, ID>, isFinal: Bool) {
        guard let purpose = purposes[id], var load = running[purpose] else { return }
        if load.isOutdated { return isFinal ? askAgain(load) : () }
        if isFinal {
            end(id, with: nil)
        } else {
            running[purpose]?.isPreviewed = true
        }
        let page = renamed(page)
        if case .page = load.purpose {
            // It is found by the identity that it had when the load began.
        } else if ranks[load.identity] != nil, !replacesEverything(load) {
            load.purpose = .page(load.identity)
            load.shiftBefore = nil
        }
        if load.purpose == .first, !slots.isEmpty, !load.isRefresh, load.bookmark == nil, ranks[load.identity] == nil {
            // A jump was faster than the first page.
            load.purpose = .jump(load.identity)
        }
        // What nobody asked for must not lead from one restart to the next.
        if load.purpose != .first, !load.isAhead { hasRestarted = false }
        // What came in place of what was asked for is no reason to ask at once again; neither is the last page, which is
        // asked for again where it cannot be believed that nothing follows it.
        let direction =
            if case .page(let identity) = purpose, let rank = ranks[identity], rank == tree.last {
                Purpose.next
            } else {
                purpose
            }
        if let error = page.refreshError { holdBack(direction, error) } else { setbacks[direction] = nil }
        let before = entries.count
        switch load.purpose {
        case .first:
            replaceEverything(with: page, load)
        case .next:
            place(page, load, at: rankBehind(tree.last), dropped: takeDropped(atStart: false))
            dropFarPages(arrivedAtEnd: true)
        case .previous:
            place(page, load, at: rankBefore(tree.first), dropped: takeDropped(atStart: true))
            dropFarPages(arrivedAtEnd: false)
        case .gap(let anchor, let fromStart):
            guard let rank = rankInGap(beside: anchor, fromStart: fromStart) else { break }
            place(page, load, at: rank, dropped: nil)
            dropFarPages(arrivedAtEnd: nil)
        case .jump:
            place(page, load, at: rankForJump(load), dropped: nil)
            rebuildDirty()
            if load.isJump, let rank = ranks[load.identity] { look(atPage: rank) }
            dropFarPages(arrivedAtEnd: nil)
        case .page(let identity):
            if let rank = ranks[identity] { replace(at: rank, with: page, load) }
        }
        emptyPages = entries.count > before ? 0 : emptyPages + 1
        updateEdges()
        takeRememberedHint()
        rebuildDirty()
        prefetch()
        startWaitingJumps()
    }

    /// The place for a page beside the anchor of a gap; `nil` when the gap is closed or gone.
    private mutating func rankInGap(beside anchor: PageIdentity, fromStart: Bool) -> Int? {
        guard let rank = ranks[anchor], let left = fromStart ? rank : tree.rank(before: rank),
            let right = tree.rank(after: left), slots[left]?.isLinkedToNext == false
        else { return nil }
        return rankBetween(left, right, near: fromStart)
    }

    /// Whether a load's page takes the place of all others; after a preview it is there already.
    private func replacesEverything(_ load: Load) -> Bool {
        guard load.purpose == .first, slots.isEmpty || load.isRefresh || load.bookmark != nil else { return false }
        return !(load.isPreviewed && ranks[load.identity] != nil)
    }

    private mutating func replaceEverything(with page: ListPage<T, ID>, _ load: Load) {
        let anchor = visible
        let wasEmpty = slots.isEmpty
        // Who waits for a page's refresh has all of it anew. A jump beside the first page goes on.
        cancelLoads(with: nil) { other in other.id != load.id && !(wasEmpty && other.isJump) }
        failures = []
        let newer = values(newerThan: load)
        removeAllSlots()
        if load.isRefresh { forgetSettledRows(olderThan: page, of: load) }
        if let bookmark = load.bookmark { takeDroppedPages(of: bookmark) }
        place(page, load, at: 0, dropped: nil)
        takeBack(newer)
        // The rows that the page lacks came after it.
        for (id, row) in local where row.token == nil && isNewer(row, than: page, of: load) {
            shiftOffsets(at: id, by: 1)
        }
        visible = load.bookmark.flatMap { visibleRange(of: $0, on: page) } ?? anchor.flatMap { shown($0) }
        if load.isJump {
            rebuildDirty()
            look(atPage: 0)
        }
    }

    /// Puts a new slot in.
    private mutating func place(_ page: ListPage<T, ID>, _ load: Load, at rank: Int, dropped: DroppedPage<ID>?) {
        forgetDropped(load.identity)
        var slot = slot(of: page, load)
        let before = shiftBefore(rank)
        slot.shift = dropped?.shift ?? 0
        // A page from a cache has the keys of its own time.
        let isOld = dropped.map { $0.ids != nil && page.fetchedAt <= $0.fetchedAt } ?? false
        slot.shiftAtFetch = isOld ? dropped?.shiftAtFetch ?? 0 : slot.shift
        slot.shiftBeforeAtFetch = isOld ? dropped?.shiftBeforeAtFetch ?? before : before
        slots[rank] = slot
        ranks[slot.identity] = rank
        tree.set(Chunk(rows: []), Tree.Measure(rows: 0, shift: slot.shift), at: rank)
        if config.windowItems != nil { actions.append(.pin(slot.identity)) }
        let isShared = hold(page, slot, rank, load, replacing: [])
        if case .next = load.purpose, !isOld, !isShared, let start = load.shiftBefore {
            slots[rank]?.shiftBeforeAtFetch = start
        }
        link(rank, instead: dropped)
        if case .next = load.purpose {
            if isShared { reportShift(before: rank) }
            let isCut = tree.rank(before: rank).map { slots[$0]?.isLinkedToNext == false } ?? false
            if isCut, !slot.isAsNew(as: load.notBefore) { notices.append(.gapOpened) }
        }
    }

    /// Puts a page in the place of an earlier one.
    mutating func replace(at rank: Int, with page: ListPage<T, ID>, _ load: Load) {
        guard let old = slots[rank] else { return }
        // An edit may have moved it to where another page is.
        guard ranks[load.identity] == nil || ranks[load.identity] == rank else { return }
        // A cache may answer late with what has been renewed meanwhile.
        guard load.isRefresh || page.fetchedAt >= old.stamp.time else { return }
        var slot = slot(of: page, load)
        slot.shift = old.shift
        let isSame = old.ids.first == slot.ids.first && old.ids.last == slot.ids.last
        slot.shiftAtFetch = load.shiftBefore == nil ? old.shift : max(old.shift, load.shiftInside)
        slot.shiftBeforeAtFetch = isSame ? load.shiftBefore ?? shiftBefore(rank) : shiftBefore(rank)
        slot.isLinkedToNext = old.isLinkedToNext
        if slot.identity != old.identity {
            forgetDropped(slot.identity)
            ranks[old.identity] = nil
            ranks[slot.identity] = rank
            standIns[old.identity] = nil
            standIns[slot.identity] = slot.refreshError
            if config.windowItems != nil { actions += [.unpin(old.identity), .pin(slot.identity)] }
        }
        slots[rank] = slot
        hold(page, slot, rank, load, replacing: old.ids)
        forgetRows(beside: rank, page, load, replacing: old.ids)
        func joint(_ wasLinked: Bool, _ isUnchanged: Bool) -> Joint {
            // After a preview the page that was asked for comes now.
            load.isPreviewed ? .new : wasLinked && isUnchanged ? .asBefore : .changed
        }
        if let left = tree.rank(before: rank) {
            relink(left, rank, joint(slots[left]?.isLinkedToNext == true, old.ids.first == slot.ids.first))
        }
        if let right = tree.rank(after: rank) {
            relink(rank, right, joint(old.isLinkedToNext, old.ids.last == slot.ids.last))
        } else {
            slots[rank]?.isLinkedToNext = false
        }
    }

    private mutating func slot(of page: ListPage<T, ID>, _ load: Load) -> Slot {
        steps += page.items.count
        // Some servers name an empty key where there is no further page.
        func key(_ key: String?) -> String? { key?.isEmpty == true ? nil : key }
        var slot = Slot(
            identity: load.identity, previous: key(page.previous), next: key(page.next), ids: Self.ids(of: page),
            stamp: ListStamp(time: page.fetchedAt, arrival: makeNumber()), staleFrom: page.staleFrom,
            refreshError: page.refreshError, batch: load.batch)
        if load.isRefresh {
            slot.refreshedAt = page.fetchedAt
            refreshedAt = max(refreshedAt ?? page.fetchedAt, page.fetchedAt)
        } else if slot.isAsNew(as: load.notBefore) {
            slot.refreshedAt = load.notBefore
        }
        standIns[slot.identity] = slot.refreshError
        return slot
    }

    /// The identities of a page's items, each once.
    private static func ids(of page: ListPage<T, ID>) -> [ID] {
        var ids: [ID] = []
        ids.reserveCapacity(page.items.count)
        // As many are looked through faster than hashed.
        guard page.items.count > 24 else {
            for item in page.items where !ids.contains(item.id) { ids.append(item.id) }
            return ids
        }
        var seen = Set<ID>(minimumCapacity: page.items.count)
        for item in page.items where seen.insert(item.id).inserted { ids.append(item.id) }
        return ids
    }

    /// Notes that a slot has its items, and takes their values where they are the newest.
    ///
    /// - Returns: whether another page had one of them.
    @discardableResult
    private mutating func hold(
        _ page: ListPage<T, ID>, _ slot: Slot, _ rank: Int, _ load: Load, replacing old: [ID]
    ) -> Bool {
        dirty.insert(rank)
        if !old.isEmpty, old != slot.ids {
            let kept = Set(slot.ids)
            for id in old where !kept.contains(id) { release(id, from: rank) }
        }
        // Only a page that repeats an item has more of them than the slot.
        let hasRepeated = page.items.count != slot.ids.count
        var seen: Set<ID> = []
        var isShared = false
        let mayMissEdits = recentCommits.contains { $0.number > page.editMark }
        for item in page.items where !hasRepeated || seen.insert(item.id).inserted {
            steps += 1
            if !local.isEmpty, local[item.id] != nil { removeLocal(item.id, keepsEntry: true) }
            let former = takeItem(
                item, of: page, slot.stamp, startedAt: load.startedAt, at: rank, mayMissEdits: mayMissEdits)
            if let former, former != rank {
                isShared = true
                dirty.insert(former)
            }
        }
        return isShared
    }

    /// Takes an item of a page, with the edits that were committed while the page was on its way.
    ///
    /// - Returns: the page that showed it before.
    private mutating func takeItem(
        _ item: (id: ID, value: T), of page: ListPage<T, ID>, _ stamp: ListStamp, startedAt: UInt64, at rank: Int,
        mayMissEdits: Bool
    ) -> Int? {
        var shown: T? = item.value
        if !pending.isEmpty { for edit in pending[item.id] ?? [] { shown = edit.apply(to: shown) } }
        let version = makeNumber()
        // One look into the table for all of it: this is most of what a page costs.
        let (isTaken, former) = entries[item.id, default: Entry(stamp: stamp, version: version)].take(
            item.value, shown: shown, stamp, startedAt: startedAt, editMark: page.editMark, version: version, at: rank)
        if isTaken, mayMissEdits { addMissedEdits(to: item, of: page) }
        return former
    }

    private mutating func addMissedEdits(to item: (id: ID, value: T), of page: ListPage<T, ID>) {
        let missed = recentCommits.filter { $0.number > page.editMark && $0.id == item.id }
        guard let last = missed.last else { return }
        var value: T? = item.value
        for commit in missed { value = value.flatMap(commit.change) }
        entries[item.id]?.base = value
        entries[item.id]?.editMark = last.number
        fold(item.id)
    }

    /// The page with the items that were given another identity since.
    func renamed(_ page: ListPage<T, ID>) -> ListPage<T, ID> {
        guard recentCommits.contains(where: { $0.number > page.editMark && $0.renamed != nil }) else { return page }
        var page = page
        for case let commit in recentCommits where commit.number > page.editMark {
            guard let new = commit.renamed, let index = page.items.firstIndex(where: { $0.id == commit.id }) else {
                continue
            }
            page.items[index] = new
        }
        return page
    }

    /// Takes a value that the source gave, if it is the newest.
    mutating func take(_ value: T, of id: ID, _ stamp: ListStamp) {
        if let entry = entries[id] {
            guard entry.stamp <= stamp else { return }
            entries[id]?.base = value
            entries[id]?.stamp = stamp
        } else {
            entries[id] = Entry(base: value, stamp: stamp, shown: nil, version: 0)
        }
        fold(id)
    }

    /// Takes an item off a slot; what nobody has any more is forgotten.
    mutating func release(_ id: ID, from rank: Int) {
        steps += 1
        guard var entry = entries[id] else { return }
        entry.holders.remove(rank)
        if entry.holders.isEmpty, local[id] == nil {
            entries[id] = nil
        } else {
            if let owner = entry.holders.first { dirty.insert(owner) }
            entries[id] = entry
        }
    }

    // MARK: - Links

    /// What speaks for it that nothing is missing between two pages whose keys join.
    enum Joint {
        /// They were linked, and both show at that side what they showed then.
        case asBefore
        /// One of them has changed at that side, or the source's table has moved.
        case changed
        /// One of them was not there before.
        case new
    }

    /// Links a new page to those beside it.
    ///
    /// - Parameter dropped: the page as it was before the window dropped it.
    private mutating func link(_ rank: Int, instead dropped: DroppedPage<ID>?) {
        guard let slot = slots[rank] else { return }
        let (left, right) = (tree.rank(before: rank), tree.rank(after: rank))
        // Keys that join pages which share items all the same tell that the table has moved since the older one came, and
        // so has what the page at the other side was cut from.
        let (hasMovedLeft, hasMovedRight) = (left.map { hasMoved($0, rank) }, right.map { hasMoved(rank, $0) })
        func joint(with neighbor: Int, hasMoved: Bool?, _ isUnchanged: (_ old: [ID]) -> Bool) -> Joint {
            if let dropped, let ids = dropped.ids,
                dropped.fetchedAt >= slots[neighbor]?.refreshedAt ?? dropped.fetchedAt
            {
                return isUnchanged(ids) ? .asBefore : .changed
            }
            return hasMoved == true ? .changed : .new
        }
        if let left { relink(left, rank, joint(with: left, hasMoved: hasMovedRight) { $0.first == slot.ids.first }) }
        if let right { relink(rank, right, joint(with: right, hasMoved: hasMovedLeft) { $0.last == slot.ids.last }) }
    }

    private func hasMoved(_ left: Int, _ right: Int) -> Bool {
        guard let first = slots[left], let second = slots[right] else { return false }
        return haveJoiningKeys(first, left, second, right) && overlap(first, second)
    }

    private mutating func relink(_ left: Int, _ right: Int, _ joint: Joint) {
        guard let first = slots[left], let second = slots[right] else { return }
        let isLinked = areLinked(first, left, second, right, joint)
        if first.isLinkedToNext, !isLinked { notices.append(.gapOpened) }
        if first.isLinkedToNext != isLinked { slots[left]?.isLinkedToNext = isLinked }
        relinked.insert(left)
    }

    /// Whether nothing can be missing between two neighbors: the first goes on in the second, or one's key is the other's
    /// next, which proves it only while nothing speaks against it.
    private func areLinked(_ left: Slot, _ leftRank: Int, _ right: Slot, _ rightRank: Int, _ joint: Joint) -> Bool {
        if overlap(left, right) { return true }
        // A jump behind the end brings an empty page, and nothing lies before that.
        if left.next == nil, right.next == nil, right.ids.isEmpty { return true }
        guard haveJoiningKeys(left, leftRank, right, rightRank) else { return false }
        // They were asked for together.
        if left.batch == right.batch, left.batch != 0 { return true }
        switch joint {
        case .asBefore: return true
        case .changed: return false
        case .new: return left.isAsNew(as: right.refreshedAt) && right.isAsNew(as: left.refreshedAt)
        }
    }

    private func haveJoiningKeys(_ left: Slot, _ leftRank: Int, _ right: Slot, _ rightRank: Int) -> Bool {
        effectiveNext(of: left, at: leftRank)?.hasSameBytes(as: effectiveKey(of: right, at: rightRank)) ?? false
    }

    /// Whether the second page begins inside the first.
    private func overlap(_ left: Slot, _ right: Slot) -> Bool {
        if let last = left.ids.last, right.ids.contains(last) { return true }
        // One that was moved to the top is on both, and proves nothing; a whole page inside the other does.
        guard let first = right.ids.first, let index = left.ids.firstIndex(of: first) else { return false }
        return zip(left.ids[index...], right.ids).allSatisfy { $0 == $1 }
    }

    /// Tells of items that the page before has too: others were inserted before it since.
    private mutating func reportShift(before rank: Int) {
        guard let left = tree.rank(before: rank), let earlier = slots[left], let slot = slots[rank] else { return }
        let repeated = Set(earlier.ids).intersection(slot.ids).count
        if repeated > 0 { notices.append(.shifted(items: repeated)) }
    }

    // MARK: - Ranks

    private mutating func rankBehind(_ last: Int?) -> Int {
        guard let last else { return 0 }
        let (rank, overflow) = last.addingReportingOverflow(rankStep)
        if !overflow { return rank }
        renumberRanks()
        return rankBehind(tree.last)
    }

    private mutating func rankBefore(_ first: Int?) -> Int {
        guard let first else { return 0 }
        let (rank, overflow) = first.subtractingReportingOverflow(rankStep)
        if !overflow { return rank }
        renumberRanks()
        return rankBefore(tree.first)
    }

    private mutating func rankBetween(_ left: Int, _ right: Int, near isNearLeft: Bool) -> Int {
        let room = right - left
        if room > 1 {
            let step = min(1 << 16, room / 2)
            return isNearLeft ? left + step : right - step
        }
        let identity = slots[left]?.identity
        renumberRanks()
        guard let left = identity.flatMap({ ranks[$0] }), let right = tree.rank(after: left) else {
            return rankBehind(tree.last)
        }
        return rankBetween(left, right, near: isNearLeft)
    }

    private mutating func rankForJump(_ load: Load) -> Int {
        var goesToStart = load.placement == .start
        if load.placement == .automatic, let number = Int(load.identity.key), let neighbor = numericNeighbor(number) {
            if let right = tree.rank(after: neighbor) { return rankBetween(neighbor, right, near: true) }
        } else if load.placement == .automatic, let number = Int(load.identity.key), let first = tree.first,
            let smallest = slots[first].flatMap({ Int($0.identity.key) })
        {
            goesToStart = number < smallest
        }
        forgetDropped(atStart: goesToStart)
        if dropped.contains(load.identity) { forgetDropped(atStart: !goesToStart) }
        return goesToStart ? rankBefore(tree.first) : rankBehind(tree.last)
    }

    /// The last slot whose key is a number not above `number`, where the keys are numbers in ascending order.
    private func numericNeighbor(_ number: Int) -> Int? {
        var found: Int?
        tree.forEach { place in
            guard let key = slots[place.rank].flatMap({ Int($0.identity.key) }), key <= number else { return }
            found = place.rank
        }
        return found
    }

    /// Numbers all slots anew, with room between them. Complexity: O(everything), about once in 65,000 fillings of a gap.
    private mutating func renumberRanks() {
        var moved: [Int: Int] = [:]
        var tree = Tree()
        var slots: [Int: Slot] = [:]
        self.tree.forEach { place in
            let rank = moved.count * rankStep
            moved[place.rank] = rank
            slots[rank] = self.slots[place.rank]
            tree.set(
                place.payload, Tree.Measure(rows: place.payload.rows.count, shift: slots[rank]?.shift ?? 0), at: rank)
        }
        steps += self.tree.visits
        self.tree = tree
        self.slots = slots
        ranks = ranks.compactMapValues { moved[$0] }
        dirty = Set(dirty.compactMap { moved[$0] })
        relinked = Set(relinked.compactMap { moved[$0] })
        entries = entries.mapValues { entry in
            var entry = entry
            entry.holders.renumber(moved)
            return entry
        }
        touches.isEverything = true
    }
}

extension ListMachine.Entry {
    /// Takes the value that a page has, if it is the newest, and that the page has the item.
    ///
    /// - Returns: whether the value was taken, and the page that showed the item before.
    fileprivate mutating func take(
        _ value: T, shown: T?, _ stamp: ListStamp, startedAt: UInt64, editMark: UInt64, version: UInt64, at rank: Int
    ) -> (isTaken: Bool, former: Int?) {
        // What came by itself after the load began is newer, whenever the answer came.
        let isTaken = self.stamp <= stamp && pushed <= startedAt
        if isTaken {
            base = value
            self.stamp = stamp
            self.editMark = editMark
            self.shown = shown
            self.version = version
        }
        let former = holders.first
        holders.insert(rank)
        return (isTaken, former)
    }
}
