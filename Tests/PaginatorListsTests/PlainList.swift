@testable import PaginatorCore
@testable import PaginatorLists

/// An item of the simulated lists.
struct PlainItem: Sendable, Hashable {
    var id: Int
    var value: Int
}

/// What a list must show, told as plainly as possible: a fold over arrays, with nothing remembered between two looks.
///
/// Of two values of an item the newer one counts: a page's is as old as the time at which the source was asked for it, and
/// what the source tells by itself is of the time at which it comes. What only the device has is no value, but an edit that
/// puts one in. A row that no page has goes when its place is loaded anew later, and the row is not there. At an end of
/// the list any page tells that was asked for later, or rows would be shown beyond newer ones.
struct PlainList {
    struct Seat {
        var identity: PageIdentity
        var ids: [Int]
        var requestedAt: PaginatorInstant
        /// Since when it is sure to be new, where it was loaded anew or follows what was.
        var refreshedAt: PaginatorInstant?
        /// Whether it names a page after it.
        var hasNext = true
        /// Whether the next one follows without a gap.
        var isLinkedToNext = false
    }

    struct Value {
        /// `nil` when it was deleted, or while only the device has it.
        var item: PlainItem?
        var time: PaginatorInstant
    }

    /// A row that no page has, in the order of their coming.
    struct Row {
        var id: Int
        var place: PaginatorRowPlace<Int>
    }

    struct Edit {
        var token: UInt64
        var id: Int
        var change: ItemChange<PlainItem> = { $0 }
        /// What an insert puts in, and where.
        var insert: (item: PlainItem?, place: PaginatorRowPlace<Int>)?
    }

    /// The loaded pages, in order.
    var seats: [Seat] = []
    var values: [Int: Value] = [:]
    var rows: [Row] = []
    /// What is pending, in the order of its beginning.
    var edits: [Edit] = []
    /// Whether the key of a page says how many items are before it.
    var isOffset = false
    var isStartLoaded = false
    var isEndLoaded = false
    /// The items of pages that the window has dropped and that follow each other: the list has them.
    var dropped: Set<Int> = []
    /// Whether the items of some of them are unknown.
    var isDroppedUnknown = false
    /// How many rows of the head, and of the tail, the window has no room for.
    var hiddenAbove = 0
    var hiddenBelow = 0

    /// Content = ids in order; the first position wins, removed ones are skipped, rows of no page are spliced in, pending
    /// edits are folded over the newest value.
    var content: [PlainItem] {
        var shown: Set<Int> = []
        var content: [PlainItem] = []
        func emit(_ id: Int) {
            guard shown.insert(id).inserted else { return }
            if let item = folded(id) { content.append(item) }
            for row in rows.reversed() where row.place == .after(id) { emit(row.id) }
        }
        if isStartLoaded {
            for row in rows.reversed().filter({ $0.place == .head }).dropFirst(hiddenAbove) { emit(row.id) }
        }
        for seat in seats { for id in seat.ids { emit(id) } }
        if isEndLoaded { for row in rows.filter({ $0.place == .tail }).dropLast(hiddenBelow) { emit(row.id) } }
        return content
    }

    private func folded(_ id: Int) -> PlainItem? {
        var item = values[id]?.item
        for edit in edits where edit.id == id { item = edit.insert.map { $0.item } ?? item.flatMap(edit.change) }
        return item
    }

    func isInsert(_ token: UInt64) -> Bool { edits.contains { $0.token == token && $0.insert != nil } }

    private func has(_ id: Int) -> Bool { seats.contains { $0.ids.contains(id) } || isRow(id) }

    private func isRow(_ id: Int) -> Bool { rows.contains { $0.id == id } }

    /// Whether only the device has a row so far.
    private func isUnconfirmed(_ id: Int) -> Bool { isRow(id) && values[id]?.item == nil }

    /// What was deleted, and no page and no row has any more, is unknown.
    mutating func forgetUnheld() {
        values = values.filter { id, value in has(id) || value.item != nil }
    }

    // MARK: - Pages

    /// A page comes, to `index` as a new seat or in place of the one there.
    mutating func arrive(
        _ identity: PageIdentity, _ page: ListPage, at index: Int, replaces: Bool,
        refreshedAt: PaginatorInstant?, isStart: Bool
    ) {
        var kept: [PlainItem] = []
        for item in page.items.map({ ItemBox<PlainItem>.content(of: $0.value) })
        where !kept.contains(where: { $0.id == item.id }) {
            kept.append(item)
        }
        let seat = Seat(
            identity: identity, ids: kept.map(\.id), requestedAt: page.fetchedAt, refreshedAt: refreshedAt,
            hasNext: page.next != nil)
        if replaces {
            let old = seats[index].ids
            seats[index] = seat
            // What the page no longer has is forgotten before its new items are taken.
            forgetUnheld()
            leaveRemoved(old, at: index, isStart: isStart)
        } else {
            seats.insert(seat, at: index)
        }
        rows.removeAll { seat.ids.contains($0.id) }
        for item in kept where values[item.id].map({ $0.time <= page.fetchedAt }) ?? true {
            values[item.id] = Value(item: item, time: page.fetchedAt)
        }
    }

    /// A page takes the place of all.
    mutating func arriveAlone(
        _ identity: PageIdentity, _ page: ListPage, refreshedAt: PaginatorInstant?, isStart: Bool
    ) {
        let old = seats.first { $0.identity == identity }?.ids ?? []
        seats = []
        forgetUnheld()
        arrive(identity, page, at: 0, replaces: false, refreshedAt: refreshedAt, isStart: isStart)
        leaveRemoved(old, at: 0, isStart: isStart)
    }

    /// Rows behind items that a page has no longer stay, if what came behind the items is still there, or nothing
    /// follows the page.
    private mutating func leaveRemoved(_ old: [Int], at index: Int, isStart: Bool) {
        let seat = seats[index]
        let end = seat.hasNext ? old.lastIndex(where: seat.ids.contains) ?? 0 : old.count
        // With offsets an older page before it may lack an item that has moved up to its place.
        let time = isOffset ? seat.requestedAt : nil
        var before: Int?
        for id in old[..<end] {
            if seat.ids.contains(id) {
                before = id
            } else if !has(id) {
                leaveFollowers(of: id, behind: before, at: index, isStart: isStart, since: time)
            }
        }
    }

    mutating func removeSeat(_ identity: PageIdentity) {
        seats.removeAll { $0.identity == identity }
        forgetUnheld()
    }

    /// Everything goes but what waits for its answer.
    mutating func reset() {
        seats = []
        for row in rows where !isUnconfirmed(row.id) { removeRow(row.id) }
        values = values.filter { isRow($0.key) }
    }

    // MARK: - Rows of no page

    /// Takes away the rows whose place was loaded anew since they came. What follows one of them is in its place then.
    mutating func forgetRows() {
        while let row = rows.first(where: { isOld($0) }) { removeRow(row.id) }
        forgetUnheld()
    }

    private func isOld(_ row: Row) -> Bool {
        guard let value = values[row.id], value.item != nil else { return false }
        func isNew(_ seat: Seat?) -> Bool { seat?.refreshedAt.map { $0 >= value.time } ?? false }
        func wasAskedLater(_ seat: Seat?) -> Bool { seat.map { $0.requestedAt >= value.time } ?? false }
        switch row.place {
        case .head: return isStartLoaded && wasAskedLater(seats.first)
        case .tail:
            var pages = seats
            // An empty page past the end tells nothing of rows that stand before it.
            while let last = pages.popLast() {
                let isPastEnd = last.ids.isEmpty && !last.hasNext && pages.last?.hasNext == false
                if !isPastEnd { return isEndLoaded && wasAskedLater(last) }
            }
            return false
        case .after(let anchor):
            // It takes the item and what follows it.
            for (index, seat) in seats.enumerated() where isNew(seat) {
                guard let position = seat.ids.firstIndex(of: anchor) else { continue }
                if position + 1 < seat.ids.count { return true }
                if index + 1 == seats.count ? isEndLoaded : seat.isLinkedToNext && isNew(seats[index + 1]) {
                    return true
                }
            }
            return false
        }
    }

    /// Takes a row away; those that follow it take its place, or follow another item.
    private mutating func removeRow(_ id: Int, successor: Int? = nil) {
        guard let index = rows.firstIndex(where: { $0.id == id }) else { return }
        let row = rows.remove(at: index)
        guard rows.contains(where: { $0.place == .after(id) }), successor != id else { return }
        if let successor { follow(successor, with: id, except: successor) }
        let left = rows.filter { $0.place == .after(id) }.map { Row(id: $0.id, place: row.place) }
        let before = rows.prefix(index).filter { $0.place != .after(id) }.count
        rows.removeAll { $0.place == .after(id) }
        // In the order of their coming, for a place at the tail in the order shown.
        rows.insert(contentsOf: row.place == .tail ? left.reversed() : left, at: before)
    }

    /// Rows behind an item that is gone from its page stay there: behind the item before it, also on pages before it
    /// that join and are no older than `time`, or at the head.
    private mutating func leaveFollowers(
        of id: Int, behind before: Int?, at index: Int, isStart: Bool, since time: PaginatorInstant? = nil
    ) {
        var (before, first) = (before, index)
        while before == nil, first > 0, seats[first - 1].isLinkedToNext, seats[first - 1].requestedAt >= time ?? .zero {
            first -= 1
            before = seats[first].ids.last { values[$0]?.item != nil }
        }
        guard before != nil || isStart && first == 0 else { return }
        let place: PaginatorRowPlace<Int> = before.map { .after($0) } ?? .head
        let moved = rows.filter { $0.place == .after(id) }
        rows.removeAll { $0.place == .after(id) }
        // Shown below those that are there already.
        rows.insert(contentsOf: moved.map { Row(id: $0.id, place: place) }, at: 0)
    }

    /// Rows that follow one item follow another one from now on, before those that do already.
    private mutating func follow(_ successor: Int, with id: Int, except: Int? = nil) {
        let moved = rows.filter { $0.place == .after(id) && $0.id != except }
        rows.removeAll { row in moved.contains { $0.id == row.id } }
        rows += moved.map { Row(id: $0.id, place: .after(successor)) }
    }

    // MARK: - Edits

    /// The source has an item, which it tells by itself.
    mutating func insert(
        _ item: PlainItem, as id: Int, _ place: PaginatorRowPlace<Int>, at time: PaginatorInstant
    ) {
        leavePages(id)
        if !has(id), !dropped.contains(id) { rows.append(Row(id: id, place: place)) }
        if let value = values[id], value.time > time { return }
        values[id] = Value(item: item, time: time)
    }

    /// What an edit has removed is inserted again: its pages do not have it.
    private mutating func leavePages(_ id: Int) {
        guard !isRow(id), values[id]?.item == nil else { return }
        for index in seats.indices { seats[index].ids.removeAll { $0 == id } }
        values[id] = nil
    }

    mutating func beginInsert(_ item: PlainItem, _ place: PaginatorRowPlace<Int>, _ token: UInt64) {
        leavePages(item.id)
        if !has(item.id) {
            rows.append(Row(id: item.id, place: place))
            values[item.id] = Value(time: .zero)
        }
        edits.append(Edit(token: token, id: item.id, insert: (item, place)))
    }

    mutating func edit(_ token: UInt64, _ id: Int, _ change: @escaping ItemChange<PlainItem>) {
        edits.append(Edit(token: token, id: id, change: change))
    }

    mutating func settle(
        _ token: UInt64, _ outcome: EditOutcome<(id: Int, value: PlainItem)>, at time: PaginatorInstant
    ) {
        guard let index = edits.firstIndex(where: { $0.token == token }) else { return }
        let edit = edits.remove(at: index)
        if let insert = edit.insert {
            settleInsert(edit.id, insert, outcome, at: time)
        } else {
            settleChange(edit, outcome, before: index, at: time)
        }
        forgetUnheld()
    }

    private mutating func settleInsert(
        _ id: Int, _ insert: (item: PlainItem?, place: PaginatorRowPlace<Int>),
        _ outcome: EditOutcome<(id: Int, value: PlainItem)>, at time: PaginatorInstant
    ) {
        var (newID, item) = (id, insert.item)
        if case .rolledBack = outcome { item = nil }
        if case .committedValue(let theirs?) = outcome { (newID, item) = (theirs.id, theirs.value) }
        guard let item else {
            if isUnconfirmed(id), !edits.contains(where: { $0.id == id && $0.insert != nil }) { removeRow(id) }
            return
        }
        if newID != id, isUnconfirmed(id) { rename(id, to: newID) }
        if newID == id, !has(id), isDroppedUnknown { return }
        self.insert(item, as: newID, insert.place, at: time)
    }

    private mutating func settleChange(
        _ edit: Edit, _ outcome: EditOutcome<(id: Int, value: PlainItem)>, before index: Int, at time: PaginatorInstant
    ) {
        var change = edit.change
        switch outcome {
        case .rolledBack: return
        case .committed: break
        case .committedValue(let new): change = { _ in new?.value }
        }
        // What was put in before it is changed for good.
        for earlier in edits.indices.prefix(index) where edits[earlier].id == edit.id {
            if let insert = edits[earlier].insert {
                edits[earlier].insert = (insert.item.flatMap(change), insert.place)
            }
        }
        guard let old = values[edit.id] else { return }
        if case .committedValue((let id, let item)?) = outcome {
            if id != edit.id { rename(edit.id, to: id) }
            values[id] = Value(item: item, time: max(time, old.time))
        } else if let item = old.item {
            values[edit.id]?.item = change(item)
            guard values[edit.id]?.item == nil else { return }
            removeRow(edit.id)
            guard let index = seats.firstIndex(where: { $0.ids.contains(edit.id) }) else { return }
            let before = seats[index].ids.prefix { $0 != edit.id }.last { values[$0]?.item != nil }
            leaveFollowers(of: edit.id, behind: before, at: index, isStart: isStartLoaded)
        }
    }

    /// An item is another one from now on; where that one is there already, it goes.
    private mutating func rename(_ id: Int, to newID: Int) {
        let isThere = has(newID)
        for index in seats.indices where seats[index].ids.contains(id) {
            if seats[index].ids.contains(newID) {
                seats[index].ids.removeAll { $0 == id }
            } else {
                seats[index].ids = seats[index].ids.map { $0 == id ? newID : $0 }
                rows.removeAll { $0.id == newID }
            }
        }
        if let index = rows.firstIndex(where: { $0.id == id }) {
            if isThere { removeRow(id, successor: newID) } else { rows[index].id = newID }
        }
        follow(newID, with: id)
        for index in edits.indices where edits[index].id == id { edits[index].id = newID }
        edits.sort { $0.token < $1.token }
        if !isThere { values[newID] = values[id] }
        values[id] = nil
    }
}
