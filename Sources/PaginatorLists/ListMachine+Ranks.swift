import PaginatorCore

// The order of pages.
extension ListMachine {
    // The ranks of pages. Local rows at the head have lower ranks, those at the tail higher ones.
    static var pageRanks: ClosedRange<Int> { Int.min / 2...Int.max / 2 }

    var firstPage: Int? { pageRank(after: Self.pageRanks.lowerBound - 1) }

    var lastPage: Int? { pageRank(before: Self.pageRanks.upperBound + 1) }

    func pageRank(before rank: Int) -> Int? {
        tree.rank(before: rank).flatMap { Self.pageRanks.contains($0) ? $0 : nil }
    }

    func pageRank(after rank: Int) -> Int? { tree.rank(after: rank).flatMap { Self.pageRanks.contains($0) ? $0 : nil } }

    // Returns the distance between two ranks, which may exceed an `Int`.
    static func distance(_ one: Int, _ other: Int) -> UInt {
        UInt(bitPattern: one < other ? other &- one : one &- other)
    }

    // Returns a rank before or after all others.
    mutating func newRank(atStart: Bool) -> Int {
        guard let edge = atStart ? firstPage : lastPage else { return 0 }
        let rank = atStart ? edge - rankStep : edge + rankStep
        if Self.pageRanks.contains(rank) { return rank }
        renumberRanks()
        return newRank(atStart: atStart)
    }

    mutating func rankBetween(_ left: Int, _ right: Int, near isNearLeft: Bool) -> Int {
        let distance = Self.distance(left, right)
        if distance > 1 {
            let step = Int(min(1 << 16, distance / 2))
            return isNearLeft ? left + step : right - step
        }
        let identity = seats[left]?.identity
        renumberRanks()
        guard let left = identity.flatMap({ ranks[$0] }), let right = pageRank(after: left) else {
            return newRank(atStart: false)
        }
        return rankBetween(left, right, near: isNearLeft)
    }

    // Returns the place of a jump's page, and what it replaces of the pages dropped beyond that end.
    mutating func placeForJump(_ load: Load, _ page: ListPage) -> (rank: Int, dropped: DroppedPage?) {
        // A list that grows upwards ends with the source's first page, which leads only backward.
        let isEnd = load.identity.key.hasSameBytes(as: firstKey) && page.previous != nil && page.next == nil
        var goesToStart = load.placement == .start && !(load.isJump && isEnd)
        // The neighbor that a page names is more reliable than the place at which it was requested, because other pages
        // may have arrived.
        let (previous, next) = config.addressing == .offset ? (nil, nil) : (page.previous, page.next)
        if let left = previous.flatMap({ ranks[identity($0)] }) {
            if let right = pageRank(after: left) { return (rankBetween(left, right, near: true), nil) }
            goesToStart = false
        } else if let right = next.flatMap({ ranks[identity($0)] }) {
            if let left = pageRank(before: right) { return (rankBetween(left, right, near: false), nil) }
            goesToStart = true
        } else if let number = number(of: load, page), let neighbor = numericNeighbor(number) {
            if let right = pageRank(after: neighbor) { return (rankBetween(neighbor, right, near: true), nil) }
        } else if number(of: load, page) != nil, firstPage.flatMap({ number(at: $0) }) != nil {
            // No page has a smaller number.
            goesToStart = true
        } else if load.placement == .automatic {
            // The window has dropped it there, or the source's first page leads forward alone, or, in a chat, backward.
            // The list's own first page stands where it would if the page of a jump had not been faster.
            let first = ranks[identity(firstKey)].flatMap { seats[$0] }
            let beginsList =
                load.isJump
                ? load.identity.key.hasSameBytes(as: firstKey) && page.previous == nil && page.next != nil
                : !isEnd && !(first?.previous == nil && first?.next != nil)
            let endsChat = lastPage.flatMap { seats[$0] }.map {
                $0.identity.key.hasSameBytes(as: firstKey) && $0.previous != nil && $0.next == nil
            }
            goesToStart =
                droppedBefore.contains { $0.identity == load.identity }
                || !droppedAfter.contains { $0.identity == load.identity } && (beginsList || endsChat ?? false)
        }
        let replaced = takeDropped(upTo: load.identity, atStart: goesToStart)
        if (goesToStart ? droppedAfter : droppedBefore).contains(where: { $0.identity == load.identity }) {
            forgetDropped(atStart: !goesToStart)
        }
        return (newRank(atStart: goesToStart), replaced)
    }

    // Returns the number by which a jump's page is placed if there is no other evidence. For opaque keys the page, or
    // else another one, shows whether they increase, as page numbers do, or decrease, as the identities of the newest
    // items do.
    private func number(of load: Load, _ page: ListPage) -> Int? {
        guard load.placement == .automatic, let number = Int(load.identity.key) else { return nil }
        if config.addressing != .opaque { return number }
        func increases(_ key: String, _ previous: String?, _ next: String?) -> Bool? {
            guard let number = Int(key) else { return nil }
            return next.flatMap { Int($0) }.map { $0 > number } ?? previous.flatMap { Int($0) }.map { $0 < number }
        }
        if let isLess = increases(load.identity.key, page.previous, page.next) { return isLess ? number : nil }
        let others = seats.values.compactMap { increases($0.identity.key, $0.previous, $0.next) }
        return others.isEmpty || others.contains(false) ? nil : number
    }

    // Returns the number by which a page is ordered: its key, or what its neighbors' keys say if it has a name, such as
    // that of the newest page.
    private func number(at rank: Int) -> Int? {
        guard let seat = seats[rank] else { return nil }
        if let key = Int(effectiveKey(of: seat, at: rank)) { return key }
        let next = effectiveNext(of: seat, at: rank).flatMap { Int($0) }
        if seat.previous.flatMap({ Int($0) }) != nil { return next ?? .max }
        return next.map { _ in .min }
    }

    private func numericNeighbor(_ number: Int) -> Int? {
        var found: Int?
        tree.forEach { place in
            if let key = self.number(at: place.rank), key <= number { found = place.rank }
        }
        return found
    }

    // Gives all seats new ranks with room between them. Complexity: O(everything), about once in 65,000 loads in a gap.
    mutating func renumberRanks() {
        var moved: [Int: Int] = [:]
        var tree = Tree()
        var seats: [Int: ListSeat] = [:]
        // With a 32-bit Int, many pages need smaller steps.
        let step = min(rankStep, Self.pageRanks.upperBound / max(1, self.seats.count))
        self.tree.forEach { place in
            let rank = Self.pageRanks.contains(place.rank) ? seats.count * step : place.rank
            moved[place.rank] = rank
            seats[rank] = self.seats[place.rank]
            tree.set(place.payload, shift: seats[rank]?.shifts.own ?? 0, at: rank)
        }
        self.tree = tree
        self.seats = seats
        ranks = ranks.compactMapValues { moved[$0] }
        dirty = Set(dirty.union(dirtyRows.keys).compactMap { moved[$0] })
        dirtyRows = [:]
        for index in recentShifts.indices {
            if let rank = recentShifts[index].rank, rank != .min, rank != .max {
                recentShifts[index].rank = moved[rank]
            }
        }
        entries.changeValues { entry in entry.holders = entry.holders.compactMap { moved[$0] } }
        touches = nil
    }
}
