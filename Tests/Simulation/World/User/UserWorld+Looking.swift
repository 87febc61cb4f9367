import PaginatorCore
import PaginatorLists
import PaginatorTesting

// What a user asks of a list at any time.
extension UserWorld {
    func look(at screen: UserScreen) {
        let rows = Array(screen.list.snapshot)
        let status = screen.list.status
        note("list \(screen.number) shows \(rows.map(\.id)), gaps \(screen.list.snapshot.gaps)")
        screen.list.checkInvariants { [unowned self] violations in
            for violation in violations { fail(.machine, violation) }
        }
        for (direction, state) in [status.next, status.previous, status.refresh].enumerated() {
            screen.loadingSince[direction] = state.isLoading ? screen.loadingSince[direction] ?? time.awake : nil
        }
        guard !isSwitching(screen, rows) else { return }
        for (index, row) in rows.enumerated() {
            if rows[..<index].contains(where: { $0.id == row.id }) { fail(.once, "row \(row.id) is shown twice") }
            check(row, on: screen)
        }
        let shown = Set(rows.map(\.id))
        let hidden = Set(edits.map(\.id))
        screen.oldest = screen.oldest.filter { id, _ in
            shown.contains(id) || hidden.contains(id) || marks[id]?.isRemoved == true
        }
        // What a window has dropped comes back as it was.
        if setup.window == nil {
            screen.tolerated = screen.tolerated.filter { shown.contains($0.key) || hidden.contains($0.key) }
        }
        screen.tolerateEarly()
        // What a page has, the pages tell of.
        for row in rows where !row.page.isEmpty { screen.pushed.remove(row.id) }
        for row in rows where !row.page.isEmpty { screen.oldest[row.id] = min(screen.oldest[row.id] ?? .max, row.made) }
        if !screen.isWanted, status.hasLoaded {
            fail(.quiet, "list \(screen.number) loads though nobody asked for anything")
        }
        if status.refresh.error != nil { screen.forgetWishes() }
        var start = 0
        let gaps = screen.list.snapshot.gaps
        for (number, end) in (gaps + [rows.count]).enumerated() where end >= start && end <= rows.count {
            // A gap may lie before every row, where those above it are hidden.
            check(
                Array(rows[start..<end]), isFirst: number == 0 && status.previous == .endReached,
                isLast: end == rows.count && !gaps.contains(end) && status.next == .endReached
                    && (gaps.isEmpty || screen.isEndTold && !screen.hasRepeatedKeys), all: rows, on: screen)
            start = end
        }
        // Pages of before a row of the user's own and of after it have other rows beside a gap.
        let isOwn = Set(serverIDs.values)
        if !hasForeignChanges, shifts.isEmpty { checkOrder(rows.filter { !$0.page.isEmpty && !isOwn.contains($0.id) }) }
        checkLocalRows(rows, status, on: screen)
        // While a switch keeps the old rows, all three tell of the first page of the new scope.
        let isSwitching = status.next == status.refresh && status.previous == status.refresh
        // Who looks at an end is told when the source itself has failed, or has failed so often that it is left alone.
        if !screen.hasAsked, !isSwitching, let error = status.next.error ?? status.previous.error, error.attempts == 0,
            error.code != .throttled
        {
            fail(.ahead, "a hint alone made list \(screen.number) fail: \(error)")
        }
    }

    /// Whether the list still shows what it did before it was told to show something else: all of that, or none.
    private func isSwitching(_ screen: UserScreen, _ rows: [UserItem]) -> Bool {
        let scopes = Set(rows.filter { !$0.page.isEmpty }.map(\.scope))
        if scopes.count > 1 { fail(.scope, "list \(screen.number) shows rows of several scopes: \(scopes)") }
        let isOther = scopes.contains { $0 != screen.scope }
        guard screen.isSwitching else {
            if isOther { fail(.scope, "list \(screen.number) shows rows of another scope than \(screen.scope)") }
            return false
        }
        // Its first page has taken the place of all, or it has none and loads none. The rows alone do not tell, because
        // edits may hide all that it keeps, and those may be of the same scope.
        let status = screen.list.status
        let hasBegun = status.replacements != screen.replacements || !status.hasLoaded && !status.refresh.isLoading
        guard !isOther, hasBegun else { return true }
        screen.isSwitching = false
        screen.forget()
        return false
    }

    /// Nothing is shown that was taken back, removed, or older than what was shown before.
    private func check(_ row: UserItem, on screen: UserScreen) {
        if let known = marks[row.id] {
            let wanted = known.committed | known.pending
            if row.marks & wanted != wanted { fail(.edits, "row \(row.id) lost an edit") }
            if row.marks & known.takenBack != 0 { fail(.edits, "row \(row.id) shows an edit that was taken back") }
            if known.isRemoved { fail(.edits, "row \(row.id) is shown after its removal") }
            if known.pendingRemovals > 0 { fail(.edits, "row \(row.id) is shown though its removal is pending") }
        }
        if row.id < 0, !edits.contains(where: { $0.id == row.id }) { fail(.edits, "row \(row.id) outlived its edit") }
        if row.version < screen.newest[row.id] ?? 0 {
            fail(.values, "row \(row.id) shows version \(row.version) after version \(screen.newest[row.id] ?? 0)")
        }
        // What an edit lies over shows again, as it was, once that is refused.
        if !edits.contains(where: { $0.id == row.id }) { screen.newest[row.id] = row.version }
    }

    /// Rows without a gap between them: in order, as new as each other's refreshes, and nothing is missing.
    private func check(_ chain: [UserItem], isFirst: Bool, isLast: Bool, all: [UserItem], on screen: UserScreen) {
        let rows = chain.filter { !$0.page.isEmpty }
        // A row that has left the first page since keeps the value that it had there, and lies on another page.
        let firstPageMade = all.lazy.filter { $0.page == screen.firstKey }.map(\.made).max() ?? 0
        let hasFirstPage = rows.contains { $0.page == screen.firstKey && $0.made == firstPageMade }
        let floor = hasFirstPage && firstPageMade >= screen.floor ? screen.floor : 0
        // Some policies show an older page for a moment, until the new one has come.
        let isSettled = setup.policy == nil || unanswered.isEmpty && !screen.isLoading
        if isSettled { checkFresh(rows, floor, screen) }
        func read(_ row: UserItem) -> ClosedRange<Int> {
            min(row.made, max(floor, screen.oldest[row.id] ?? 0))...row.made
        }
        for (left, right) in zip(rows, rows.dropFirst()) {
            let hidden = oldestHidden(between: left, right, on: screen)
            let made = min(read(left).lowerBound, read(right).lowerBound, hidden)...max(left.made, right.made)
            // A refreshed page and an older one may only join where that is sure; what an edit parts were no neighbors.
            let isBorder =
                isSettled && !screen.neighbors.contains([left.id, right.id])
                && (screen.floors[left.page] ?? 0 > right.made || screen.floors[right.page] ?? 0 > left.made)
                && hidden == .max
            guard isBorder || !joinsByChance(made) else { continue }
            checkOrder([left, right])
            if isSettled, isBorder || !mayPushOut(left, right, screen) {
                checkMissing(left, right, since: made.lowerBound, all, screen)
            }
        }
        if isSettled, isFirst, let first = rows.first {
            let isStart = first.page == screen.firstKey
            let since = max(screen.startFloor, isStart ? read(first).lowerBound : 0)
            if since > 0, isStart || !joinsByChance(min(since, first.made)...first.made) {
                checkMissing(nil, first, since: since, all, screen)
            }
        }
        if isSettled, isLast, let last = rows.last {
            let since = min(read(last).lowerBound, oldestHidden(between: last, nil, on: screen))
            if !joinsByChance(since...tick) { checkMissing(last, nil, since: since, all, screen) }
        }
    }

    /// When the server read its table for the rows between two that edits hide, lie over, or have removed since the two
    /// came: those hold the two together.
    private func oldestHidden(between left: UserItem, _ right: UserItem?, on screen: UserScreen) -> Int {
        let gone = marks.filter { $0.value.isRemoved }.keys
        guard !edits.isEmpty || !gone.isEmpty else { return .max }
        let from = table.place(of: left.id) ?? 0
        let to = right.flatMap { table.place(of: $0.id) } ?? .max
        let made = min(left.made, right?.made ?? .max)
        func isBetween(_ id: Int) -> Bool { table.place(of: id).map { from < $0 && $0 < to } ?? false }
        let hidden = edits.map(\.id).filter(isBetween)
        let removed = gone.filter { id in
            isBetween(id) && table.rows.contains { $0.id == id && $0.died ?? 0 > made }
        }
        return (hidden + removed).compactMap { screen.oldest[$0] }.min() ?? .max
    }

    /// Whether a page that came above an older one has rows that are newer than that, and of which the device did not
    /// hear: where a cursor names the row before its page, they have pushed others out at the page's end.
    private func mayPushOut(_ left: UserItem, _ right: UserItem, _ screen: UserScreen) -> Bool {
        guard setup.style == .cursor || setup.style == .brittleCursor, left.page != right.page, right.made < left.made,
            let ids = served[left.made], ids.allSatisfy({ screen.oldest[$0] ?? left.made == left.made })
        else { return false }
        return table.rows.contains { ids.contains($0.id) && $0.born > right.made && !screen.heard.contains($0.id) }
    }

    /// What was refreshed is as new as that, and so is what joins it.
    private func checkFresh(_ rows: [UserItem], _ floor: Int, _ screen: UserScreen) {
        let all = screen.list.snapshot
        // By another offset it goes once rows of the user's own have come or gone.
        func floorOf(_ page: [UInt8]) -> Int {
            setup.style == .offset && hasMovedOffsets && page != screen.firstKey ? 0 : screen.floors[page] ?? 0
        }
        // A refreshed page that the window has dropped may come back older, which is told.
        let hasStandIns = screen.list.status.staleError != nil
        for row in rows {
            // What the page has no longer may be on another one, which is older.
            let ownFloor = floorOf(row.page)
            let hasLeft = all.contains { $0.page == row.page && $0.made >= ownFloor }
            if row.made < max(floor, hasLeft || hasStandIns ? 0 : ownFloor) {
                failFresh(row, max(floor, ownFloor), screen, isApart: floor == 0)
            }
        }
        /// Since when what joins a row must be: since its page was refreshed, where that is shown as a whole.
        func floorOf(_ row: UserItem) -> Int {
            let ownFloor = floorOf(row.page)
            // A newer page of that key has the row no longer, and another one shows it.
            let hasLeft = all.contains { $0.page == row.page && $0.made > row.made }
            guard row.made >= ownFloor, !hasLeft,
                served[row.made]?.allSatisfy({ id in isHidden(id) || all.contains { $0.id == id } }) == true
            else { return floor }
            return max(floor, ownFloor)
        }
        /// Whether the page of an older row has the newer one as well, and shows it there: a gap parts the two pages.
        func shows(_ old: UserItem, _ new: UserItem) -> Bool {
            guard served[old.made]?.contains(new.id) == true, let ids = served[new.made] else { return false }
            return all.contains { row in
                !row.page.isEmpty && ids.contains(row.id) && !rows.contains { $0.id == row.id }
            }
        }
        for (left, right) in zip(rows, rows.dropFirst())
        where left.page != right.page && !hasOthers(between: left, right, on: screen) {
            if right.made < floorOf(left), !shows(right, left) {
                failFresh(right, floorOf(left), screen, isApart: floor == 0)
            }
            if left.made < floorOf(right), !shows(left, right) {
                failFresh(left, floorOf(right), screen, isApart: floor == 0)
            }
        }
    }

    /// Whether an edit of the user hides a row, or has removed it.
    private func isHidden(_ id: Int) -> Bool {
        marks[id].map { $0.isRemoved || $0.pendingRemovals > 0 } ?? false
    }

    /// Whether rows lie between two that are hidden, or came by themselves.
    private func hasOthers(between left: UserItem, _ right: UserItem, on screen: UserScreen) -> Bool {
        guard let from = table.place(of: left.id), let to = table.place(of: right.id), from < to else { return false }
        return table.rows[(from + 1)..<to].contains { row in
            isHidden(row.id) || screen.list.snapshot.contains { $0.id == row.id }
        }
    }

    private func failFresh(_ row: UserItem, _ floor: Int, _ screen: UserScreen, isApart: Bool) {
        let apart = isApart ? screen.toleratedApart[row.id] : nil
        guard row.made < min(screen.tolerated[row.id] ?? .max, apart ?? .max) else { return }
        fail(
            .fresh,
            "row \(row.id) of page \(name(row.page)) of list \(screen.number) is of tick \(row.made), and joins what was "
                + "refreshed at \(floor): \(screen.list.snapshot.map { [$0.id, $0.made] })")
    }

    func name(_ key: [UInt8]) -> String { String(decoding: key, as: UTF8.self) }

    /// Whether keys count rows, and rows that the device did not know of came or went in between.
    private func joinsByChance(_ made: ClosedRange<Int>) -> Bool {
        (setup.style == .offset || setup.style == .number)
            && shifts.contains { made.lowerBound < $0 && $0 <= made.upperBound }
    }

    private func checkOrder(_ rows: [UserItem]) {
        for (left, right) in zip(rows, rows.dropFirst()) {
            guard let one = table.place(of: left.id), let other = table.place(of: right.id), one > other else {
                continue
            }
            fail(.order, "row \(left.id) is shown above row \(right.id), and is below it on the server")
        }
    }

    /// Of the rows between two that are shown side by side none is missing that the server had when it was asked for
    /// both, or that it told the device about. Without a neighbor it is the start or the end of the table.
    private func checkMissing(
        _ left: UserItem?, _ right: UserItem?, since made: Int, _ all: [UserItem], _ screen: UserScreen
    ) {
        let from = left.flatMap { table.place(of: $0.id) }.map { $0 + 1 } ?? 0
        let to = right.flatMap { table.place(of: $0.id) } ?? table.rows.count
        guard from < to else { return }
        for row in table.rows[from..<to] where row.died == nil && !all.contains(where: { $0.id == row.id }) {
            // A row that was put behind another one shows with that one.
            let anchor = screen.anchors[row.id].map { serverIDs[$0] ?? $0 }
            let isPushed =
                screen.pushed.contains(row.id) && !elsewhere.contains(row.id)
                && (anchor == nil || all.contains { $0.id == anchor })
            let isKnown = row.born <= made || isPushed
            guard isKnown, (marks[row.id]?.pendingRemovals ?? 0) == 0 else { continue }
            let place = "\(left.map { "\($0.id)" } ?? "the start") and \(right.map { "\($0.id)" } ?? "the end")"
            fail(
                isPushed ? .pushed : .complete,
                "row \(row.id) is missing between \(place) "
                    + "of list \(screen.number): \(all.map(\.id))")
        }
    }

    /// A row that waits for the server is shown where it was put.
    private func checkLocalRows(_ rows: [UserItem], _ status: PaginatorListStatus, on screen: UserScreen) {
        guard status.hasLoaded, screen.scope.isEmpty else { return }
        for edit in edits where !screen.awaited.contains(edit.id) {
            guard case .insertion(let place) = edit.kind, !rows.contains(where: { $0.id == edit.id }) else { continue }
            let isWanted =
                switch place {
                case .first: status.previous == .endReached
                case .last: status.next == .endReached
                case .after(let anchor): rows.contains { $0.id == anchor || $0.id == serverIDs[anchor] }
                }
            if isWanted {
                fail(.local, "row \(edit.id), put \(place), is not shown by list \(screen.number): \(rows.map(\.id))")
            }
        }
    }
}
