import PaginatorCore
import PaginatorLists
import PaginatorTesting

// The user's edits, and what the server makes of them.
extension UserWorld {
    func begin(_ act: UserAct, _ list: PaginatorList<UserItem, Int>) {
        lastEdit += 1
        let newID = -lastEdit
        let new = UserItem(id: newID, version: 0)
        let rows = list.snapshot
        switch act {
        case .change(let row):
            guard let id = shown(rows, row), id > 0, !isCovered(id), let bit = newMark(id) else { return }
            marks[id, default: UserMarks()].pending |= bit
            open(
                .change(bit), id,
                list.edits.begin(id) { item in
                    var item = item
                    item.marks |= bit
                    return item
                })
        case .remove(let row):
            guard let id = shown(rows, row), id > 0 else { return }
            marks[id, default: UserMarks()].pendingRemovals += 1
            open(.removal, id, list.edits.begin(id) { _ in nil })
        case .cover(let row):
            guard let id = shown(rows, row), id > 0, !edits.contains(where: { $0.id == id }), let bit = newMark(id),
                let item = rows.first(where: { $0.id == id })
            else { return }
            let cover = UserItem(id: id, version: item.version, marks: (marks[id]?.committed ?? 0) | bit)
            open(.cover(bit), id, list.edits.beginInsert(cover, scope: ""))
        case .insertFirst:
            open(.insertion(.first), newID, list.edits.beginInsert(new, scope: ""))
        case .insertLast:
            open(.insertion(.last), newID, list.edits.beginInsert(new, at: .tail, scope: ""))
        case .insert(let row):
            guard let anchor = shown(rows, row) else { return }
            open(.insertion(.after(anchor)), newID, list.edits.beginInsert(new, at: .after(anchor), scope: ""))
        default: break
        }
    }

    private func shown(_ rows: PaginatorListSnapshot<UserItem, Int>, _ row: Int) -> Int? {
        rows.isEmpty ? nil : rows[row % rows.count].id
    }

    /// Whether a row that waits to be added lies over this one, so that other edits do not show.
    func isCovered(_ id: Int) -> Bool {
        edits.contains { edit in
            if case .cover = edit.kind { edit.id == id } else { false }
        }
    }

    private func newMark(_ id: Int) -> UInt64? {
        let number = marks[id]?.next ?? 0
        guard number < 60 else { return nil }
        marks[id, default: UserMarks()].next += 1
        return 1 << UInt64(number)
    }

    private func open(_ kind: UserEdit.Kind, _ id: Int, _ edit: PaginatorEdit<UserItem>) {
        edits.append(UserEdit(kind: kind, id: id, edit: edit))
    }

    /// The server decides about an edit, and the device hears of it at once.
    func settle(_ number: Int, _ outcome: UserOutcome) {
        guard !edits.isEmpty else { return }
        let open = edits.remove(at: number % edits.count)
        let id = open.id
        var value: UserItem?
        var isRefused = outcome == .refused
        switch open.kind {
        case .change(let bit):
            isRefused = isRefused || table.item(id) == nil
            marks[id, default: UserMarks()].pending &= ~bit
            if isRefused {
                marks[id, default: UserMarks()].takenBack |= bit
            } else {
                marks[id, default: UserMarks()].committed |= bit
                table.change(id, marks: bit)
                if outcome != .accepted { value = table.item(id) }
            }
        case .removal:
            marks[id, default: UserMarks()].pendingRemovals -= 1
            if !isRefused {
                marks[id, default: UserMarks()].isRemoved = true
                let wasThere = table.item(id) != nil
                let isPlaced = isPlaced(id)
                table.remove(id, tick)
                if wasThere { shiftedByUser(isPlaced: isPlaced) }
                if wasThere, setup.isSwitching { shiftedByOthers() }
            }
        case .cover(let bit):
            isRefused = true
            marks[id, default: UserMarks()].takenBack |= bit
        case .insertion(let place):
            if !isRefused {
                let new = insertOnServer(place)
                shiftedByUser()
                // Of what was put into one scope the lists of another do not know.
                if setup.isSwitching { shiftedByOthers() }
                serverIDs[id] = new
                hasOwnRows = true
                value = table.item(new)
                for screen in screens where screen.scope.isEmpty { screen.wasPushed(new, place, serverIDs) }
                if outcome == .pushedAndAccepted { push(new, place) }
            }
        }
        if isRefused {
            open.edit.rollBack()
        } else if let value {
            open.edit.commit(with: value)
        } else {
            open.edit.commit()
        }
    }

    private func insertOnServer(_ place: UserEdit.UserRowPlace) -> Int {
        switch place {
        case .first: table.insertFirst(tick)
        case .last: table.insert(at: table.alive.count, tick)
        case .after(let anchor):
            if let id = anchor > 0 ? anchor : serverIDs[anchor], table.place(of: id) != nil {
                table.insert(after: id, tick)
            } else {
                insertElsewhere()
            }
        }
    }

    /// What a row was put behind, the server does not have: it chooses a place, which only a look at its pages tells.
    private func insertElsewhere() -> Int {
        shiftedByOthers()
        let id = table.insert(at: 0, tick)
        elsewhere.insert(id)
        return id
    }

    /// A row of the user's own came or went. Keys that are offsets follow, as long as no load is on its way to the server
    /// of which nobody can say whether it comes before or after.
    private func shiftedByUser(isPlaced: Bool = true) {
        hasMovedOffsets = true
        // Numbers of pages do not follow: by the one that was jumped to goes another page now, and the rows of the page
        // that has come may have come again since, by the number after it.
        if setup.style == .number { for screen in screens { screen.jumpedTo = nil } }
        let isClear = setup.style == .offset && !setup.hasStore && scheduler?.queuedTasks == 0
        if !isClear || !isPlaced { shifts.append(tick) }
    }

    /// Whether a list can know where a row is that the user removes: to one that never had it the removal is one of
    /// somebody else's, and so it is to one that shows neither the row above it nor the one below, and has loaded other
    /// pages since.
    private func isPlaced(_ id: Int) -> Bool {
        let alive = table.alive.map(\.id)
        guard setup.window == nil, let index = alive.firstIndex(of: id) else { return true }
        let neighbors = [index - 1, index + 1].filter(alive.indices.contains).map { alive[$0] }
        return screens.allSatisfy { screen in
            let rows = screen.list.snapshot
            return rows.isEmpty || screen.newest[id] != nil && rows.contains { neighbors.contains($0.id) }
        }
    }
}
