import PaginatorCore
import PaginatorLists
import PaginatorTesting

// The end of a history: every trouble is over, and the user scrolls through everything.
extension UserWorld {
    func finish() {
        step = "when every trouble was over"
        note(step)
        isHealed = true
        isDown = false
        isHanging = false
        perform(.holdAnswers(false), screens[0])
        store?.isSilent = false
        perform(.conditions([]), screens[0])
        for screen in screens where screen.isPaused { perform(.pauseHints(false), screen) }
        while !edits.isEmpty {
            tick += 1
            settle(edits.count / 2, [.accepted, .refused, .acceptedWithValue][edits.count % 3])
        }
        pass(milliseconds: 200_000)
        rest()
        checkNothingWaits()
        for screen in screens where problems.isEmpty { finish(screen) }
    }

    private func finish(_ screen: UserScreen) {
        let list = screen.list
        screen.isWanted = true
        let isStill = !hasForeignChanges && (shifts.isEmpty || setup.style.rawValue >= 2)
        if isStill, setup.window == nil, setup.style != .brittleCursor {
            step = "when list \(screen.number) was scrolled both ways"
            scroll(screen, .forward)
            scroll(screen, .backward)
            let ids = table.alive.map(\.id)
            compare(screen, hasOwnRows ? ids.sorted() : ids, sorted: hasOwnRows)
        }
        guard problems.isEmpty else { return }
        step = "when list \(screen.number) was refreshed and scrolled down"
        tick += 1
        note(step)
        let since = tick
        perform(.refresh(.all), screen)
        pass(milliseconds: 5_000)
        for _ in 0..<3 where list.status.refresh.error != nil {
            list.retry()
            pass(milliseconds: 60_000)
        }
        if let error = list.status.refresh.error { fail(.end, "list \(screen.number) cannot be refreshed: \(error)") }
        rest()
        scroll(screen, .forward)
        let ids = table.alive.map(\.id)
        compare(screen, setup.window == nil ? ids : ids.suffix(list.snapshot.count))
        for row in list.snapshot where problems.isEmpty {
            if row.version != table.item(row.id)?.version { fail(.end, "row \(row.id) shows an old value: \(row)") }
            if !row.page.isEmpty, row.made < since { fail(.end, "row \(row.id) is older than the refresh") }
        }
        guard setup.window != nil, problems.isEmpty else { return }
        step = "when list \(screen.number) was scrolled up again"
        scroll(screen, .backward)
        compare(screen, ids.prefix(list.snapshot.count))
    }

    private func compare(_ screen: UserScreen, _ ids: some Collection<Int>, sorted: Bool = false) {
        let shown = sorted ? screen.list.snapshot.map(\.id).sorted() : screen.list.snapshot.map(\.id)
        guard problems.isEmpty, shown != Array(ids) || !screen.list.snapshot.gaps.isEmpty else { return }
        fail(
            .end,
            "list \(screen.number) shows \(shown), gaps \(screen.list.snapshot.gaps), and the server has \(Array(ids)); "
                + "\(screen.list.status)")
    }

    private enum Direction { case forward, backward }

    /// Goes on as a user does who has all the time: fills what is missing, and asks for more until there is none.
    private func scroll(_ screen: UserScreen, _ direction: Direction) {
        let list = screen.list
        let byHints = setup.prefetchDistance > 0 && setup.rows % 2 == 0
        for turn in 0..<3 * table.rows.count + 20 where problems.isEmpty {
            let (status, rows) = (list.status, list.snapshot)
            let phase = direction == .forward ? status.next : status.previous
            screen.hasAsked = true
            if status.next.error ?? status.previous.error ?? status.refresh.error != nil {
                list.retry()
                pass(milliseconds: 30_000)
            } else if let gap = rows.gaps.first {
                list.fillGap(at: gap, fromEnd: turn % 2 != 0)
            } else if status.hasLoaded, phase == .endReached {
                return
            } else if byHints, !rows.isEmpty {
                let position = direction == .forward ? rows.count - 1 : 0
                list.hint(visible: position..<position + 1)
            } else if direction == .forward {
                list.loadNext()
            } else {
                list.loadPrevious()
            }
            pass(milliseconds: 2_000)
        }
        if problems.isEmpty {
            fail(
                .end,
                "list \(screen.number) never gets to the \(direction == .forward ? "end" : "start"): \(list.status), "
                    + "\(list.snapshot.map(\.id)), gaps \(list.snapshot.gaps)")
        }
    }
}
