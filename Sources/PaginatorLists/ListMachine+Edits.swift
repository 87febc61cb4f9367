import PaginatorCore

// Edits of items, optimistic and committed.
extension ListMachine {
    // Begins an optimistic edit. Pages with at least `number` committed edits contain it.
    mutating func edit(
        _ token: UInt64, _ id: ListItemID, _ change: @escaping ItemChange<ListValue>, number: UInt64 = .max,
        at time: PaginatorInstant
    ) {
        applyToKept { $0.edit(token, id, change, number: number, at: time) }
        guard tokens[token] == nil else { return }
        tokens[token] = id
        var edit = PendingEdit(token: token, change: change, begun: time, number: number)
        if let value = entries[id]?.base { edit.removes = change(value) == nil }
        add(edit, of: id)
    }

    // Adds an edit in the order in which the edits of its item began, since they apply in that order. A switch of the
    // scope reports inserts after later edits, and an edit by another identity closure is recognized late.
    mutating func add(_ edit: PendingEdit, of id: ListItemID) {
        let index = pending[id]?.lastIndex { $0.token < edit.token }.map { $0 + 1 } ?? 0
        pending[id, default: []].insert(edit, at: index)
        reapplyEdits(id)
    }

    // Has an edit be one of another identity.
    mutating func move(_ token: UInt64, to id: ListItemID) {
        applyToKept { $0.move(token, to: id) }
        guard let old = tokens[token], let index = pending[old]?.firstIndex(where: { $0.token == token }),
            let edit = pending[old]?.remove(at: index)
        else { return }
        if pending[old]?.isEmpty == true { pending[old] = nil }
        reapplyEdits(old)
        tokens[token] = id
        add(edit, of: id)
    }

    // Records the number of an edit that is about to be committed: pages from now on may contain it.
    mutating func willCommit(_ token: UInt64, _ number: UInt64) {
        applyToKept { $0.willCommit(token, number) }
        guard let id = tokens[token], let index = pending[id]?.firstIndex(where: { $0.token == token }) else { return }
        pending[id]?[index].number = number
    }

    // Ends an edit, which may have removed an item that the list does not have.
    mutating func settle(
        _ token: UInt64, _ outcome: EditOutcome<(id: ListItemID, value: ListValue)>, number: UInt64 = 0,
        removes: Bool = false, at time: PaginatorInstant
    ) {
        applyToKept { $0.settle(token, outcome, number: number, removes: removes, at: time) }
        guard let id = tokens.removeValue(forKey: token),
            let index = pending[id]?.firstIndex(where: { $0.token == token }), let edit = pending[id]?.remove(at: index)
        else {
            // The list never had the item, so its place is unknown.
            if removes, config.addressing == .offset {
                note(RecentShift(id: nil, time: time, items: -1, rank: nil))
            }
            return
        }
        if pending[id]?.isEmpty == true { pending[id] = nil }
        reapplyEdits(id)
        if let insert = edit.insert {
            settleInsert(id, insert, outcome, begun: edit.begun, at: time)
        } else {
            settleEdit(id, edit, outcome, number, removes: removes || edit.removes, at: time)
        }
    }

    private mutating func settleInsert(
        _ id: ListItemID, _ insert: (value: ListValue?, place: PaginatorRowPlace<ListItemID>),
        _ outcome: EditOutcome<(id: ListItemID, value: ListValue)>, begun: PaginatorInstant, at time: PaginatorInstant
    ) {
        var (newID, value) = (id, insert.value)
        switch outcome {
        case .rolledBack: value = nil
        case .committed: break
        case .committedValue(let theirs): (newID, value) = theirs.map { ($0.id, $0.value) } ?? (id, nil)
        }
        let wasLate = isLate(id, at: time)
        // First, so that rows, edits and the visible place that depend on it stay with the other item.
        if newID != id, isUnconfirmed(id) { rename(id, to: newID) }
        guard let value, !(wasLate && isUnconfirmed(newID)) else {
            let isInserted = pending[newID]?.contains { $0.insert != nil } ?? false
            if isUnconfirmed(newID), !isInserted { removeLocal(newID) }
            return
        }
        // A page that the window has dropped, or that a bookmark names, may have it.
        if newID == id, !has(id), (droppedBefore + droppedAfter).contains(where: { $0.ids == nil }) { return }
        self.insert(newID, value, insert.place, token: nil, at: time, begun: begun)
    }

    private mutating func settleEdit(
        _ id: ListItemID, _ edit: PendingEdit, _ outcome: EditOutcome<(id: ListItemID, value: ListValue)>,
        _ number: UInt64, removes: Bool,
        at time: PaginatorInstant
    ) {
        let change: ItemChange<ListValue>
        var target = id
        switch outcome {
        case .rolledBack: return
        case .committed: change = edit.change
        case .committedValue(let new):
            change = { _ in new?.value }
            if let new { target = new.id }
            lastOrdinal = max(lastOrdinal, target.ordinal)
        }
        changeInserts(of: id, before: edit.token, change)
        if target != id { renameDropped(id, to: target) }
        guard let entry = entries[id] else {
            if removes { shiftOffsets(at: id, by: -1, since: time, begun: edit.begun) }
            return
        }
        // A page that was requested after the commit contains the edit.
        guard number == 0 || entry.editCount < number else { return }
        let wasThere = entry.base != nil || entries[target]?.base != nil
        if target != id {
            // What the source pushed is no further item.
            if !entry.holders.isEmpty, local[target]?.isCounted == true {
                shiftOffsets(at: target, by: -1, since: time, begun: entries[target]?.time ?? edit.begun)
            }
            rename(id, to: target)
        }
        entries[target]?.editCount = max(number, entry.editCount)
        if case .committedValue(let new?) = outcome {
            push(new.value, of: target, at: max(time, entry.time))
        } else {
            // The value keeps its time: a newer answer replaces it, and also contains the edit.
            entries[id]?.base = entry.base.flatMap(change)
            reapplyEdits(id)
        }
        let shift = (entries[target]?.base == nil ? 0 : 1) - (wasThere ? 1 : 0)
        if shift < 0 { leaveFollowers(of: target) }
        if shift != 0 { shiftOffsets(at: target, by: shift, since: time, begun: edit.begun) }
        if shift < 0, local[target] != nil { removeLocal(target) }
        if !has(target) { forget(target) }
    }

    // Has the rows after a removed item follow the one before it, because later its page comes without it.
    private mutating func leaveFollowers(of id: ListItemID) {
        guard let rank = entries[id]?.holders.first, let ids = seats[rank]?.ids else { return }
        let before = ids.prefix { $0 != id }.last { entries[$0]?.base != nil }
        leaveFollowers(of: id, behind: before, at: rank)
    }

    private mutating func changeInserts(of id: ListItemID, before token: UInt64, _ change: ItemChange<ListValue>) {
        guard let edits = pending[id] else { return }
        for (index, edit) in edits.enumerated() where edit.token < token {
            guard let insert = edit.insert else { continue }
            pending[id]?[index].insert = (insert.value.flatMap(change), insert.place)
        }
        reapplyEdits(id)
    }

    // Changes the identity of an item on pages, in local rows, as an anchor of rows, and in edits. If the list already
    // has an item with the new identity, the old item is removed, and the rows that followed it follow the other one.
    private mutating func rename(_ id: ListItemID, to newID: ListItemID) {
        guard let entry = entries[id] else { return }
        markDirty(id)
        markDirty(newID)
        let isThere = has(newID)
        if !entry.holders.isEmpty { removeLocal(newID, keepsEntry: true) }
        for rank in entry.holders { renameOnPage(id, to: newID, at: rank) }
        if isThere {
            entries[id]?.holders = []
            removeLocal(id, successor: newID)
            entries[id] = nil
        } else {
            entries[newID] = entry
            entries[id] = nil
            renameLocal(id, to: newID)
        }
        leave(followers.removeValue(forKey: id) ?? [], to: newID)
        if let edits = pending.removeValue(forKey: id) {
            // In the order in which they began.
            pending[newID] = (edits + (pending[newID] ?? [])).sorted { $0.token < $1.token }
            for edit in edits { tokens[edit.token] = newID }
        }
        if visible?.first == id { visible?.first = newID }
        if visible?.last == id { visible?.last = newID }
        markDirty(newID)
    }

    private mutating func renameOnPage(_ id: ListItemID, to newID: ListItemID, at rank: Int) {
        guard let seat = seats[rank] else { return }
        seats[rank]?.ids = Self.rename(id, to: newID, in: seat.ids)
        entries[newID]?.addHolder(rank)
    }

    // The page comes back with the new identity.
    private mutating func renameDropped(_ id: ListItemID, to newID: ListItemID) {
        for end in ListEnd.allCases {
            guard let index = self[dropped: end].lastIndex(where: { $0.ids?.contains(id) ?? false }) else { continue }
            self[dropped: end][index].ids = self[dropped: end][index].ids.map { Self.rename(id, to: newID, in: $0) }
        }
    }

    // A page that has the new identity already keeps that one alone.
    private static func rename(_ id: ListItemID, to newID: ListItemID, in ids: [ListItemID]) -> [ListItemID] {
        ids.contains(newID) ? ids.filter { $0 != id } : ids.map { $0 == id ? newID : $0 }
    }

    private mutating func renameLocal(_ id: ListItemID, to newID: ListItemID) {
        guard let row = local.removeValue(forKey: id) else { return }
        local[newID] = row
        switch row.place {
        case .head: headRows.replace(id, with: [newID], at: row.rank)
        case .tail: tailRows.replace(id, with: [newID], at: row.rank)
        case .after(let anchor): followers[anchor] = followers[anchor]?.map { $0 == id ? newID : $0 }
        }
    }
}
