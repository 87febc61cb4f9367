/// A page that was removed from the memory cache. It is released with this value, never under a lock.
struct RemovedPage: Sendable {
    let identity: PageIdentity
    let page: LoadedPage
    let cause: EvictionCause
}

// The pages that one call removed, in order.
typealias RemovedPages = [RemovedPage]

/// The state of a ``PageCache`` that only its writers access: the evictor, the pins and the item indexes.
struct CacheUpkeep {
    var evictor: PaginatorEvictor
    /// The number of pins of a page, cached or not.
    var pins: [PageIdentity: Int] = [:]
    /// Removed pages, for the call that returns them. A read that finds one expired leaves it to the next such call.
    var removed = RemovedPages()
    var items = ItemIndexes()

    // Usually nothing is pinned, and a lookup costs a hash.
    func isPinned(_ identity: PageIdentity) -> Bool { !pins.isEmpty && pins[identity] != nil }

    func deadline(of page: PageHandle) -> PaginatorInstant { evictor.deadline(of: page) ?? .distantFuture }

    mutating func use(_ notes: [Int32]) {
        for index in notes { evictor.use(PageHandle(index: Int(index))) }
    }

    mutating func removeExpired(from table: inout PageTable, at now: PaginatorInstant) {
        while let victim = evictor.nextExpired(at: now) { take(victim.index, from: &table, because: .lifetime) }
    }

    mutating func removeVictims(from table: inout PageTable) {
        while let victim = evictor.nextVictim() { take(victim.page.index, from: &table, because: .strategy) }
    }

    mutating func remove(_ index: Int, from table: inout PageTable, because cause: EvictionCause) {
        evictor.remove(PageHandle(index: index))
        take(index, from: &table, because: cause)
    }

    /// Removes a page that the evictor has removed, or replaces.
    mutating func take(_ index: Int, from table: inout PageTable, because cause: EvictionCause) {
        items.changed(index, hasPage: false)
        guard let (identity, page) = table.remove(at: index) else { return }
        removed.append(RemovedPage(identity: identity, page: page, cause: cause))
    }
}
