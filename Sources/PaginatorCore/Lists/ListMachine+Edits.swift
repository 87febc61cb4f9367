// Edits of items, optimistic and committed.
extension ListMachine {
    mutating func edit(_ token: UInt64, _ id: ID, _ change: @escaping ItemChange<T>) {
        guard tokens[token] == nil else { return }
        tokens[token] = id
        pending[id, default: []].append(PendingEdit(token: token, change: change))
        refold(id)
    }

    mutating func settle(
        _ token: UInt64, _ outcome: EditOutcome<T, ID>, number: UInt64, at time: PaginatorInstant
    ) {
        guard let id = tokens.removeValue(forKey: token) else { return }
        if let index = pending[id]?.firstIndex(where: { $0.token == token }) {
            let edit = pending[id]?.remove(at: index)
            settleEdit(id, edit, outcome, number, at: time)
        } else if local[id]?.token == token {
            settleInsert(id, outcome, at: time)
        } else if case .committedValue(let id, let value) = outcome, entries[id] != nil {
            // A page brought the inserted item before the answer came.
            take(value, of: id, ListStamp(time: time, arrival: makeNumber()))
            markDirty(id)
        }
    }

    private mutating func settleEdit(
        _ id: ID, _ edit: PendingEdit?, _ outcome: EditOutcome<T, ID>, _ number: UInt64, at time: PaginatorInstant
    ) {
        if pending[id]?.isEmpty == true { pending[id] = nil }
        guard let edit else { return }
        let change: ItemChange<T>
        switch outcome {
        case .rolledBack: return refold(id)
        case .committed: change = edit.change
        case .committedValue(_, let value): change = { _ in value }
        case .committedChange(let other): change = other
        }
        if number > 0 {
            recentCommits.append(RecentCommit(number: number, id: id, change: change))
            if recentCommits.count > 128 { recentCommits.removeFirst() }
        }
        guard let entry = entries[id] else { return }
        // A page that came after the edit was committed contains it.
        guard number == 0 || entry.editMark < number else { return refold(id) }
        var base = entry.base.flatMap(change)
        if case .committedValue(_, let value) = outcome { base = value }
        entries[id]?.editMark = max(number, entry.editMark)
        let stamp = ListStamp(time: max(time, entry.stamp.time), arrival: makeNumber())
        entries[id]?.base = base
        entries[id]?.stamp = stamp
        let shift = (base == nil ? 0 : 1) - (entry.base == nil ? 0 : 1)
        if shift != 0 { shiftOffsets(at: id, by: shift) }
        refold(id)
        if base == nil, local[id] != nil { removeLocal(id) }
    }

    private mutating func settleInsert(_ id: ID, _ outcome: EditOutcome<T, ID>, at time: PaginatorInstant) {
        switch outcome {
        case .rolledBack:
            removeLocal(id)
        case .committed, .committedChange:
            local[id]?.token = nil
            refold(id)
            shiftOffsets(at: id, by: 1)
        case .committedValue(let serverID, let value):
            let stamp = ListStamp(time: time, arrival: makeNumber())
            if serverID != id {
                guard rename(id, to: serverID, value, stamp) else { return }
            } else {
                local[id]?.token = nil
                take(value, of: id, stamp)
                markDirty(id)
            }
            shiftOffsets(at: serverID, by: 1)
        }
    }

    /// Gives a local row the identity that the source chose; says whether the row is still there.
    private mutating func rename(_ id: ID, to serverID: ID, _ value: T, _ stamp: ListStamp) -> Bool {
        guard let row = local[id], entries[serverID] == nil else {
            removeLocal(id)
            take(value, of: serverID, stamp)
            markDirty(serverID)
            return false
        }
        markDirty(id)
        local[id] = nil
        entries[id] = nil
        local[serverID] = LocalRow(place: row.place, token: nil)
        func renamed(_ ids: [ID]) -> [ID] { ids.map { $0 == id ? serverID : $0 } }
        switch row.place {
        case .head: headRows = renamed(headRows)
        case .tail: tailRows = renamed(tailRows)
        case .after(let anchor): followers[anchor] = followers[anchor].map(renamed)
        }
        if let behind = followers.removeValue(forKey: id) {
            followers[serverID] = behind + (followers[serverID] ?? [])
            for follower in behind { local[follower]?.place = .after(serverID) }
        }
        take(value, of: serverID, stamp)
        markDirty(serverID)
        return true
    }

    private mutating func refold(_ id: ID) {
        fold(id)
        markDirty(id)
    }
}
