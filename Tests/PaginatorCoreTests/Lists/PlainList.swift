@testable import PaginatorCore

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
        /// The step at which it last came by itself, not on a page.
        var pushedAt = -1
    }

    struct Local {
        var id: Int
        var place: PaginatorRowPlace<Int>
        var token: UInt64?
        /// When it came or was committed.
        var step: Int
        var time: PaginatorInstant
    }

    struct Edit {
        var token: UInt64
        var id: Int
        var change: ItemChange<PlainItem>
        /// What an insert of an item that the list has puts in, and where it would go.
        var insert: (item: PlainItem, place: PaginatorRowPlace<Int>)?
    }

    /// What is known of a load whose page comes.
    struct Arrival {
        var startedAt: Int
        var isRefresh: Bool
        var fetchedAt: PaginatorInstant
    }

    /// The step of the event that is told.
    var step = 0
    /// How many rows of the head, and of the tail, the window has no room for.
    var hiddenAbove = 0
    var hiddenBelow = 0

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
        if isStartLoaded {
            for row in local.reversed().filter({ $0.place == .head }).dropFirst(hiddenAbove) { emit(row.id) }
        }
        for slot in slots { for id in slot.ids { emit(id) } }
        if isEndLoaded { for row in local.filter({ $0.place == .tail }).dropLast(hiddenBelow) { emit(row.id) } }
        return content
    }

    func folded(_ id: Int) -> PlainItem? {
        var item = values[id]?.base
        for edit in edits where edit.id == id { item = edit.insert?.item ?? item.flatMap(edit.change) }
        return item
    }

    func isHeld(_ id: Int) -> Bool { slots.contains { $0.ids.contains(id) } }

    mutating func forgetUnheld() {
        values = values.filter { id, _ in isHeld(id) || local.contains { $0.id == id } }
    }

    mutating func take(_ item: PlainItem, as id: Int, at time: PaginatorInstant) {
        arrivals += 1
        if let old = values[id], old.stamp > (time, arrivals) { return }
        values[id] = Value(base: item, stamp: (time, arrivals), pushedAt: values[id]?.pushedAt ?? -1)
    }

    /// Takes what came by itself.
    mutating func push(_ item: PlainItem, as id: Int, at time: PaginatorInstant) {
        take(item, as: id, at: time)
        if let value = values[id], value.stamp == (time, arrivals) { values[id]?.pushedAt = step }
    }

    func isNewer(_ row: Local, than load: Arrival) -> Bool {
        row.step > load.startedAt || row.time > load.fetchedAt
    }

    /// Takes a local row away; those that follow it take its place, or follow another item.
    mutating func removeLocal(_ index: Int, heir: Int? = nil) {
        let row = local.remove(at: index)
        // In the order of their coming, for a place at the tail in the order shown.
        let orphans = local.filter { $0.place == .after(row.id) }
        guard !orphans.isEmpty, heir != row.id else { return }
        if let heir { follow(heir, with: row.id, except: heir) }
        let left = local.filter { $0.place == .after(row.id) }.map { orphan in
            var orphan = orphan
            orphan.place = row.place
            return orphan
        }
        let before = local.prefix(index).filter { $0.place != .after(row.id) }.count
        local.removeAll { $0.place == .after(row.id) }
        local.insert(contentsOf: row.place == .tail ? left.reversed() : left, at: before)
    }

    /// Rows that follow one item follow another one from now on, before those that do already.
    private mutating func follow(_ heir: Int, with id: Int, except: Int? = nil) {
        var moved = local.filter { $0.place == .after(id) && $0.id != except }
        for index in moved.indices { moved[index].place = .after(heir) }
        local.removeAll { row in moved.contains { $0.id == row.id } }
        local += moved
    }

    /// A page comes, to `index` as a new slot or in place of the one there.
    mutating func arrive(
        _ identity: PageIdentity, _ page: ListPage<PlainItem, Int>, at index: Int, replaces: Bool, _ load: Arrival
    ) {
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
        for item in kept {
            // What came by itself after the load began is newer than its page.
            if let value = values[item.id], value.pushedAt > load.startedAt { continue }
            take(item, as: item.id, at: page.fetchedAt)
        }
    }

    /// A page takes the place of all.
    mutating func arriveAlone(_ identity: PageIdentity, _ page: ListPage<PlainItem, Int>, _ load: Arrival) {
        let newer = values.filter { $0.value.pushedAt > load.startedAt }
        let old = Set(local.filter { load.isRefresh && $0.token == nil && !isNewer($0, than: load) }.map(\.id))
        clearSlots { old.contains($0.id) }
        arrive(identity, page, at: 0, replaces: false, load)
        for (id, value) in newer where isHeld(id) { values[id] = value }
    }

    /// Takes away the rows beside a page that came anew which are older than it.
    mutating func forgetRows(at place: PaginatorRowPlace<Int>, _ load: Arrival) {
        let old = local.filter { $0.place == place && $0.token == nil && !isNewer($0, than: load) }
        for row in old {
            if let index = local.firstIndex(where: { $0.id == row.id }) { removeLocal(index) }
        }
        forgetUnheld()
    }

    mutating func removeSlot(_ identity: PageIdentity) {
        slots.removeAll { $0.identity == identity }
        forgetUnheld()
    }

    mutating func clearSlots(andRows goes: (Local) -> Bool) {
        slots = []
        let gone = local.filter(goes)
        for row in gone {
            if let index = local.firstIndex(where: { $0.id == row.id }) { removeLocal(index) }
        }
        forgetUnheld()
    }

    mutating func insert(_ item: PlainItem, _ place: PaginatorRowPlace<Int>, token: UInt64?, at time: PaginatorInstant)
    {
        if let token { inserts[token] = item.id }
        if values[item.id] == nil {
            local.append(Local(id: item.id, place: place, token: token, step: step, time: time))
        } else if let token {
            return edits.append(Edit(token: token, id: item.id, change: { _ in item }, insert: (item, place)))
        } else if let index = local.firstIndex(where: { $0.id == item.id && $0.token != nil }) {
            settleRow(index, at: time)
        }
        push(item, as: item.id, at: time)
    }

    /// The source has the row from now on.
    mutating func settleRow(_ index: Int, at time: PaginatorInstant) {
        local[index].token = nil
        local[index].step = step
        local[index].time = time
    }

    mutating func edit(_ token: UInt64, _ id: Int, _ change: @escaping ItemChange<PlainItem>) {
        edits.append(Edit(token: token, id: id, change: change))
    }

    mutating func settle(_ token: UInt64, _ outcome: EditOutcome<PlainItem, Int>, at time: PaginatorInstant) {
        if let index = edits.firstIndex(where: { $0.token == token }) {
            settleEdit(edits.remove(at: index), outcome, at: time)
        } else if let id = inserts.removeValue(forKey: token) {
            settleInsert(id, token, outcome, at: time)
        }
        forgetUnheld()
    }

    private mutating func settleEdit(_ edit: Edit, _ outcome: EditOutcome<PlainItem, Int>, at time: PaginatorInstant) {
        inserts[edit.token] = nil
        if case .rolledBack = outcome { return }
        if let insert = edit.insert, case .committedValue(let newID, let item) = outcome, newID != edit.id {
            return self.insert(item, insert.place, token: nil, at: time)
        }
        guard let old = values[edit.id] else { return }
        arrivals += 1
        var value = old
        value.stamp = (max(time, old.stamp.0), arrivals)
        switch outcome {
        case .rolledBack, .committedChange: return
        case .committed: value.base = edit.insert?.item ?? old.base.flatMap(edit.change)
        case .committedValue(let newID, let item):
            value.base = item
            if newID != edit.id {
                rename(edit.id, to: newID)
                value.pushedAt = values[newID]?.pushedAt ?? value.pushedAt
                values[newID] = value
                return
            }
        }
        if edit.insert != nil { value.pushedAt = step }
        values[edit.id] = value
        if value.base == nil, let index = local.firstIndex(where: { $0.id == edit.id }) { removeLocal(index) }
    }

    private mutating func settleInsert(
        _ id: Int, _ token: UInt64, _ outcome: EditOutcome<PlainItem, Int>, at time: PaginatorInstant
    ) {
        guard let index = local.firstIndex(where: { $0.id == id && $0.token == token }) else {
            if case .committedValue(let serverID, let item) = outcome, values[serverID] != nil {
                push(item, as: serverID, at: time)
            }
            return
        }
        switch outcome {
        case .rolledBack:
            removeLocal(index)
        case .committed, .committedChange:
            settleRow(index, at: time)
        case .committedValue(let serverID, let item):
            settleRow(index, at: time)
            if serverID != id { rename(id, to: serverID) }
            push(item, as: serverID, at: time)
        }
    }

    /// An item is another one from now on; where that one is there already, it goes.
    private mutating func rename(_ id: Int, to newID: Int) {
        let isThere = values[newID] != nil
        for index in slots.indices where slots[index].ids.contains(id) {
            if slots[index].ids.contains(newID) {
                slots[index].ids.removeAll { $0 == id }
            } else {
                slots[index].ids = slots[index].ids.map { $0 == id ? newID : $0 }
                local.removeAll { $0.id == newID }
            }
        }
        if let index = local.firstIndex(where: { $0.id == id }) {
            if isThere { removeLocal(index, heir: newID) } else { local[index].id = newID }
        }
        follow(newID, with: id)
        for index in edits.indices where edits[index].id == id { edits[index].id = newID }
        for (token, other) in inserts where other == id { inserts[token] = newID }
        if !isThere { values[newID] = values[id] }
        values[id] = nil
    }
}
