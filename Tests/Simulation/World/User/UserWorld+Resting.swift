import PaginatorCore
import PaginatorLists
import PaginatorTesting

// What a user asks of a list when nothing happens to it at the moment.
extension UserWorld {
    /// Looks again when nothing happens at the moment: what was asked for is there.
    func rest() {
        pass(milliseconds: 400)
        look()
        guard held.isEmpty, !isHanging, store?.isSilent != true else { return }
        for screen in screens where problems.isEmpty { rest(screen) }
    }

    private func rest(_ screen: UserScreen) {
        guard !screen.isSwitching else { return }
        let status = screen.list.status
        let rows = Array(screen.list.snapshot)
        let isQuiet = connectivity.conditions.isEmpty && !isDown
        if status.next.error == nil, status.previous.error == nil, !status.next.isLoading, !status.previous.isLoading {
            screen.hasAsked = false
        }
        guard !status.refresh.isLoading else { return }
        if status.refresh.error == nil { screen.awaited = [] }
        for promise in screen.promises {
            if promise.keys.contains(screen.firstKey) {
                screen.startFloor = promise.since
                checkTop(rows, since: promise.since, screen)
            }
            screen.keep(promise, isAll: promise.since == screen.replacesAll)
        }
        screen.promises = []
        look(at: screen)
        if let kept = screen.kept {
            screen.kept = nil
            if !hasForeignChanges, !hasOwnRows, shifts.isEmpty, table.item(kept) != nil,
                marks[kept]?.pendingRemovals ?? 0 == 0,
                !rows.contains(where: { $0.id == kept })
            {
                fail(
                    .place,
                    "row \(kept), which somebody looks at, is gone after a refresh that keeps the place: \(rows.map(\.id))"
                )
            }
        }
        if let window = setup.window, screen.isAhead,
            rows.count > max(window, 3 + 2 * setup.prefetchDistance) + 3 * setup.pageSize + edits.count + 5
        {
            fail(.window, "\(rows.count) rows are shown with a window of \(window)")
        }
        if isQuiet {
            checkJump(rows, screen)
            checkFills(rows, screen)
        }
        checkRenewals(rows, screen)
        if isQuiet { checkAhead(rows, status, screen) }
    }

    /// After the first page came anew its first row is shown.
    private func checkTop(_ rows: [UserItem], since: Int, _ screen: UserScreen) {
        guard setup.window == nil, let top = table.alive.first, top.born < since,
            let place = table.place(of: top.id),
            // What was above it then filled the page, and may have gone since.
            !table.rows[..<place].contains(where: { $0.died ?? 0 >= since })
        else { return }
        guard (marks[top.id]?.pendingRemovals ?? 0) == 0, !rows.contains(where: { $0.id == top.id }) else { return }
        fail(
            .fresh,
            "the first page was refreshed at \(since), and row \(top.id), the first one, is not shown: \(rows.map(\.id))"
        )
    }

    /// The rows beside gaps that were filled are shown.
    private func checkFills(_ rows: [UserItem], _ screen: UserScreen) {
        let missed = screen.missed
        screen.missed = []
        guard setup.window == nil, !hasForeignChanges, shifts.isEmpty else { return }
        for (id, before) in missed where before == failures && table.item(id) != nil {
            guard (marks[id]?.pendingRemovals ?? 0) == 0, !rows.contains(where: { $0.id == id }) else { continue }
            fail(.filled, "row \(id) beside a gap that was filled is not shown: \(rows.map(\.id))")
        }
    }

    /// The page that was jumped to is shown.
    private func checkJump(_ rows: [UserItem], _ screen: UserScreen) {
        guard let key = screen.jumpedTo else { return }
        screen.jumpedTo = nil
        guard let page = table.page(name(key), setup.pageSize, tick), !rows.contains(where: { $0.page == key }) else {
            return
        }
        // An older page may stand in for it, and after a removal others have moved up to it.
        guard screen.list.status.staleError == nil, !marks.values.contains(where: \.isRemoved) else { return }
        let isShown = page.items.allSatisfy { item in
            rows.contains { $0.id == item.id } || marks[item.id]?.pendingRemovals ?? 0 > 0
        }
        if !isShown {
            fail(.jump, "the page \(name(key)) that was jumped to is not shown: \(rows.map(\.id))")
        }
    }

    /// A list follows renewals of its pages, whoever caused them.
    private func checkRenewals(_ rows: [UserItem], _ screen: UserScreen) {
        // What lies at an offset by now is another page, also where a list has found that out by itself.
        guard setup.style != .offset || !hasMovedOffsets && shifts.isEmpty else { return }
        for row in rows where !row.page.isEmpty && !screen.left.contains(row.page) {
            guard let page = paginator?.peek(key: name(row.page), pageSize: setup.pageSize, scope: screen.scope)?.page,
                let newer = page.content.first(where: { $0.id == row.id }), newer.made > row.made,
                // What was asked for in one instant is equally new.
                readAt[newer.made] ?? 0 > (readAt[row.made] ?? 0) + 1_000_000
            else { continue }
            fail(
                .renewals,
                "row \(row.id) of list \(screen.number) is of tick \(row.made), its page in memory of \(newer.made)")
            return
        }
    }

    /// What a hint asked for has come, if nothing failed.
    private func checkAhead(_ rows: [UserItem], _ status: PaginatorListStatus, _ screen: UserScreen) {
        guard let seen = screen.seen, screen.isAhead, failures == 0, setup.prefetchDistance > 0,
            !screen.isPaused, screen.list.snapshot.gaps.isEmpty, case .idle = status.next,
            let index = rows.firstIndex(where: { $0.id == seen.id })
        else { return }
        if rows.count - 1 - index < setup.prefetchDistance {
            fail(.ahead, "\(rows.count - 1 - index) rows are loaded ahead of row \(seen.id), and nothing loads more")
        }
    }

    /// Whatever the trouble, no load waits for ever.
    func checkNothingWaits() {
        for screen in screens where screen.promises.isEmpty {
            // What is loaded ahead is tried again and again.
            if screen.loadingSince.values.contains(where: { $0 + 120_000_000_000 < time.awake }) {
                fail(.waits, "list \(screen.number) still loads: \(screen.list.status)")
            }
        }
    }
}
