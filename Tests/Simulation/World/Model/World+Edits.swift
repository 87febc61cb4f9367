import PaginatorCore
import PaginatorLists
import PaginatorTesting

// Edits: the device shows them at once, the server takes or refuses them, and the answer comes later.
extension World {
    private func someItem(_ place: Place) -> Int? {
        guard !place.lists.isEmpty else { return nil }
        let rows = place.lists[random.number(in: 0..<place.lists.count)].list.snapshot
        guard !rows.isEmpty else { return nil }
        let id = rows.id(at: random.number(in: 0..<rows.count))
        return id > 0 ? id : nil
    }

    func beginEdit(_ place: Place) {
        guard let edits = place.edits, let id = someItem(place) else { return }
        var model = place.items[id] ?? ItemModel()
        guard model.next < 64, !model.isRemoved else { return }
        let removes = random.chance(0.15)
        let bit: UInt64 = removes ? 0 : 1 << UInt64(model.next)
        if removes { model.pendingRemovals += 1 } else { model.next += 1 }
        model.pending |= bit
        place.items[id] = model
        trace.note(7, UInt64(id), bit)
        let edit = call {
            edits.begin(id) { item in
                guard !removes else { return nil }
                var item = item
                item.edits |= bit
                return item
            }
        }
        note("edit of \(id), bit \(bit)")
        lastEdit += 1
        place.openEdits.append(
            OpenEdit(edit: edit, id: id, bit: bit, generation: place.generation, number: lastEdit))
        askServer(place, lastEdit, isAccepted: random.chance(0.7), answersWithItem: random.chance(0.5))
    }

    /// The server takes the edit after a while, and the device hears of it later.
    private func askServer(_ place: Place, _ number: Int, isAccepted: Bool, answersWithItem: Bool) {
        let there = timeline.nanoseconds + Int64(random.number(in: 10..<900)) * 1_000_000
        let back = there + Int64(random.number(in: 10..<900)) * 1_000_000
        let process = timeline.livingProcess
        timeline.add(at: there) { [unowned self, unowned place] in
            guard let index = place.openEdits.firstIndex(where: { $0.number == number }) else { return }
            place.openEdits[index].isOnServer = isAccepted
            let open = place.openEdits[index]
            var answer: SimulatedItem?
            if isAccepted, let table = place.tables.firstIndex(where: { $0.base == open.id & ~0xff_ffff }) {
                if open.bit == 0 {
                    place.tables[table].remove(open.id)
                } else {
                    place.tables[table].edit(open.id, open.bit)
                    if answersWithItem { answer = place.tables[table].item(open.id) }
                }
            }
            let value = answer
            timeline.add(at: back, process: process) { [unowned self, unowned place] in
                settle(place, number, isAccepted: isAccepted, value)
            }
        }
    }

    private func settle(_ place: Place, _ number: Int, isAccepted: Bool, _ value: SimulatedItem?) {
        guard let index = place.openEdits.firstIndex(where: { $0.number == number }) else { return }
        let open = place.openEdits.remove(at: index)
        var model = place.items[open.id] ?? ItemModel()
        model.pending &= ~open.bit
        if open.bit == 0 { model.pendingRemovals = max(0, model.pendingRemovals - 1) }
        if isAccepted {
            model.committed |= open.bit
            if open.bit == 0 { model.isRemoved = true }
        } else if !open.isOnServer {
            model.rolledBack |= open.bit
        }
        place.items[open.id] = model
        trace.note(8, UInt64(open.id), isAccepted ? 1 : 0)
        note("\(isAccepted ? "commit" : "rollback") of \(open.id), bit \(open.bit)")
        call {
            if !isAccepted {
                open.edit.rollBack()
            } else if let value {
                open.edit.commit(with: value)
            } else {
                open.edit.commit()
            }
        }
    }

    /// What was pending has ended with a clear of everything; of a scope, only the rows inserted into it.
    func endEdits(_ place: Place, clearedBy selection: PageSelection) {
        switch selection {
        case .all:
            while let open = place.openEdits.first { settle(place, open.number, isAccepted: false, nil) }
            place.openInserts = [:]
        case .scope(let scope): place.openInserts = place.openInserts.filter { !$0.value.hasSameBytes(as: scope) }
        case .key, .identity: break
        }
    }

    func beginInsert(_ place: Place, _ table: Int) {
        guard let edits = place.edits else { return }
        place.lastInsert -= 1
        let id = place.lastInsert
        place.openInserts[id] = place.tables[table].scope
        let row: PaginatorRowPlace<Int> =
            switch random.number(in: 0..<10) {
            case 0..<7: .head
            case 7, 8: .tail
            default: someItem(place).map { .after($0) } ?? .head
            }
        let item = SimulatedItem(id: id, revision: 0, edits: 0, page: 0, made: count, verdict: .accept)
        let edit = call { edits.beginInsert(item, at: row, scope: place.tables[table].scope) }
        let isAccepted = random.chance(0.7)
        let there = timeline.nanoseconds + Int64(random.number(in: 10..<900)) * 1_000_000
        let back = there + Int64(random.number(in: 10..<900)) * 1_000_000
        let (process, generation) = (timeline.livingProcess, place.generation)
        timeline.add(at: there, process: process) { [unowned self, unowned place] in
            var made: SimulatedItem?
            if isAccepted {
                let id = place.tables[table].insert(at: 0)
                made = place.tables[table].item(id)
            }
            let value = made
            timeline.add(at: back, process: process) { [unowned self, unowned place] in
                guard place.generation == generation else { return }
                place.openInserts[id] = nil
                call {
                    if let value { edit.commit(with: value) } else { edit.rollBack() }
                }
            }
        }
    }

    /// An item shows every edit that was committed, and those that are pending, and none that was taken back.
    func check(_ item: SimulatedItem, in place: Place, isBare: Bool = false) {
        guard item.id > 0 else {
            if place.openInserts[item.id] == nil { fail("the row \(item.id) outlived its edit") }
            return
        }
        guard let model = place.items[item.id] else { return }
        let wanted = isBare ? model.committed : model.committed | model.pending
        if item.edits & wanted != wanted {
            fail("item \(item.id) lost edits: \(item.edits) has not all of \(wanted)")
        }
        if item.edits & model.rolledBack != 0 { fail("item \(item.id) shows an edit that was taken back") }
        if model.isRemoved { fail("item \(item.id) came back after its removal") }
        if !isBare, model.pendingRemovals > 0 { fail("item \(item.id) is shown though its removal is pending") }
    }
}
