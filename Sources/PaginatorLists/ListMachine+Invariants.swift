import PaginatorCore

extension ListMachine {
    func invariantViolations() -> [String] {
        var violations: [String] = []
        func require(_ condition: Bool, _ text: @autoclosure () -> String) {
            if !condition { violations.append(text()) }
        }
        let order = tree.ranks.filter(Self.pageRanks.contains)
        require(order.count == seats.count, "the tree has \(order.count) pages and the table \(seats.count)")
        require(zip(order, order.dropFirst()).allSatisfy(<), "the tree is out of order")
        require(ranks.count == seats.count, "\(ranks.count) identities for \(seats.count) pages")
        require(dirty.isEmpty && dirtyRows.isEmpty, "chunks were left out of date")
        for (identity, rank) in ranks {
            require(seats[rank]?.identity == identity, "the index of \(identity) is wrong")
            require(!dropped.contains(identity), "\(identity) is loaded and dropped")
        }
        require(
            dropped.count == droppedBefore.count + droppedAfter.count,
            "the piles of dropped pages and their index differ")
        var places = 0
        // Local copies, because a closure that captures the machine copies all of it.
        let seats = seats
        let holders = Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value.holders) })
        tree.forEach { place in
            let seat = seats[place.rank]
            let hasGap = seat?.isLinkedToNext == false && place.rank != order.last
            require(place.payload.isFollowedByGap == hasGap, "page \(place.rank) is wrong about its gap")
            for id in seat?.ids ?? [] {
                places += 1
                let isHeld = holders[id]?.contains(place.rank) == true
                require(isHeld, "\(id) does not know that page \(place.rank) has it")
            }
        }
        // Equal numbers, and each holder known and unique: an item's holders are exactly the pages that have it.
        for (id, holders) in holders {
            places -= holders.count
            require(zip(holders, holders.dropFirst()).allSatisfy(<), "the pages of \(id) are \(holders)")
            guard holders.isEmpty, local[id] == nil else { continue }
            let isKept = unshownItems.contains(id) || unshownNewerItems.contains(id)
            require(isKept, "\(id) is held by nothing")
        }
        require(places == 0, "\(places) items of pages are not known by their table")
        let placed = Set(headRows.ids + tailRows.ids + followers.values.flatMap { $0 })
        require(placed == Set(local.keys), "local rows and their places differ")
        require(headRows.count == headRows.ids.count, "\(headRows.count) rows at the head")
        require(tailRows.count == tailRows.ids.count, "\(tailRows.count) rows at the tail")
        for (rank, seat) in seats {
            // The request time of a page from disk may be before the clock's start.
            let isKnown = seat.notBefore.map { time in refreshedAt.map { time <= $0 } ?? false } ?? true
            require(isKnown, "page \(rank) was refreshed after the list")
            require(
                (fallbackPages[seat.identity] != nil) == (seat.refreshError != nil), "page \(rank) and its error differ"
            )
        }
        require(fallbackPages.keys.allSatisfy { ranks[$0] != nil }, "a page that is gone stands in")
        require(waitingJumps.isEmpty || running[.first] != nil, "jumps wait for nothing")
        for (token, refresh) in awaited {
            let loads = refresh.loads.filter { purposes[$0] != nil }
            require(!loads.isEmpty && loads == refresh.loads, "who waits for refresh \(token) waits for ever")
        }
        let distances = ListEnd.allCases.map(distance.rows(at:))
        require(distances.allSatisfy(distance.bounds.contains), "\(distances) rows are loaded ahead")
        let isLoading = running[.first] != nil || running[.next]?.isAhead == false
        let loadsMore = isLoading || isLastReloaded || isNextAwaitingPrevious
        require(goals.isEmpty || loadsMore, "somebody waits for more, and nothing is loaded")
        for (purpose, load) in running { require(purposes[load.id] == purpose, "load \(load.id) is lost") }
        require(purposes.count == running.count, "\(purposes.count) loads for \(running.count) purposes")
        for old in kept {
            violations += old.invariantViolations()
            let isIdle = old.running.isEmpty && old.waitingJumps.isEmpty && old.failures.isEmpty
            require(isIdle && old.kept.isEmpty, "what is kept until the first page comes loads itself")
            require(seats.isEmpty && kept.count == 1, "what was kept is still there")
        }
        return violations
    }
}
