/// A page in memory with its edited version.
struct EditedPage {
    let identity: PageIdentity
    let object: any AnyObject & Sendable
    // `nil` if the edits change nothing.
    let edited: (any AnyObject & Sendable)?
    let editCount: UInt64
}

// An index of pages by their items, for edits.
extension PageCache {
    // Replaces pages by their edited versions, and returns the identities whose page was replaced by another one
    // meanwhile. The page costs do not change.
    func edit(_ pages: [EditedPage]) -> [PageIdentity] {
        if pages.isEmpty { return [] }
        return change { table, upkeep in
            var missed: [PageIdentity] = []
            for page in pages {
                guard let index = table.index(of: page.identity, ifObject: page.object) else {
                    missed.append(page.identity)
                    continue
                }
                // The caller holds the old page, so it is not released under the lock.
                table.edit(at: index, page.edited, editCount: page.editCount, edits: editCount.value)
                // The edit may have changed its items.
                if page.edited != nil { upkeep.items.changed(index, hasPage: true) }
            }
            return missed
        }
    }

    /// Returns all pages that may have an item, and whether the item's closure had no index yet.
    func pages(thatMayHave target: ItemTarget) -> (pages: [PageIdentity], isNew: Bool) {
        let (found, pages) = withWriter { table, upkeep in
            let found = upkeep.items.find(target) { Set(table.indices(in: .all)) }
            var pages: [PageIdentity] = []
            // Sorted, so that events have one order.
            for place in found.places.sorted() { pages.append(table.identity(at: place)) }
            return (found, pages)
        }
        // It holds objects of the user, so it is released outside the lock.
        withExtendedLifetime(found.gone) {}
        return (pages, found.isNew)
    }

    /// Indexes the pages whose items are not known, for the next edit through the same closure. Complexity: O(items of
    /// pages that were added or changed since the last call).
    func indexItems(for target: ItemTarget) {
        while true {
            // In small batches, because their items are indexed under the lock.
            let few = withWriter { table, upkeep in pagesToIndex(for: target, table, upkeep) }
            if few.isEmpty { return }
            let hashes = few.map { target.hashes($0.1) }
            withWriter { table, upkeep in
                for ((place, object), hashes) in zip(few, hashes)
                where table[place]?.object === object && !table.lacksEdits(at: place) {
                    upkeep.items.set(place, hashes, for: target)
                }
            }
        }
    }

    // Returns some pages whose items are not known. A page that lacks edits may get other items by them, so it stays
    // unknown, and each edit searches it. The lock is held.
    private func pagesToIndex(
        for target: ItemTarget, _ table: borrowing PageTable, _ upkeep: CacheUpkeep
    ) -> [(place: Int, object: any AnyObject & Sendable)] {
        var pages: [(place: Int, object: any AnyObject & Sendable)] = []
        for place in upkeep.items.unknown(to: target) where !table.lacksEdits(at: place) {
            if let page = table[place] { pages.append((place, page.object)) }
            if pages.count == 16 { break }
        }
        return pages
    }
}
