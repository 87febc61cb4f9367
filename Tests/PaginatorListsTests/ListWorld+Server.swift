import PaginatorTesting

@testable import PaginatorCore
@testable import PaginatorLists

// The server of the simulated list.
extension ListWorld {
    mutating func changeTable() {
        let index = random.number(in: 0..<table.count + 1)
        if random.chance(0.5) || table.isEmpty {
            table.insert(PlainItem(id: nextID, value: 0), at: random.chance(0.5) ? 0 : index)
            nextID += 1
        } else {
            table.remove(at: min(index, table.count - 1))
        }
        if !table.isEmpty { table[random.number(in: 0..<table.count)].value += 1 }
    }

    /// The page of a key as the server has it now; `nil` when the key has expired.
    mutating func serve(_ key: String) -> ListPage? {
        let start: Int
        if isOffset {
            guard let offset = Int(key), offset <= table.count else { return nil }
            start = offset
        } else if key == "start" {
            start = 0
        } else {
            guard let id = Int(key.dropFirst(6)), let index = table.firstIndex(where: { $0.id == id }) else {
                return nil
            }
            start = index + 1
        }
        func name(_ index: Int) -> String {
            isOffset ? "\(index)" : index == 0 ? "start" : "after:\(table[index - 1].id)"
        }
        let end = min(table.count, start + pageSize)
        var page = items.page(
            table[start..<end].map { ($0.id, $0) },
            previous: start > 0 && !isOneWay ? name(max(0, start - pageSize)) : nil,
            next: end < table.count ? name(end) : nil, fetchedAt: now)
        if step % 3 > 0 { page.loadTime = .milliseconds(step % 7) }
        return page
    }

    mutating func answerSomething() {
        if !late.isEmpty, random.chance(0.1) { return answerLate() }
        guard !fetches.isEmpty else { return }
        let fetch = fetches[random.number(in: 0..<fetches.count)]
        let key = fetch.request.key
        if random.chance(0.15) {
            return fail(fetch.load, PaginatorError(.sourceFailed, "a simulated failure"))
        }
        if let old = cache[fetch.request.identity], random.chance(0.2) || fetch.request.policy == .cacheOnly {
            var page = old
            page.staleFrom = .zero
            return arrive(fetch.load, page)
        }
        guard fetch.request.policy != .cacheOnly else {
            return fail(fetch.load, PaginatorError(.notInCache, "not there"))
        }
        guard var page = serve(key) else { return fail(fetch.load, PaginatorError(.expiredKey, "it has expired")) }
        if random.chance(0.05), let item = page.items.first { page.items.append((item.id, item.value)) }
        if random.chance(0.03) { page.next = key }
        if random.chance(0.03) { page.items = [] }
        cache[fetch.request.identity] = page
        arrive(fetch.load, page)
    }

    /// What nobody waits for any more, also of what was shown before, changes nothing.
    private mutating func answerLate() {
        let fetch = late.remove(at: random.number(in: 0..<late.count))
        let (page, isFinal) = (cache[fetch.request.identity] ?? serve(fetch.request.key), random.chance(0.6))
        if let page { send("load \(fetch.load) comes late") { $0.arrived(fetch.load, page, isFinal: isFinal) } }
    }

    mutating func fail(_ load: UInt64, _ error: PaginatorError) {
        fetches.removeAll { $0.load == load }
        send("load \(load) fails") { $0.failed(load, error) }
    }

    /// Hands a page over, and tells the plain list where it belongs.
    mutating func arrive(_ id: UInt64, _ page: ListPage) {
        guard let purpose = machine.purposes[id], let load = machine.running[purpose] else {
            failures.append("step \(step): load \(id) is unknown")
            return
        }
        let isFinal = !random.chance(0.1)
        if isFinal { fetches.removeAll { $0.load == id } }
        var isPlaced = plain.seats.firstIndex { $0.identity == load.identity }
        var left: PageIdentity?
        // The gap may have closed meanwhile; then the page is not wanted.
        if case .gap(let anchor, let side) = purpose, let before = machine.pageBeforeGap(at: side, of: anchor),
            machine.seats[before]?.isLinkedToNext == false, machine.pageRank(after: before) != nil
        {
            left = machine.seats[before]?.identity
        }
        var replaced: PageIdentity?
        if case .page(let identity) = purpose { replaced = identity }
        let isOutdated = machine.isOutdated(load, page)
        // A refresh makes new, and so does what is loaded behind one.
        let wanted = machine.demand(on: load) ?? (load.isRefresh ? page.fetchedAt : nil)
        let refreshedAt = wanted.flatMap { $0 <= page.fetchedAt ? $0 : nil }
        note = "\(purpose) brings \(load.identity.key) of \(page.fetchedAt)"
        var before = places
        machine.handle { $0.arrived(id, page, isFinal: isFinal) }
        if let old = before.first(where: { $0.value == load.identity })?.key, let key = places[old],
            key != load.identity
        {
            // The page that had the key has moved to another one, and this one comes beside it.
            rename(since: before)
            before = places.filter { before[$0.key] != nil }
            isPlaced = nil
        }
        seen.insert(String("\(purpose)".prefix(4)))
        if !isOutdated { tell(load, page, isPlaced, left, replaced, refreshedAt, before) }
        rename(since: before, new: isOutdated ? nil : load.identity)
        follow()
        learnEnds()
        if !isOutdated { plain.forgetRows() }
    }

    private mutating func tell(
        _ load: ListMachine.Load, _ page: ListPage, _ isPlaced: Int?, _ left: PageIdentity?,
        _ replaced: PageIdentity?, _ refreshedAt: PaginatorInstant?, _ before: [UInt64: PageIdentity]
    ) {
        let isFirst = load.purpose == .first && !(load.isPreviewed && isPlaced != nil)
        // A jump may have been faster than the first page of an empty list.
        if isFirst, load.isRefresh || load.bookmark != nil || plain.seats.isEmpty {
            plain.arriveAlone(load.identity, page, refreshedAt: refreshedAt, isStart: machine.isStartLoaded)
        } else if let (index, replaces) = place(of: load, page, isPlaced, left, replaced, before) {
            plain.arrive(
                load.identity, page, at: index, replaces: replaces, refreshedAt: refreshedAt,
                isStart: machine.isStartLoaded)
        }
    }

    private func place(
        of load: ListMachine.Load, _ page: ListPage, _ isPlaced: Int?, _ left: PageIdentity?,
        _ replaced: PageIdentity?, _ before: [UInt64: PageIdentity]
    ) -> (index: Int, replaces: Bool)? {
        if let isPlaced, replaced == nil {
            // What is shown never gets older.
            return page.fetchedAt >= plain.seats[isPlaced].requestedAt ? (isPlaced, true) : nil
        }
        func index(_ identity: PageIdentity?) -> Int? {
            identity.flatMap { identity in plain.seats.firstIndex { $0.identity == identity } }
        }
        switch load.purpose {
        case .next: return (plain.seats.count, false)
        case .previous: return (0, false)
        case .gap: return index(left).map { ($0 + 1, false) }
        case .first, .jump:
            // By the keys that the pages had when this one came.
            let order = machine.tree.ranks.compactMap { machine.seats[$0] }.map {
                before[$0.stamp.arrival] ?? load.identity
            }
            let place = order.firstIndex(of: load.identity) ?? 0
            return (order[(place + 1)...].lazy.compactMap(index).first ?? plain.seats.count, false)
        case .page:
            if let isPlaced, plain.seats[isPlaced].identity != replaced { return nil }
            return index(replaced).flatMap { page.fetchedAt >= plain.seats[$0].requestedAt ? ($0, true) : nil }
        }
    }

    /// Tells the plain list where pages join, and whether they reach the start and the end.
    private mutating func learnEnds() {
        if machine.kept.isEmpty { kept = nil }
        if let old = machine.kept.first { kept?.learnEnds(of: old) }
        plain.learnEnds(of: machine)
        for index in plain.seats.indices {
            let seat = machine.ranks[plain.seats[index].identity].flatMap { machine.seats[$0] }
            plain.seats[index].isLinkedToNext = seat?.isLinkedToNext ?? plain.seats[index].isLinkedToNext
        }
    }

    /// Compares what is shown with what must be, and the difference with both.
    mutating func check() {
        learnEnds()
        let snapshot = snapshot
        let shown = Array(snapshot)
        let expected = (kept ?? plain).content
        if shown != expected {
            failures.append(
                "step \(step), \(note): shows \(shown.map { [$0.id, $0.value] }), not \(expected.map { [$0.id, $0.value] })"
            )
        }
        if (0..<snapshot.count).map({ snapshot[$0] }) != shown { failures.append("step \(step): positions disagree") }
        var items = Array(told)
        let difference = PaginatorListDifference<PlainItem>(
            from: told.rows, to: snapshot.rows, touches: machine.touches)
        difference.apply(to: &items)
        if items != shown { failures.append("step \(step): the difference gives another content") }
        if random.chance(0.7) {
            told = snapshot
            machine.touches = []
        }
        for violation in machine.invariantViolations() { failures.append("step \(step): \(violation)") }
    }
}

extension PlainList {
    /// Whether pages reach the start and the end, which items are on dropped ones, and how many rows beyond them the
    /// window has no room for.
    fileprivate mutating func learnEnds(of machine: ListMachine) {
        (isStartLoaded, isEndLoaded) = (machine.isStartLoaded, machine.isEndLoaded)
        let pages = machine.droppedBefore + machine.droppedAfter
        dropped = Set(pages.compactMap(\.ids).joined().map(\.number))
        isDroppedUnknown = pages.contains { $0.ids == nil }
        hiddenAbove = isStartLoaded ? machine.headRows.hiddenCount : 0
        hiddenBelow = isEndLoaded ? machine.tailRows.hiddenCount : 0
    }
}
