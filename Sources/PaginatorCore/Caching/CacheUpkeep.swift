/// The state of a ``PageCache`` that only its writers access: the evictor, the pins and the item indexes.
struct CacheUpkeep {
    var evictor: PaginatorEvictor
    /// The number of pins of a page, cached or not.
    var pins: [PageIdentity: Int] = [:]
    /// Pages that a read found expired; the next call that returns removed pages includes them.
    var expired = RemovedPages()
    var items = ItemIndexes()

    // Usually nothing is pinned, and a lookup costs a hash.
    func isPinned(_ identity: PageIdentity) -> Bool { !pins.isEmpty && pins[identity] != nil }

    func deadline(of page: PageHandle) -> PaginatorInstant { evictor.deadline(of: page) ?? .distantFuture }

    mutating func use(_ notes: [Int32]) {
        for index in notes { evictor.use(PageHandle(index: Int(index))) }
    }

    mutating func removeExpired(
        from table: inout PageTable, at now: PaginatorInstant, into removed: inout RemovedPages
    ) {
        while let victim = evictor.nextExpired(at: now) {
            take(victim.index, from: &table, because: .lifetime, into: &removed)
        }
    }

    mutating func removeVictims(from table: inout PageTable, into removed: inout RemovedPages) {
        while let victim = evictor.nextVictim() {
            take(victim.index, from: &table, because: .strategy, into: &removed)
        }
    }

    mutating func remove(
        _ index: Int, from table: inout PageTable, because cause: EvictionCause, into removed: inout RemovedPages
    ) {
        evictor.remove(PageHandle(index: index))
        take(index, from: &table, because: cause, into: &removed)
    }

    /// Removes a page that the evictor has removed.
    mutating func take(
        _ index: Int, from table: inout PageTable, because cause: EvictionCause, into removed: inout RemovedPages
    ) {
        items.changed(index, hasPage: false)
        guard let (identity, page) = table.remove(at: index) else { return }
        removed.append(RemovedPage(identity: identity, page: page, cause: cause))
    }
}
