import PaginatorCore
import PaginatorLists
import PaginatorTesting

// What happens, by act.
extension UserWorld {
    func perform(_ act: UserAct, _ screen: UserScreen) {
        let list = screen.list
        let count = list.snapshot.count
        switch act {
        case .conditions, .sleep, .wait, .storeIsSilent: break
        default: for screen in screens { screen.isAhead = false }
        }
        screen.covered = Set(edits.map(\.id))
        switch act {
        // A list without rows goes on to the first ones for whoever asked for any.
        case .jump, .jumpTo, .refresh: screen.hasAsked = screen.hasAsked || count == 0
        default: break
        }
        switch act {
        case .next:
            screen.hasAsked = true
            screen.isWanted = true
            list.loadNext()
        case .previous:
            screen.hasAsked = true
            screen.isWanted = true
            list.loadPrevious()
        case .retry:
            screen.hasAsked = true
            list.retry()
        case .reset:
            screen.forget()
            screen.isWanted = false
            list.reset()
        case .show(let scope, let keepsItems):
            screen.forget()
            (screen.scope, screen.isSwitching, screen.isWanted, screen.bookmark) = (scope, true, true, nil)
            screen.replacements = list.status.replacements
            screen.awaited = screen.covered.subtracting(list.snapshot.map(\.id))
            list.show(scope: scope, keepsItems: keepsItems)
        case .bookmark:
            guard !screen.isSwitching else { return }
            list.bookmark { [unowned screen] bookmark in screen.bookmark = bookmark ?? screen.bookmark }
        case .restore:
            guard let bookmark = screen.bookmark else { return }
            screen.forget(isRestored: true)
            screen.isWanted = true
            do { try list.restore(bookmark) } catch { fail(.end, "a bookmark is refused: \(error)") }
        case .cancelLoads:
            screen.forgetWishes()
            list.cancelLoads()
        case .newList:
            screen.observation?.cancel()
            screens[screen.number] = makeScreen(screen.number)
            // Pages of its scope may be of before rows of which only others knew.
            if setup.isSwitching { shiftedByOthers() }
        case .hint(let position):
            guard count > 0 else { return }
            let last = position >= 1_000 ? count - 1 : position % count
            screen.jumpedTo = nil
            screen.isAhead = true
            let id = list.snapshot.id(at: last)
            list.hint(visible: max(0, last - 2)..<last + 1)
            // A page that was on its way may have come first; then other rows are at these positions.
            let isSame = list.snapshot.count > last && list.snapshot.id(at: last) == id
            screen.seen = isSame ? (id, failures) : nil
            if screen.kept != nil { screen.kept = screen.seen?.id }
        case .refresh(let refresh):
            screen.willRefresh(refresh, since: since, wasServed: { served[$0] != nil })
            list.refresh(refresh)
        case .refreshPage(let row):
            guard let key = rowWithPage(list, row)?.page else { return }
            screen.promise([key], since)
            list.refresh(.page(String(decoding: key, as: UTF8.self)))
        case .jump(let row):
            jump(screen, row)
        case .jumpTo(let key):
            screen.forgetWishes()
            screen.isWanted = true
            screen.jumpedTo = Array(key.utf8)
            screen.jumped.insert(Array(key.utf8))
            list.jump(to: key)
        case .fill(let gap, let fromStart):
            let gaps = list.snapshot.gaps
            guard !gaps.isEmpty else { return }
            screen.isWanted = true
            screen.left = screen.jumped
            let position = gaps[gap % gaps.count]
            // What is about to take the place of everything takes that of the gap, too.
            if !list.status.refresh.isLoading, let id = rowMissing(at: position, list, fromStart) {
                screen.missed.append((id, failures))
            }
            list.fillGap(at: position, fromEnd: !fromStart)
        case .change, .remove, .insertFirst, .insertLast, .insert, .cover:
            begin(act, list)
        case .settle(let number, let outcome):
            settle(number, outcome)
        case .refetch(let row):
            guard let key = rowWithPage(list, row)?.page else { return }
            paginator?.refresh(
                PageRequest(key: String(decoding: key, as: UTF8.self), pageSize: setup.pageSize, scope: screen.scope))
        case .invalidateAll:
            for screen in screens { screen.stale = screen.keys.map { (key: $0, made: tick) } }
            paginator?.invalidate(.all)
        case .pauseHints(let isPaused):
            screen.isPaused = isPaused
            list.setPrefetchPaused(isPaused)
        default:
            performOutside(act)
        }
    }

    private func performOutside(_ act: UserAct) {
        let alive = table.alive
        switch act {
        case .serverInserts(let index, let count):
            for offset in 0..<count {
                _ = table.insert(at: index >= 1_000 ? alive.count + offset : index % (alive.count + 1), tick)
            }
            shiftedByOthers()
        case .serverRemoves(let index, let count):
            guard !alive.isEmpty else { return }
            let start = index >= 1_000 ? max(0, alive.count - count) : index % alive.count
            for row in alive.dropFirst(start).prefix(count) { table.remove(row.id, tick) }
            shiftedByOthers()
        case .serverChanges(let row):
            if !alive.isEmpty { table.change(alive[row % alive.count].id) }
        case .push:
            let id = table.insertFirst(tick)
            shiftedByOthers()
            hasMovedOffsets = true
            push(id, .first)
        case .pushValue(let row):
            guard !alive.isEmpty else { return }
            table.change(alive[row % alive.count].id)
            guard var item = table.item(alive[row % alive.count].id) else { return }
            item.made = tick
            for screen in screens where !screen.isSwitching {
                // It stays on its page.
                guard let old = screen.list.snapshot.first(where: { $0.id == item.id }) else { continue }
                (item.page, item.scope) = (old.page, old.scope)
                screen.list.insertLive([item])
            }
        case .down(let isOn): isDown = isOn
        case .hangs(let isOn): isHanging = isOn
        case .holdAnswers(let isOn):
            isHolding = isOn
            guard !isOn else { return }
            let answers = held
            held = []
            for answer in answers { time.run(answer) }
        case .conditions(let conditions):
            let gone = connectivity.conditions.subtracting(conditions)
            if gone.contains(.offline) || gone.contains(.background) { for screen in screens { screen.interrupt() } }
            connectivity.set(conditions)
        case .sleep(let seconds):
            time.sleep(Int64(seconds) * 1_000_000_000)
            // What was on its way is timed out when the device wakes up.
            failures += unanswered.isEmpty ? 0 : 1
        case .storeIsSilent(let isOn): store?.isSilent = isOn
        case .wait(let seconds):
            pass(milliseconds: seconds * 1_000)
            rest()
            if seconds >= 150 { checkNothingWaits() }
        case .mustTell:
            for screen in screens where !screen.tellsFailure {
                fail(.told, "a load failed, and nothing says so: \(screen.list.status)")
            }
        case .mustHaveLoaded:
            for screen in screens where !screen.list.status.hasLoaded {
                fail(.waits, "nothing was loaded: \(screen.list.status)")
            }
        default: break
        }
    }

    /// How old pages may be that are asked for anew.
    private func since(_ keys: [[UInt8]]) -> Int {
        let onTheirWay = without.contains(.anew) ? unanswered.filter { keys.contains($0.key) } : []
        return onTheirWay.map(\.read).min() ?? tick
    }

    func shiftedByOthers() {
        hasForeignChanges = true
        shifts.append(tick)
        // Another page goes by the key that was jumped to.
        if setup.style == .offset || setup.style == .number { for screen in screens { screen.jumpedTo = nil } }
    }

    /// The server tells the device of a new row.
    func push(_ id: Int, _ place: UserEdit.UserRowPlace) {
        guard let item = table.item(id) else { return }
        for screen in screens {
            screen.wasPushed(id, place, serverIDs)
            switch place {
            case .first: screen.list.insertLive([item])
            case .last: screen.list.insertLive([item], at: .tail)
            case .after(let anchor): screen.list.insertLive([item], at: .after(serverIDs[anchor] ?? anchor))
            }
        }
    }

    private func rowWithPage(_ list: PaginatorList<UserItem, Int>, _ row: Int) -> UserItem? {
        let rows = list.snapshot.filter { !$0.page.isEmpty }
        return rows.isEmpty ? nil : rows[row % rows.count]
    }

    /// The row that comes next to a gap's start or end on the server, if it is not there.
    private func rowMissing(at position: Int, _ list: PaginatorList<UserItem, Int>, _ fromStart: Bool) -> Int? {
        let rows = list.snapshot
        guard rows.indices.contains(position - 1), rows.indices.contains(position) else { return nil }
        let alive = table.alive.map(\.id)
        guard let index = alive.firstIndex(of: rows[fromStart ? position - 1 : position].id) else { return nil }
        let next = fromStart ? index + 1 : index - 1
        return alive.indices.contains(next) && !rows.contains { $0.id == alive[next] } ? alive[next] : nil
    }

    /// Goes to the page of a row, which the user knows to be before or behind all that is shown, or shown. Where keys
    /// are numbers the list itself knows where it belongs.
    private func jump(_ screen: UserScreen, _ row: Int) {
        let alive = table.alive
        guard !alive.isEmpty else { return }
        let index = row % alive.count / setup.pageSize * setup.pageSize
        let key = table.key(at: index, setup.pageSize)
        var placement = PaginatorListPlacement.automatic
        let places = screen.list.snapshot.compactMap { table.place(of: $0.id) }
        if setup.style != .offset, screen.list.status.refresh.isLoading { return }
        if setup.style != .offset, let first = places.min(), let last = places.max(),
            let place = table.place(of: alive[index].id)
        {
            if !screen.keys.contains(Array(key.utf8)), first <= place, place <= last { return }
            placement = place < first ? .start : .end
            // What is on its way there may be that page, or have some of its rows.
            let status = screen.list.status
            if place < first ? status.previous.isLoading : place > last && status.next.isLoading { return }
        }
        screen.forgetWishes()
        screen.isWanted = true
        // A page that the list has already may have had other rows when it came.
        if !hasForeignChanges || !askedKeys.contains(where: { $0.hasSameBytes(as: key) }) {
            screen.jumpedTo = Array(key.utf8)
        }
        screen.jumped.insert(Array(key.utf8))
        screen.list.jump(to: key, placement: placement)
    }
}
