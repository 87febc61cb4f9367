import PaginatorCore

/// An item of the simulated lists.
struct PlainItem: Sendable, Hashable {
    var id: Int
    var value: Int
}

/// What a list must show, told as plainly as possible: a fold over arrays, with nothing remembered between two looks.
struct PlainList {
    struct Slot {
        var identity: PageIdentity
        var ids: [Int]
        var fetchedAt: PaginatorInstant
    }

    struct Value {
        var base: PlainItem?
        var stamp: (PaginatorInstant, Int)
    }

    struct Local {
        var id: Int
        var place: PaginatorRowPlace<Int>
        var token: UInt64?
    }

    struct Edit {
        var token: UInt64
        var id: Int
        var change: ItemChange<PlainItem>
    }

    /// The loaded pages, in order.
    var slots: [Slot] = []
    var values: [Int: Value] = [:]
    /// In the order of their coming.
    var local: [Local] = []
    var edits: [Edit] = []
    var inserts: [UInt64: Int] = [:]
    var isStartLoaded = false
    var isEndLoaded = false
    var arrivals = 0

    /// Content = ids in order; the first position wins, removed ones are skipped, local rows are spliced in, pending
    /// edits are folded over the newest value.
    var content: [PlainItem] {
        var shown: Set<Int> = []
        var content: [PlainItem] = []
        func emit(_ id: Int) {
            guard shown.insert(id).inserted else { return }
            if let item = folded(id) { content.append(item) }
            for row in local.reversed() where row.place == .after(id) { emit(row.id) }
        }
        if isStartLoaded { for row in local.reversed() where row.place == .head { emit(row.id) } }
        for slot in slots { for id in slot.ids { emit(id) } }
        if isEndLoaded { for row in local where row.place == .tail { emit(row.id) } }
        return content
    }

    func folded(_ id: Int) -> PlainItem? {
        var item = values[id]?.base
        for edit in edits where edit.id == id { item = item.flatMap(edit.change) }
        return item
    }

    func isHeld(_ id: Int) -> Bool { slots.contains { $0.ids.contains(id) } }

    mutating func forgetUnheld() {
        values = values.filter { id, _ in isHeld(id) || local.contains { $0.id == id } }
    }

    mutating func take(_ item: PlainItem, as id: Int, at time: PaginatorInstant) {
        arrivals += 1
        if let old = values[id], old.stamp > (time, arrivals) { return }
        values[id] = Value(base: item, stamp: (time, arrivals))
    }

    /// A page comes, to `index` as a new slot or in place of the one there.
    mutating func arrive(_ identity: PageIdentity, _ page: ListPage<PlainItem, Int>, at index: Int, replaces: Bool) {
        var ids: [Int] = []
        var kept: [PlainItem] = []
        for item in page.items where !ids.contains(item.id) {
            ids.append(item.id)
            kept.append(item.value)
        }
        let slot = Slot(identity: identity, ids: ids, fetchedAt: page.fetchedAt)
        if replaces {
            slots[index] = slot
            // What the page no longer has is forgotten before its new items are taken.
            forgetUnheld()
        } else {
            slots.insert(slot, at: index)
        }
        local.removeAll { ids.contains($0.id) }
        for item in kept { take(item, as: item.id, at: page.fetchedAt) }
    }

    mutating func removeSlot(_ identity: PageIdentity) {
        slots.removeAll { $0.identity == identity }
        forgetUnheld()
    }

    mutating func clearSlots(andSettledRows: Bool) {
        slots = []
        if andSettledRows { local.removeAll { $0.token == nil } }
        forgetUnheld()
    }

    mutating func insert(_ item: PlainItem, _ place: PaginatorRowPlace<Int>, token: UInt64?, at time: PaginatorInstant)
    {
        if let token { inserts[token] = item.id }
        if values[item.id] == nil { local.append(Local(id: item.id, place: place, token: token)) }
        take(item, as: item.id, at: time)
    }

    mutating func edit(_ token: UInt64, _ id: Int, _ change: @escaping ItemChange<PlainItem>) {
        edits.append(Edit(token: token, id: id, change: change))
    }

    mutating func settle(_ token: UInt64, _ outcome: EditOutcome<PlainItem, Int>, at time: PaginatorInstant) {
        if let index = edits.firstIndex(where: { $0.token == token }) {
            let edit = edits.remove(at: index)
            guard let old = values[edit.id] else { return }
            arrivals += 1
            let time = max(time, old.stamp.0)
            switch outcome {
            case .rolledBack: return
            case .committedChange: return
            case .committed: values[edit.id] = Value(base: old.base.flatMap(edit.change), stamp: (time, arrivals))
            case .committedValue(_, let item): values[edit.id] = Value(base: item, stamp: (time, arrivals))
            }
            if values[edit.id]?.base == nil { local.removeAll { $0.id == edit.id } }
            forgetUnheld()
        } else if let id = inserts.removeValue(forKey: token) {
            settleInsert(id, token, outcome, at: time)
        }
    }

    private mutating func settleInsert(
        _ id: Int, _ token: UInt64, _ outcome: EditOutcome<PlainItem, Int>, at time: PaginatorInstant
    ) {
        let index = local.firstIndex { $0.id == id && $0.token == token }
        switch outcome {
        case .rolledBack:
            if let index { local.remove(at: index) }
        case .committed, .committedChange:
            if let index { local[index].token = nil }
        case .committedValue(let serverID, let item):
            guard let index else {
                if values[serverID] != nil { take(item, as: serverID, at: time) }
                return
            }
            if serverID != id, values[serverID] != nil {
                local.remove(at: index)
            } else {
                local[index] = Local(id: serverID, place: local[index].place, token: nil)
                for other in local.indices where local[other].place == .after(id) && serverID != id {
                    local[other].place = .after(serverID)
                }
            }
            take(item, as: serverID, at: time)
        }
        forgetUnheld()
    }
}
