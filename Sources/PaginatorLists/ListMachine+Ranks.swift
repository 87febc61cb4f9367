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

    var lastSeat: ListSeat? { lastPage.flatMap { seats[$0] } }

    // Returns the distance between two ranks, which may exceed an `Int`.
    static func distance(_ one: Int, _ other: Int) -> UInt {
        UInt(bitPattern: one < other ? other &- one : one &- other)
    }

    // Returns a rank before or after all others.
    mutating func newRank(at end: ListEnd) -> Int {
        guard let outermost = page(at: end) else { return 0 }
        let rank = end == .start ? outermost - rankStep : outermost + rankStep
        if Self.pageRanks.contains(rank) { return rank }
        renumberRanks()
        return newRank(at: end)
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
            return newRank(at: .end)
        }
        return rankBetween(left, right, near: isNearLeft)
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
