import PaginatorCore
import PaginatorTesting

// What a user asks of a list at any time.
extension UserWorld {
    func look(at screen: UserScreen) {
        let rows = Array(screen.list.snapshot)
        let status = screen.list.status
        for (index, row) in rows.enumerated() {
            if rows[..<index].contains(where: { $0.id == row.id }) { fail("row \(row.id) is shown twice") }
            check(row, on: screen)
        }
        var start = 0
        let gaps = screen.list.snapshot.gaps
        for end in gaps + [rows.count] where end >= start && end <= rows.count {
            check(
                Array(rows[start..<end]), isFirst: start == 0 && status.previous.isEndReached,
                isLast: end == rows.count && !gaps.contains(end) && status.next.isEndReached, all: rows, on: screen)
            start = end
        }
        if !hasForeignChanges, shifts.isEmpty { checkOrder(rows.filter { !$0.page.isEmpty }) }
        checkLocalRows(rows, status, on: screen)
        if !screen.hasAsked, let error = status.next.error ?? status.previous.error {
            fail("a hint alone made list \(screen.number) fail: \(error)")
        }
    }

    /// Nothing is shown that was taken back, removed, or older than what was shown before.
    private func check(_ row: UserItem, on screen: UserScreen) {
        if let known = marks[row.id] {
            let wanted = known.committed | known.pending
            if row.marks & wanted != wanted { fail("row \(row.id) lost an edit") }
            if row.marks & known.takenBack != 0 { fail("row \(row.id) shows an edit that was taken back") }
            if known.isRemoved { fail("row \(row.id) is shown after its removal") }
            if known.pendingRemovals > 0 { fail("row \(row.id) is shown though its removal is pending") }
        }
        if row.id < 0, !edits.contains(where: { $0.id == row.id }) { fail("row \(row.id) outlived its edit") }
        if row.version < screen.newest[row.id] ?? 0 {
            fail("row \(row.id) shows version \(row.version) after version \(screen.newest[row.id] ?? 0)")
        }
        screen.newest[row.id] = row.version
    }

    /// Rows without a gap between them: in order, as new as each other's refreshes, and nothing is missing.
    private func check(_ chain: [UserItem], isFirst: Bool, isLast: Bool, all: [UserItem], on screen: UserScreen) {
        let rows = chain.filter { !$0.page.isEmpty }
        let floor = rows.compactMap { screen.floors[$0.page] }.max() ?? 0
        for row in rows where row.made < floor {
            fail("row \(row.id) of page \(name(row.page)) is of tick \(row.made), and joins what was refreshed at \(floor)")
            return
        }
        for (left, right) in zip(rows, rows.dropFirst()) where !joinsByChance(left.made, right.made) {
            checkOrder([left, right])
            checkMissing(left, right, all, screen)
        }
        let firstKey = Array(table.key(at: 0, setup.pageSize).utf8)
        if isFirst, let first = rows.first, first.page == firstKey { checkMissing(nil, first, all, screen) }
        if isLast, let last = rows.last, !joinsByChance(last.made, tick) { checkMissing(last, nil, all, screen) }
    }

    func name(_ key: [UInt8]) -> String { String(decoding: key, as: UTF8.self) }

    /// Whether keys count rows, and rows that the device did not know of came or went in between.
    private func joinsByChance(_ one: Int, _ other: Int) -> Bool {
        (setup.style == .offset || setup.style == .number)
            && shifts.contains { min(one, other) < $0 && $0 <= max(one, other) }
    }

    private func checkOrder(_ rows: [UserItem]) {
        for (left, right) in zip(rows, rows.dropFirst()) {
            guard let one = table.place(of: left.id), let other = table.place(of: right.id), one > other else { continue }
            fail("row \(left.id) is shown above row \(right.id), and is below it on the server")
        }
    }

    /// Of the rows between two that are shown side by side none is missing that the server had when it was asked for
    /// both, or that it told the device about. Without a neighbor it is the start or the end of the table.
    private func checkMissing(_ left: UserItem?, _ right: UserItem?, _ all: [UserItem], _ screen: UserScreen) {
        let from = left.flatMap { table.place(of: $0.id) }.map { $0 + 1 } ?? 0
        let to = right.flatMap { table.place(of: $0.id) } ?? table.rows.count
        let made = min(left?.made ?? .max, right?.made ?? .max)
        guard from < to else { return }
        for row in table.rows[from..<to] where row.died == nil && !all.contains(where: { $0.id == row.id }) {
            let isKnown = row.born <= made || screen.pushed.contains(row.id)
            guard isKnown, (marks[row.id]?.pendingRemovals ?? 0) == 0 else { continue }
            let place = "\(left.map { "\($0.id)" } ?? "the start") and \(right.map { "\($0.id)" } ?? "the end")"
            fail(
                "row \(row.id)\(screen.pushed.contains(row.id) ? ", which was pushed," : "") is missing between \(place) "
                    + "of list \(screen.number): \(all.map(\.id))")
        }
    }

    /// A row that waits for the server is shown where it was put.
    private func checkLocalRows(_ rows: [UserItem], _ status: PaginatorListStatus, on screen: UserScreen) {
        guard status.hasLoaded else { return }
        for edit in edits {
            guard case .insertion(let place) = edit.kind, !rows.contains(where: { $0.id == edit.id }) else { continue }
            let isWanted =
                switch place {
                case .first: status.previous.isEndReached
                case .last: status.next.isEndReached
                case .after(let anchor): rows.contains { $0.id == anchor || $0.id == serverIDs[anchor] }
                }
            if isWanted { fail("row \(edit.id), put \(place), is not shown by list \(screen.number): \(rows.map(\.id))") }
        }
    }

    // MARK: - At rest

    /// Looks again when nothing happens at the moment: what was asked for is there.
    func rest() {
        pass(milliseconds: 400)
        look()
        guard held.isEmpty, !isHanging, store?.isSilent != true else { return }
        for screen in screens where problems.isEmpty { rest(screen) }
    }

    private func rest(_ screen: UserScreen) {
        let status = screen.list.status
        let rows = Array(screen.list.snapshot)
        let isQuiet = connectivity.conditions.isEmpty && !isDown
        if status.next.error == nil, status.previous.error == nil, !status.next.isLoading, !status.previous.isLoading {
            screen.hasAsked = false
        }
        guard !status.refresh.isLoading else { return }
        if status.refresh.error != nil { screen.forgetWishes() }
        for promise in screen.promises {
            for key in promise.keys { screen.floors[key] = max(screen.floors[key] ?? 0, promise.since) }
        }
        screen.promises = []
        look(at: screen)
        if isQuiet { checkJump(rows, screen) }
        checkRenewals(rows, screen)
        if isQuiet { checkAhead(rows, status, screen) }
    }

    /// The page that was jumped to is shown.
    private func checkJump(_ rows: [UserItem], _ screen: UserScreen) {
        guard let key = screen.jumpedTo else { return }
        screen.jumpedTo = nil
        guard let page = table.page(name(key), setup.pageSize, tick), !page.items.isEmpty else { return }
        guard !page.items.contains(where: { marks[$0.id]?.pendingRemovals ?? 0 > 0 }) else { return }
        if !rows.contains(where: { $0.page == key }) {
            fail("the page \(name(key)) that was jumped to is not shown: \(rows.map(\.id))")
        }
    }

    /// A list follows renewals of its pages, whoever caused them.
    private func checkRenewals(_ rows: [UserItem], _ screen: UserScreen) {
        for row in rows where !row.page.isEmpty {
            guard let page = paginator?.peek(key: name(row.page), pageSize: setup.pageSize)?.page,
                let newer = page.content.first(where: { $0.id == row.id }), newer.made > row.made
            else { continue }
            fail("row \(row.id) of list \(screen.number) is of tick \(row.made), its page in memory of \(newer.made)")
            return
        }
    }

    /// What a hint asked for has come, if nothing failed.
    private func checkAhead(_ rows: [UserItem], _ status: PaginatorListStatus, _ screen: UserScreen) {
        guard let seen = screen.seen, seen.failures == failures, setup.prefetchDistance > 0, !screen.isPaused,
            screen.list.snapshot.gaps.isEmpty, case .idle = status.next,
            let index = rows.firstIndex(where: { $0.id == seen.id })
        else { return }
        if rows.count - 1 - index < setup.prefetchDistance {
            fail("\(rows.count - 1 - index) rows are loaded ahead of row \(seen.id), and nothing loads more")
        }
    }

    /// Whatever the trouble, no load waits for ever.
    func checkNothingWaits() {
        for screen in screens where screen.promises.isEmpty {
            let status = screen.list.status
            if status.next.isLoading || status.previous.isLoading || status.refresh.isLoading {
                fail("list \(screen.number) still loads: \(status)")
            }
        }
    }
}
