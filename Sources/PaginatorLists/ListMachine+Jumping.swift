import PaginatorCore

// Jumps, and the places of their pages.
extension ListMachine {
    mutating func jump(to key: String, _ placement: PaginatorListPlacement) {
        let identity = identity(key)
        let first = running[.first]
        // A load that replaces everything goes first.
        if let first, first.isRefresh || first.bookmark != nil { return waitingJumps.append((key, placement)) }
        // It discards a failed jump, whose place may be outdated, and a failed refresh, whose retry goes to the start.
        let isStart = key.hasSameBytes(as: firstKey)
        failures.removeAll { $0.load.isJump || !isStart && $0.load.purpose == .first && $0.load.isRefresh }
        if isLoaded(key), let rank = ranks[identity] {
            go(toPage: rank)
            if placement == .start, isStart { showNewRows() }
            return
        }
        if let first {
            guard first.identity != identity else {
                running[.first]?.isJump = true
                return
            }
            // If this page comes first, that one is placed beside it.
            if placement != .automatic, config.addressing == .opaque {
                running[.first]?.placement = placement == .start ? .end : .start
            }
        } else if seats.isEmpty {
            return start(Load(id: makeNumber(), purpose: .first, identity: identity, isJump: true))
        }
        let purpose = Purpose.jump(identity)
        guard running[purpose] == nil else { return }
        // Its place among the dropped pages is known when its page arrives.
        start(Load(id: makeNumber(), purpose: purpose, identity: identity, placement: placement, isJump: true))
    }

    mutating func go(toPage rank: Int) {
        restoreTarget = nil
        rebuildDirty()
        // The page before it may show that item.
        guard let id = seats[rank]?.ids.first(where: { position(of: $0) != nil }) else { return }
        go(to: id)
    }

    // Shows what the status counts as new above the first page.
    private mutating func showNewRows() {
        while revealRows(at: .start) {
            // An edit may remove all of them for now.
            guard tree.count > 0 else { continue }
            let id = tree.row(at: 0).id
            visible = (id, id, visible?.jump)
        }
        // Of these rows only the number is known.
        if mayCallSource, let time = newRows.map(\.time).max() { refresh(.page(firstKey), at: time) }
    }

    // Postpones jumps until everything is replaced, since their pages would be removed with the others.
    mutating func postponeJumps(except id: UInt64? = nil) {
        for load in running.values.sorted(by: { $0.id < $1.id }) where load.id != id {
            guard case .jump = load.purpose else { continue }
            waitingJumps.append((load.identity.key, load.placement))
            giveUp(load.purpose)
        }
    }

    mutating func startWaitingJumps() {
        guard !waitingJumps.isEmpty, running[.first] == nil else { return }
        let jumps = waitingJumps
        waitingJumps = []
        for (key, placement) in jumps { jump(to: key, placement) }
    }

    // Whether a page can have a key.
    func isKey(_ key: String) -> Bool {
        config.addressing == .opaque || key.hasSameBytes(as: firstKey) || Int(key).map { $0 >= 0 } ?? false
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
            let endsChat = lastSeat.map {
                $0.identity.key.hasSameBytes(as: firstKey) && $0.previous != nil && $0.next == nil
            }
            goesToStart =
                droppedBefore.contains { $0.identity == load.identity }
                || !droppedAfter.contains { $0.identity == load.identity } && (beginsList || endsChat ?? false)
        }
        let end: ListEnd = goesToStart ? .start : .end
        let replaced = takeDropped(upTo: load.identity, at: end)
        if self[dropped: end.other].contains(where: { $0.identity == load.identity }) { forgetDropped(at: end.other) }
        return (newRank(at: end), replaced)
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
}
