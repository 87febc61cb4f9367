// Where pages stand.
extension ListMachine {
    // How far ranks lie from each other, which may be farther than an Int tells.
    static func distance(_ one: Int, _ other: Int) -> UInt {
        UInt(bitPattern: one < other ? other &- one : one &- other)
    }

    // Beyond all others.
    mutating func newRank(atStart: Bool) -> Int {
        guard let edge = atStart ? tree.first : tree.last else { return 0 }
        let (rank, overflow) =
            atStart ? edge.subtractingReportingOverflow(rankStep) : edge.addingReportingOverflow(rankStep)
        if !overflow { return rank }
        renumberRanks()
        return newRank(atStart: atStart)
    }

    mutating func rankBetween(_ left: Int, _ right: Int, near isNearLeft: Bool) -> Int {
        let room = Self.distance(left, right)
        if room > 1 {
            let step = Int(min(1 << 16, room / 2))
            return isNearLeft ? left + step : right - step
        }
        let identity = slots[left]?.identity
        renumberRanks()
        guard let left = identity.flatMap({ ranks[$0] }), let right = tree.rank(after: left) else {
            return newRank(atStart: false)
        }
        return rankBetween(left, right, near: isNearLeft)
    }

    mutating func rankForJump(_ load: Load, _ page: ListPage) -> Int {
        var goesToStart = load.placement == .start
        // The page that it names as its neighbor is surer than what somebody knew who asked for it: others may have come.
        let (previous, next) = config.addressing == .offset ? (nil, nil) : (page.previous, page.next)
        if let left = previous.flatMap({ ranks[identity($0)] }) {
            if let right = tree.rank(after: left) { return rankBetween(left, right, near: true) }
            goesToStart = false
        } else if let right = next.flatMap({ ranks[identity($0)] }) {
            if let left = tree.rank(before: right) { return rankBetween(left, right, near: false) }
            goesToStart = true
        } else if load.placement == .automatic, let number = Int(load.identity.key),
            let neighbor = numericNeighbor(number)
        {
            if let right = tree.rank(after: neighbor) { return rankBetween(neighbor, right, near: true) }
        } else if load.placement == .automatic, let number = Int(load.identity.key), let first = tree.first,
            let smallest = slots[first].flatMap({ Int(effectiveKey(of: $0, at: first)) })
        {
            goesToStart = number < smallest
        }
        forgetDropped(atStart: goesToStart)
        if dropped.contains(load.identity) { forgetDropped(atStart: !goesToStart) }
        return newRank(atStart: goesToStart)
    }

    private func numericNeighbor(_ number: Int) -> Int? {
        var found: Int?
        tree.forEach { place in
            guard let slot = slots[place.rank], let key = Int(effectiveKey(of: slot, at: place.rank)), key <= number
            else { return }
            found = place.rank
        }
        return found
    }

    // Numbers all slots anew, with room between them. Complexity: O(everything), about once in 65,000 fillings of a gap.
    mutating func renumberRanks() {
        var moved: [Int: Int] = [:]
        var tree = Tree()
        var slots: [Int: Slot] = [:]
        // Where an Int has 32 bits, many pages need smaller steps.
        let step = min(rankStep, Int.max / max(1, self.slots.count))
        self.tree.forEach { place in
            let rank = moved.count * step
            moved[place.rank] = rank
            slots[rank] = self.slots[place.rank]
            tree.set(
                place.payload, Tree.Measure(rows: place.payload.rows.count, shift: slots[rank]?.shift ?? 0), at: rank)
        }
        self.tree = tree
        self.slots = slots
        ranks = ranks.compactMapValues { moved[$0] }
        dirty = Set(dirty.compactMap { moved[$0] })
        for index in recentShifts.indices {
            if let rank = recentShifts[index].rank, rank != .min, rank != .max {
                recentShifts[index].rank = moved[rank]
            }
        }
        entries = entries.mapValues { entry in
            var entry = entry
            entry.holders = entry.holders.compactMap { moved[$0] }
            return entry
        }
        touches.isEverything = true
    }
}
