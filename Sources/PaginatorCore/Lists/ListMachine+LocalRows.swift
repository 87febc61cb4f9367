// Rows that no page has: live ones, and those that edits insert.
extension ListMachine {
    mutating func insert(
        _ id: ID, _ value: T, _ place: PaginatorRowPlace<ID>, token: UInt64?, at time: PaginatorInstant
    ) {
        let stamp = ListStamp(time: time, arrival: makeNumber())
        if let token { tokens[token] = id }
        guard entries[id] == nil else {
            // The list has the item: it stays where it is and takes the newer value.
            take(value, of: id, stamp)
            return markDirty(id)
        }
        entries[id] = Entry(base: value, stamp: stamp, shown: nil, version: 0)
        local[id] = LocalRow(place: place, token: token)
        switch place {
        case .head: headRows.insert(id, at: 0)
        case .tail: tailRows.append(id)
        case .after(let anchor): followers[anchor, default: []].insert(id, at: 0)
        }
        fold(id)
        markDirty(id)
        if token == nil { shiftOffsets(at: id, by: 1) }
    }

    /// Takes a local row away, or makes it the page's when a page has come that has it.
    mutating func removeLocal(_ id: ID, keepsEntry: Bool = false) {
        guard let row = local[id] else { return }
        markDirty(id)
        local[id] = nil
        switch row.place {
        case .head: headRows.removeAll { $0 == id }
        case .tail: tailRows.removeAll { $0 == id }
        case .after(let anchor):
            followers[anchor]?.removeAll { $0 == id }
            if followers[anchor]?.isEmpty == true { followers[anchor] = nil }
        }
        if !keepsEntry, entries[id]?.holders.isEmpty == true { entries[id] = nil }
    }

    /// Takes note that the source has an item more or less at an item's place.
    mutating func shiftOffsets(at id: ID, by items: Int) {
        guard config.addressing == .offset else { return }
        switch chunk(showing: id) {
        case .slot(let rank): shift(rank, by: items)
        case .head: leadingShift += items
        case .tail, nil: break
        }
    }
}
