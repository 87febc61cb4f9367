import PaginatorCore

// The links between neighboring pages. Without a link there is a gap.
extension ListMachine {
    /// The evidence that no rows are missing between two pages whose keys join.
    enum Joint {
        // They were linked, and both still show the same rows at that side.
        case asBefore
        // One of them has changed at that side, or the source's rows have moved.
        case changed
        // One of them is new.
        case new
    }

    mutating func link(_ rank: Int, instead dropped: DroppedPage?, isFinal: Bool) {
        guard let seat = seats[rank] else { return }
        let (left, right) = (pageRank(before: rank), pageRank(after: rank))
        // Pages with joining keys share items only if the source's rows have moved since the older page was loaded.
        // Then the keys prove nothing about the neighbor on the other side either.
        let (hasMovedLeft, hasMovedRight) = (left.map { hasMoved($0, rank) }, right.map { hasMoved(rank, $0) })
        // What the window has dropped proves nothing beside another neighbor than before.
        let (old, beside) = (dropped?.isBesideGap == false ? dropped?.ids : nil, dropped?.neighborIDs ?? [])
        func joint(with neighbor: Int, hasMoved: Bool?, _ isUnchanged: (_ old: [ListItemID]) -> Bool) -> Joint {
            if let old, seat.isAsNew(as: seats[neighbor]?.demandOnNeighbors) {
                return isUnchanged(old) ? .asBefore : .changed
            }
            return hasMoved == true ? .changed : .new
        }
        // Rows that followed each other inside the old pages still do if both are at the joint now.
        func followed(_ first: ListItemID?, _ second: ListItemID?, in rows: [ListItemID]) -> Bool {
            zip(rows, rows.dropFirst()).contains { $0 == first && $1 == second }
        }
        if let left, let other = seats[left] {
            let isProven = !isFinal || dropped?.wasBeside(other) ?? false || !isTooOld(seat, toFollow: left)
            let proof = joint(with: left, hasMoved: hasMovedRight) { old in
                old.first == seat.ids.first || followed(other.ids.last, seat.ids.first, in: beside + old)
            }
            relink(left, rank, isProven ? proof : .changed)
        }
        if let right, let other = seats[right] {
            let isProven = !isFinal || old != nil || isLoading(other.identity) || !isTooOld(other, toFollow: rank)
            // A page that has come there since may begin further down, unless a cursor led to it.
            let isThere = beside.first.map { other.ids.contains($0) } ?? true
            let couldJoin = dropped?.wasBeside(other) ?? false || seat.isAsNew(as: other.stamp.time)
            let isAsBefore = isThere || couldJoin || config.addressing == .opaque
            let proof = joint(with: right, hasMoved: hasMovedLeft) { old in
                isAsBefore && old.last == seat.ids.last || followed(seat.ids.last, other.ids.first, in: old + beside)
            }
            relink(rank, right, isProven ? proof : .changed)
        }
    }

    // Returns the page before the gap at one side of a page.
    func pageBeforeGap(at side: ListEnd, of page: PageIdentity) -> Int? {
        ranks[page].flatMap { side == .end ? $0 : pageRank(before: $0) }
    }

    // Returns whether a load that was to close the gap before a page has failed.
    func isInDoubt(_ page: PageIdentity) -> Bool {
        failures.contains { $0.load.purpose == .page(page) && $0.load.gap == .start }
    }

    // Returns whether a page is older than the one before it, so that rows may have moved from the latter and are on
    // neither. A cursor always leads to the rows after it.
    func isTooOld(_ seat: ListSeat, toFollow left: Int) -> Bool {
        guard config.addressing != .opaque, let other = seats[left] else { return false }
        // Rows that were added while the other one was being loaded may be on it or not.
        let rank = seat.stamp < other.stamp ? ranks[seat.identity] : nil
        let hasMoved = rank.map { hasMovedDown($0, until: other.mayCountUntil) } ?? false
        return hasMoved || !seat.isAsNew(as: other.calledAt)
    }

    // Removes the page after a new one if it is older and the new one has all of its rows. It would show no row, and
    // its next key is outdated.
    mutating func takeOutRepeated(by rank: Int) {
        guard let seat = seats[rank], let right = pageRank(after: rank), let other = seats[right],
            other.stamp < seat.stamp, running[.page(other.identity)] == nil, let first = other.ids.first,
            let index = seat.ids.firstIndex(of: first), seat.ids.count - index >= other.ids.count, overlap(seat, other)
        else { return }
        takeOut(right)
    }

    // Returns whether two pages share more or fewer rows than their keys say, because rows have moved between both.
    mutating func hasMoved(_ left: Int, _ right: Int) -> Bool {
        guard let first = seats[left], let second = seats[right], let extra = extraOverlap(left, right), extra != 0
        else { return false }
        if config.addressing == .offset, extra > 0, first.stamp < second.stamp { overlapping.insert(second.identity) }
        // When and where rows moved is unknown, so during the interval no older page is sure to join a newer one. Pages
        // of one call, and pages requested with it, count as equally new.
        let (old, new) = first.stamp < second.stamp ? (first, second) : (second, first)
        let end = new.calledAt > old.stamp.time ? new.calledAt : new.stamp.time
        foreignShifts.append(old.stamp.time...end)
        if foreignShifts.count > 32 { foreignShifts.removeFirst() }
        return true
    }

    // Returns how many more rows two pages share than their keys say; `nil` if that is unknown.
    func extraOverlap(_ left: Int, _ right: Int) -> Int? {
        guard let first = seats[left], let second = seats[right],
            !isShiftUnknown(between: first.stamp.time, and: second.stamp.time),
            let next = effectiveNext(of: first, at: left), let start = start(of: second, in: first)
        else { return nil }
        let (shared, key) = (first.ids.count - start, effectiveKey(of: second, at: right))
        if next.hasSameBytes(as: key) { return shared }
        guard config.addressing == .offset, let end = Self.offset(next), let offset = Self.offset(key) else {
            return nil
        }
        return shared - (end - offset)
    }

    // The index in the first page at which the second begins; negative if the second begins earlier.
    private func start(of second: ListSeat, in first: ListSeat) -> Int? {
        if overlap(first, second) { return second.ids.first.flatMap { first.ids.firstIndex(of: $0) } }
        return overlap(second, first) ? first.ids.first.flatMap { second.ids.firstIndex(of: $0) }.map { -$0 } : nil
    }

    private func hasForeignShift(between one: PaginatorInstant, and other: PaginatorInstant) -> Bool {
        foreignShifts.contains { $0.lowerBound < max(one, other) && min(one, other) < $0.upperBound }
    }

    mutating func relink(_ left: Int, _ right: Int, _ joint: Joint) {
        guard let first = seats[left], let second = seats[right] else { return }
        let isLinked = areLinked(first, left, second, right, joint)
        if first.isLinkedToNext, !isLinked { notices.append(.gapOpened) }
        seats[left]?.isLinkedToNext = isLinked
        if isLinked != first.isLinkedToNext || !isLinked { dirty.insert(left) }
    }

    // Returns whether no rows can be missing between two neighbors: the first continues in the second, or one names the
    // key of the other and nothing contradicts that.
    func areLinked(_ left: ListSeat, _ leftRank: Int, _ right: ListSeat, _ rightRank: Int, _ joint: Joint) -> Bool {
        let areAsNew = left.isAsNew(as: right.demandOnNeighbors) && right.isAsNew(as: left.demandOnNeighbors)
        if !areAsNew, left.isTooOld || right.isTooOld { return false }
        if overlap(left, right) { return true }
        // The second used to begin inside the first, and no longer does.
        if joint == .asBefore, let first = right.ids.first, left.ids.contains(first) { return false }
        // The second page was empty when it was loaded. The first is newer and names it, so rows have been added since.
        if right.ids.isEmpty, left.next != nil, right.stamp < left.stamp { return false }
        if isPastEnd(rightRank, after: leftRank) { return true }
        guard haveJoiningKeys(left, leftRank, right, rightRank, joint) else { return false }
        if left.isOfOneRefresh(with: right) { return true }
        if isInDoubt(right.identity) { return false }
        if joint == .new, mayHaveGrown(left, before: right) { return false }
        switch joint {
        case .asBefore: return true
        case .changed: return false
        case .new: return areAsNew && !hasForeignShift(between: left.stamp.time, and: right.stamp.time)
        }
    }

    // Returns whether a page is empty because it is past the end, where a jump may lead. No page is missing before it.
    func isPastEnd(_ rank: Int, after left: Int) -> Bool {
        guard let seat = seats[rank], let other = seats[left] else { return false }
        return other.next == nil && !other.isPartial && seat.next == nil && seat.ids.isEmpty
    }

    private func haveJoiningKeys(
        _ left: ListSeat, _ leftRank: Int, _ right: ListSeat, _ rightRank: Int, _ joint: Joint
    ) -> Bool {
        guard !left.isPartial, !isShiftUnknown(between: left.stamp.time, and: right.stamp.time) else { return false }
        let next = effectiveNext(of: left, at: leftRank)
        if next?.hasSameBytes(as: effectiveKey(of: right, at: rightRank)) ?? false { return true }
        // Pages loaded backward are found by the previous key of the next page, and need not name it. This does not
        // apply to the source's first page, which is at the head by now, to counted keys, where the next key tells
        // more, to an older page loaded forward, which may have been the last one, or to a page that has grown since.
        let isFoundByIt = left.isLoadedBackward || joint == .asBefore || left.isAsNew(as: right.stamp.time)
        return isFoundByIt && config.addressing == .opaque && !left.identity.key.hasSameBytes(as: firstKey)
            && right.previous?.hasSameBytes(as: left.identity.key) ?? false
            && (joint == .asBefore || !hasGrown(left, since: right.stamp.time))
    }

    // Returns whether rows are known to have been added inside a page since a time. If its key says where it begins,
    // its last rows have moved behind it; what was added at the head above its first row has moved none.
    private func hasGrown(_ seat: ListSeat, since time: PaginatorInstant) -> Bool {
        let changes = countChanges.filter { $0.items >= 0 && $0.time > time }
        let added = Set(changes.compactMap { $0.id })
        let above = Set(changes.filter { $0.isAtHead }.compactMap { $0.id })
        return seat.ids.drop { above.contains($0) }.contains { added.contains($0) }
    }

    // Returns whether a page that is found by the previous key of the next page is older, was not full and named no
    // page after it: it may have been the last one, and have grown since. The page at the start can be short for good,
    // and from the caches alone no gap could be filled.
    private func mayHaveGrown(_ left: ListSeat, before right: ListSeat) -> Bool {
        mayCallSource && left.next == nil && left.previous != nil && left.ids.count < config.pageSize
            && !left.isAsNew(as: right.calledAt)
    }

    // Returns whether the second page begins inside the first and continues like it. One shared item proves nothing,
    // since it may have moved.
    func overlap(_ left: ListSeat, _ right: ListSeat) -> Bool {
        guard let first = right.ids.first, let index = left.ids.firstIndex(of: first) else { return false }
        return zip(left.ids[index...], right.ids).allSatisfy { $0 == $1 }
    }

    mutating func reportShift(before rank: Int) {
        guard let left = pageRank(before: rank), let earlier = seats[left], let seat = seats[rank] else { return }
        let repeated = Set(earlier.ids).intersection(seat.ids).count
        if repeated > 0 { notices.append(.shifted(items: repeated)) }
    }
}
