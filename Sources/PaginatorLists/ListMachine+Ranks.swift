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
        let room = Self.distance(left, right)
        if room > 1 {
            let step = Int(min(1 << 16, room / 2))
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
        var goesToStart = load.placement == .start
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
        } else if let number = number(of: load, page), let first = firstPage,
            let smallest = seats[first].flatMap({ Int(effectiveKey(of: $0, at: first)) })
        {
            goesToStart = number < smallest
        } else if load.placement == .automatic {
            // The window has dropped it there, or it is the source's first page and leads forward alone.
            goesToStart =
                droppedBefore.contains { $0.identity == load.identity }
                || !droppedAfter.contains { $0.identity == load.identity }
                    && load.identity.key.hasSameBytes(as: firstKey) && page.previous == nil && page.next != nil
        }
        let replaced = takeDropped(upTo: load.identity, atStart: goesToStart)
        if (goesToStart ? droppedAfter : droppedBefore).contains(where: { $0.identity == load.identity }) {
            forgetDropped(atStart: !goesToStart)
        }
        return (newRank(atStart: goesToStart), replaced)
    }

    // Returns the number by which a jump's page is placed if there is no other evidence. For opaque keys the page shows
    // whether they increase, as page numbers do, or decrease, as the identities of the newest items do.
    private func number(of load: Load, _ page: ListPage) -> Int? {
        guard load.placement == .automatic, let number = Int(load.identity.key) else { return nil }
        let next = page.next.flatMap { Int($0) }.map { $0 > number }
        let previous = page.previous.flatMap { Int($0) }.map { $0 < number }
        return config.addressing != .opaque || next ?? previous ?? false ? number : nil
    }

    private func numericNeighbor(_ number: Int) -> Int? {
        var found: Int?
        tree.forEach { place in
            guard let seat = seats[place.rank], let key = Int(effectiveKey(of: seat, at: place.rank)), key <= number
            else { return }
            found = place.rank
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
            tree.set(
                place.payload, Tree.Measure(rows: place.payload.rows.count, shift: seats[rank]?.shift ?? 0), at: rank)
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
