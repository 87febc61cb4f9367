// Edits of items, optimistic and committed.
extension ListMachine {
    mutating func edit(_ token: UInt64, _ id: ID, _ change: @escaping ItemChange<T>) {
        guard tokens[token] == nil else { return }
        tokens[token] = id
        var edit = PendingEdit(token: token, change: change)
        if let value = entries[id]?.base { edit.removes = change(value) == nil }
        pending[id, default: []].append(edit)
        refold(id)
    }

    mutating func settle(
        _ token: UInt64, _ outcome: EditOutcome<T, ID>, number: UInt64, removes: Bool, at time: PaginatorInstant
    ) {
        guard let id = tokens.removeValue(forKey: token) else { return }
        if let index = pending[id]?.firstIndex(where: { $0.token == token }), let edit = pending[id]?.remove(at: index)
        {
            if pending[id]?.isEmpty == true { pending[id] = nil }
            settleEdit(id, edit, outcome, number, removes: removes || edit.removes, at: time)
        } else if local[id]?.token == token {
            settleInsert(id, outcome, at: time)
        } else if case .committedValue(let id, let value) = outcome, entries[id] != nil {
            // A page brought the inserted item before the answer came, or the source pushed it.
            push(value, of: id, ListStamp(time: time, arrival: makeNumber()))
            markDirty(id)
        }
    }

    private mutating func settleEdit(
        _ id: ID, _ edit: PendingEdit, _ outcome: EditOutcome<T, ID>, _ number: UInt64, removes: Bool,
        at time: PaginatorInstant
    ) {
        let change: ItemChange<T>
        var renamed: (id: ID, value: T)?
        switch outcome {
        case .rolledBack: return refold(id)
        case .committed: change = edit.change
        case .committedValue(let newID, let value):
            change = { _ in value }
            if newID != id { renamed = (newID, value) }
        case .committedChange(let other): change = other
        }
        if let insert = edit.insert, let renamed {
            // It lay over an item that the list has, and is another one.
            refold(id)
            return self.insert(renamed.id, renamed.value, insert.place, token: nil, at: time)
        }
        if number > 0 {
            recentCommits.append(RecentCommit(number: number, id: id, change: change, renamed: renamed))
            if recentCommits.count > 128 { recentCommits.removeFirst() }
        }
        guard let entry = entries[id] else {
            if removes { shiftOffsetsOfDropped(id) }
            return
        }
        // A page that came after the edit was committed contains it.
        guard number == 0 || entry.editMark < number else { return refold(id) }
        let stamp = ListStamp(time: max(time, entry.stamp.time), arrival: makeNumber())
        entries[id]?.editMark = max(number, entry.editMark)
        if let renamed {
            rename(id, to: renamed.id)
            entries[renamed.id]?.editMark = max(number, entry.editMark)
            return setBase(renamed.value, of: renamed.id, stamp)
        }
        var base = edit.insert == nil ? entry.base.flatMap(change) : edit.apply(to: entry.base)
        if case .committedValue(_, let value) = outcome { base = value }
        setBase(base, of: id, stamp)
        if edit.insert != nil { notePush(of: id, stamp) }
        let shift = (base == nil ? 0 : 1) - (entry.base == nil ? 0 : 1)
        if shift != 0 { shiftOffsets(at: id, by: shift) }
        if base == nil, local[id] != nil { removeLocal(id) }
    }

    private mutating func setBase(_ base: T?, of id: ID, _ stamp: ListStamp) {
        entries[id]?.base = base
        entries[id]?.stamp = stamp
        refold(id)
    }

    private mutating func settleInsert(_ id: ID, _ outcome: EditOutcome<T, ID>, at time: PaginatorInstant) {
        switch outcome {
        case .rolledBack:
            removeLocal(id)
        case .committed, .committedChange:
            settleRow(id, at: time)
            refold(id)
            shiftOffsets(at: id, by: 1)
        case .committedValue(let serverID, let value):
            settleRow(id, at: time)
            let isNew = serverID == id || entries[serverID] == nil
            if serverID != id { rename(id, to: serverID) }
            push(value, of: serverID, ListStamp(time: time, arrival: makeNumber()))
            markDirty(serverID)
            if isNew { shiftOffsets(at: serverID, by: 1) }
        }
    }

    /// Gives an item another identity, wherever it is: on pages, as a local row, as what rows follow and edits lie over.
    /// Where the list has an item of that identity, the old one goes and leaves it what followed it.
    private mutating func rename(_ id: ID, to newID: ID) {
        guard let entry = entries[id] else { return }
        markDirty(id)
        markDirty(newID)
        let isThere = entries[newID] != nil
        if !entry.holders.isEmpty { removeLocal(newID, keepsEntry: true) }
        for rank in entry.holders.ranks {
            dirty.insert(rank)
            renameOnPage(id, to: newID, at: rank)
        }
        if isThere {
            entries[id]?.holders = ListHolders()
            removeLocal(id, heir: newID)
            entries[id] = nil
        } else {
            entries[newID] = entry
            entries[id] = nil
            renameLocal(id, to: newID)
        }
        leave(followers.removeValue(forKey: id) ?? [], to: newID)
        if let edits = pending.removeValue(forKey: id) {
            // In the order of their beginning.
            pending[newID] = (edits + (pending[newID] ?? [])).sorted { $0.token < $1.token }
            for edit in edits { tokens[edit.token] = newID }
        }
        if visible?.first == id { visible?.first = newID }
        if visible?.last == id { visible?.last = newID }
        markDirty(newID)
    }

    private mutating func renameOnPage(_ id: ID, to newID: ID, at rank: Int) {
        guard var slot = slots[rank] else { return }
        steps += slot.ids.count
        if slot.ids.contains(newID) {
            slot.ids.removeAll { $0 == id }
        } else {
            slot.ids = slot.ids.map { $0 == id ? newID : $0 }
            entries[newID]?.holders.insert(rank)
        }
        slots[rank] = slot
    }

    private mutating func renameLocal(_ id: ID, to newID: ID) {
        guard let row = local.removeValue(forKey: id) else { return }
        local[newID] = row
        if let token = row.token { tokens[token] = newID }
        switch row.place {
        case .head: headRows.replace(id, with: [newID], at: row.rank)
        case .tail: tailRows.replace(id, with: [newID], at: row.rank)
        case .after(let anchor): followers[anchor] = followers[anchor]?.map { $0 == id ? newID : $0 }
        }
    }

    mutating func refold(_ id: ID) {
        fold(id)
        markDirty(id)
    }
}
