import PaginatorCore

// Keys that are offsets. Committed inserts, deletes and live rows shift the offsets of the pages after them.
//
// A row at the head precedes every page, so it shifts every page by one. Only the first page does not shift while it is
// loaded: it is requested by the source's first key.
//
// A page counts an edit that was committed before the page was requested. If the edit was committed afterwards, the
// page may count it or not. It counts an insert if it begins with items of the page before it. A delete leaves no such
// trace, so a page that was on its way then, or came while the delete was pending, is requested again. A page that is
// loaded upward or by a jump, or with which a list begins in the middle, shows no inserts either, so after one it is
// requested again, too. If there is no evidence, the smaller key is used for the next page, and the larger one for the
// page before: they repeat an item rather than skip one.
extension ListMachine {
    // Returns the sum of the shifts before a rank, dropped pages included.
    func shiftBefore(_ rank: Int) -> Int { leadingShift + tree.sum(before: rank).shift }

    // Parses a key as an offset. A server may send any number; within this range no sum of shifts overflows.
    static func offset(_ key: String) -> Int? { Int(key).flatMap { 0...Int.max >> 10 ~= $0 ? $0 : nil } }

    func shifted(_ key: String, by shift: Int) -> String {
        guard config.addressing == .offset, shift != 0, let offset = Self.offset(key) else { return key }
        let (moved, overflow) = offset.addingReportingOverflow(shift)
        return overflow ? key : String(max(0, moved))
    }

    // Returns the key of the page before one, which the page need not state; `nil` at the start.
    func offset(before page: PageIdentity) -> String? {
        let first = Self.offset(firstKey) ?? 0
        guard config.addressing == .offset, let offset = Self.offset(page.key), offset > first else { return nil }
        let previous = offset - max(1, page.pageSize)
        return previous > first ? String(previous) : firstKey
    }

    // Returns the current key of a loaded page.
    func effectiveKey(of seat: ListSeat, at rank: Int) -> String {
        guard config.addressing == .offset, !seat.identity.key.hasSameBytes(as: firstKey) else {
            return seat.identity.key
        }
        return shifted(seat.identity.key, by: shiftBefore(rank) - seat.shifts.beforeAtFetch)
    }

    func effectivePrevious(of seat: ListSeat, at rank: Int) -> String? {
        guard config.addressing == .offset, let key = seat.previous else { return seat.previous }
        let shift = shiftBefore(rank) - seat.shifts.beforeAtFetch
        return shift == 0 ? key : shifted(key, before: effectiveKey(of: seat, at: rank), by: shift)
    }

    // Returns the shifted key of the page before that of `key`, at least the first key; `nil` if that page is at the
    // start.
    private func shifted(_ previous: String, before key: String, by shift: Int) -> String? {
        guard shift != 0, Self.offset(previous) != nil || previous.hasSameBytes(as: firstKey) else { return previous }
        let first = Self.offset(firstKey) ?? 0
        if let own = Self.offset(key), own <= first { return nil }
        let moved = shifted(previous, by: shift)
        return Self.offset(moved).map { $0 > first ? moved : firstKey } ?? moved
    }

    func effectiveNext(of seat: ListSeat, at rank: Int) -> String? {
        guard config.addressing == .offset, let key = seat.next else { return seat.next }
        let before = shiftBefore(rank) - seat.shifts.beforeAtFetch
        return shifted(key, by: before + seat.shifts.own - seat.shifts.ownAtFetch)
    }

    // Returns whether the list has the page of a key. A page with a shifted key gives up the old one.
    mutating func isLoaded(_ key: String) -> Bool {
        let identity = identity(key)
        if config.addressing == .offset, let rank = ranks[identity], let seat = seats[rank],
            !effectiveKey(of: seat, at: rank).hasSameBytes(as: key)
        {
            renameToCurrentKeys { _ in false }
        }
        return ranks[identity] != nil
    }

    // Returns a page's identity and current key. If another page has that key, the keys of both change in one step.
    mutating func currentKey(at rank: Int) -> (page: PageIdentity, key: String)? {
        if let seat = seats[rank], let other = ranks[identity(effectiveKey(of: seat, at: rank))], other != rank {
            renameToCurrentKeys { _ in false }
        }
        return seats[rank].map { ($0.identity, effectiveKey(of: $0, at: rank)) }
    }

    // Returns whether the window has dropped the page of a key. Beside a gap its rows may be loaded again by another
    // key.
    func isDropped(_ key: String) -> Bool {
        let identity = identity(key)
        guard dropped.contains(identity) else { return false }
        return ListEnd.allCases.contains { end in
            zip(self[dropped: end].reversed(), droppedKeys(at: end)).contains {
                $0.identity == identity && !$0.isBesideGap && $1.hasSameBytes(as: key)
            }
        }
    }

    // Returns the current keys of the pages, by rank. The selected pages will be refreshed together: if two of them are
    // linked, the second page's key is the end of the refreshed first page, so that no gap opens between them. A page
    // that does not begin after the beginning of the page before it is out of order, and gets no key.
    func currentKeys(where isWanted: (ListSeat) -> Bool) -> [Int: String] {
        var keys: [Int: String] = [:]
        // The end of the previous page: its current next key, and the offset at which it will end after its refresh.
        var following: (key: String, offset: Int)?
        var last = Int.min
        tree.forEach { place in
            guard let seat = seats[place.rank] else { return }
            let key = effectiveKey(of: seat, at: place.rank)
            guard config.addressing == .offset, let own = Self.offset(key) else {
                keys[place.rank] = key
                following = nil
                return
            }
            var offset = own
            if isWanted(seat), let following {
                // A page that begins inside the previous page leaves no gap.
                offset = following.key.hasSameBytes(as: key) ? following.offset : min(following.offset, own)
            }
            guard offset > last else {
                if !seat.isLinkedToNext { following = nil }
                return
            }
            last = offset
            keys[place.rank] = offset == own ? key : String(offset)
            following = nil
            guard isWanted(seat), seat.isLinkedToNext, let next = effectiveNext(of: seat, at: place.rank),
                let start = Self.offset(seat.identity.key), let end = seat.next.flatMap(Self.offset), start < end
            else { return }
            let (sum, overflow) = offset.addingReportingOverflow(end - start)
            if !overflow { following = (next, sum) }
        }
        return keys
    }

    @discardableResult
    mutating func renameToCurrentKeys(where isWanted: (ListSeat) -> Bool) -> [Int: String] {
        let keys = currentKeys(where: isWanted)
        // A page out of order shows rows in the wrong place, and no gap next to it could be filled.
        for rank in seats.keys.filter({ keys[$0] == nil }).sorted() {
            takeOut(rank, with: Self.cancelled)
        }
        rename(to: keys)
        return keys
    }

    // Changes the keys of all pages in one step, since one may get the key that another had.
    private mutating func rename(to keys: [Int: String]) {
        var renamed: [PageIdentity: PageIdentity] = [:]
        for (rank, key) in keys.sorted(by: { $0.key < $1.key }) {
            guard var seat = seats[rank], !seat.identity.key.hasSameBytes(as: key) else { continue }
            let old = seat.identity
            if let now = Self.offset(effectiveKey(of: seat, at: rank)), let new = Self.offset(key) {
                let before = shiftBefore(rank)
                let shift = before - seat.shifts.beforeAtFetch + (new - now)
                seat.previous = seat.previous.flatMap { shifted($0, before: key, by: shift) }
                seat.next = seat.next.map { shifted($0, by: shift) }
                seat.shifts.beforeAtFetch = before
            }
            seat.identity = identity(key)
            seat.isRenamed = true
            seats[rank] = seat
            renamed[old] = seat.identity
        }
        guard !renamed.isEmpty else { return }
        for new in renamed.values {
            forgetDropped(new)
            // A load of the page that had this key has lost its place.
            guard renamed[new] == nil else { continue }
            for purpose in [Purpose.page(new), .gap(new, at: .end), .gap(new, at: .start)] {
                giveUp(purpose)
            }
        }
        for old in renamed.keys {
            ranks[old] = nil
            fallbackPages[old] = nil
        }
        for (rank, seat) in seats {
            ranks[seat.identity] = rank
            fallbackPages[seat.identity] = seat.refreshError
        }
        if config.windowItems != nil {
            actions += renamed.values.sorted { $0.key < $1.key }.map { .pin($0) }
            actions += renamed.keys.filter { ranks[$0] == nil }.sorted { $0.key < $1.key }.map { .unpin($0) }
        }
        renameLoads(renamed)
    }

    private mutating func renameLoads(_ renamed: [PageIdentity: PageIdentity]) {
        func name(_ load: Load) -> Load {
            var load = load
            switch load.purpose {
            case .page(let page): load.purpose = .page(renamed[page] ?? page)
            case .gap(let page, let side): load.purpose = .gap(renamed[page] ?? page, at: side)
            case .first, .next, .previous, .jump: break
            }
            return load
        }
        let loads = running.values.map(name)
        running = Dictionary(uniqueKeysWithValues: loads.map { ($0.purpose, $0) })
        purposes = Dictionary(uniqueKeysWithValues: loads.map { ($0.id, $0.purpose) })
        failures = failures.map { (name($0.load), $0.error) }
    }

    // Records that the source has added an item at an item's place, or removed it, as was reported at a time. No page
    // requested before `begun` counts it.
    mutating func shiftOffsets(
        at id: ListItemID, by items: Int, since time: PaginatorInstant, begun: PaginatorInstant = .zero
    ) {
        recentShifts.removeAll { $0.id == id && $0.time == time }
        let rank = takePlace(of: id, by: items)
        guard config.addressing == .offset else {
            // At an unknown place it is not counted, but an added item has moved others all the same.
            guard let rank else { return items > 0 ? count(0, of: id, since: time) : () }
            local[id]?.isCounted = items > 0
            // After a removal, a page above and the page below it overlap. What is added at the end moves nothing.
            if case .pageNumber = config.addressing, items > 0, rank < .max {
                note(RecentShift(id: id, time: time, items: items, rank: rank))
            }
            return count(items, of: id, since: time)
        }
        let countedFrom = items > 0 ? rank.flatMap { countInsert(behind: $0, since: begun) } : nil
        note(RecentShift(id: id, time: time, items: items, rank: rank, countedFrom: countedFrom))
        guard let place = rank else { return }
        count(items, of: id, since: time)
        if items < 0 { reloadUnproven(behind: place, since: begun) }
        local[id]?.isCounted = items > 0
    }

    mutating func note(_ shift: RecentShift) {
        recentShifts.append(shift)
        if recentShifts.count > 128 { recentShifts.removeFirst() }
        // Page numbers do not shift.
        guard config.addressing == .offset else { return }
        shiftedAt = Self.later(shiftedAt, shift.time)
        // A shift inside the loaded pages does not change the offsets above them.
        if shift.rank ?? .min == .min { shiftedAboveAt = Self.later(shiftedAboveAt, shift.time) }
    }

    // Returns whether rows were added above a page since it was requested, and reported until `end`, if the keys are
    // page numbers: the rows right before it have moved to its number.
    func hasMovedDown(_ rank: Int, until end: PaginatorInstant = PaginatorInstant(nanoseconds: .max)) -> Bool {
        guard case .pageNumber = config.addressing, let time = seats[rank]?.stamp.time else { return false }
        return recentShifts.contains { time < $0.time && $0.time <= end && $0.rank ?? .min < rank }
    }

    // Counts an item at its place, shifts the offsets after it, and returns the place as a recent shift has it; `nil`
    // if it is unknown.
    private mutating func takePlace(of id: ListItemID, by items: Int) -> Int? {
        guard let (rank, dropped) = sourcePlace(of: id) else { return nil }
        let isOffset = config.addressing == .offset
        if let dropped {
            let end: ListEnd = rank == .min ? .start : .end
            if isOffset { self[dropped: end][dropped].shifts.own += items }
            // A removed item is not counted a second time. The one that a removed local row follows is still there.
            if items < 0 { self[dropped: end][dropped].ids?.removeAll { $0 == id } }
        }
        guard isOffset else { return rank }
        switch rank {
        case .min:
            leadingShift += items
            outdateLoads(behind: rank, items)
        // What is added at the tail, beyond all pages, shifts none.
        case .max: if dropped != nil { outdateLoads(behind: rank, items) }
        default: shift(rank, by: items)
        }
        return rank
    }

    // Returns the place of an item of the source: the rank of its page, `.min` before the loaded pages or `.max` after
    // them, and there the index of its page if it was dropped. A local row has the place of the item that it follows.
    private func sourcePlace(of id: ListItemID) -> (rank: Int, dropped: Int?)? {
        var anchor = id
        for _ in 0...local.count {
            if let rank = chunk(showing: anchor) {
                let place: Int = Self.pageRanks.contains(rank) ? rank : rank < Self.pageRanks.lowerBound ? .min : .max
                return (place, nil)
            }
            // O(dropped pages); only needed for an item that is not loaded.
            let item = anchor
            func isThere(_ page: DroppedPage) -> Bool { page.ids?.contains(item) ?? false }
            if let index = droppedBefore.lastIndex(where: isThere) { return (.min, index) }
            if let index = droppedAfter.lastIndex(where: isThere) { return (.max, index) }
            guard case .after(let next)? = local[anchor]?.place else { return nil }
            anchor = next
        }
        return nil
    }

    // Returns the sum of the shifts before a rank since a time, or only of those that have removed items.
    func shift(since time: PaginatorInstant, before rank: Int, isRemoval: Bool = false) -> Int {
        recentShifts.reduce(0) { sum, shift in
            guard shift.countedFrom ?? shift.time > time, let place = shift.rank, place < rank else { return sum }
            return sum + (isRemoval ? min(0, shift.items) : shift.items)
        }
    }

    // Returns the number of items deleted inside a page, or at an unknown place, since a time: the next page is that
    // much nearer.
    func deletions(since time: PaginatorInstant, inside rank: Int) -> Int {
        recentShifts.reduce(0) { sum, shift in
            guard shift.time > time, shift.rank == nil || shift.rank == rank else { return sum }
            return sum - min(0, shift.items)
        }
    }

    // Returns whether the keys of two pages cannot be compared, because only one counts a shift at an unknown place.
    func isShiftUnknown(between one: PaginatorInstant, and other: PaginatorInstant) -> Bool {
        recentShifts.contains { $0.rank == nil && min(one, other) < $0.time && $0.time <= max(one, other) }
    }

    // Marks the loads after a place as outdated, because their answers may lack an item. After an insert they do not,
    // but some need not show that they count it; such a load runs again once, since in a busy feed it would never end.
    private mutating func outdateLoads(behind place: Int, _ items: Int) {
        for (purpose, load) in running where items < 0 || !showsInserts(load) {
            let isBehind =
                switch purpose {
                case .next: place < .max
                case .previous: place == .min
                case .page(let identity): ranks[identity].map { place < $0 } ?? false
                case .gap(let anchor, let side):
                    ranks[anchor].map { side == .end ? place <= $0 : place < $0 } ?? false
                // Its place is not known yet.
                case .jump: true
                case .first: !showsInserts(load) && mayCallSource
                }
            guard isBehind else { continue }
            if showsInserts(load) || !load.isSecond {
                running[purpose]?.isOutdated = true
            } else {
                running[purpose]?.unknownItems += abs(items)
            }
        }
    }

    // Detects rows before a page that others have deleted: the newer page before it ends with rows of this page, but
    // their keys share fewer. All later offsets decrease by the difference.
    mutating func takeForeignDeletes(before right: Int, behind left: Int) {
        // A page that is being refreshed is requested by the key of its place, whatever the place contains now.
        guard config.addressing == .offset, let seat = seats[left], let old = seats[right], old.stamp < seat.stamp,
            running[.page(old.identity)] == nil, overlap(seat, old), let missing = extraOverlap(left, right),
            missing > 0
        else { return }
        shift(left, by: -missing)
        seats[left]?.shifts.ownAtFetch -= missing
        shiftedAt = Self.later(shiftedAt, seat.stamp.time)
        shiftedAboveAt = Self.later(shiftedAboveAt, seat.stamp.time)
    }

    mutating func shift(_ rank: Int, by items: Int) {
        guard config.addressing == .offset, let seat = seats[rank] else { return }
        outdateLoads(behind: rank, items)
        setShift(seat.shifts.own + items, at: rank)
    }

    mutating func setShift(_ shift: Int, at rank: Int) {
        seats[rank]?.shifts.own = shift
        if let place = tree.place(of: rank) { tree.set(place.payload, shift: shift, at: rank) }
    }
}
