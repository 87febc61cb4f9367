/// What edits make of a page in memory.
struct EditedPage {
    let identity: PageIdentity
    let object: any AnyObject & Sendable
    // `nil` for the same one.
    let edited: (any AnyObject & Sendable)?
    let editCount: UInt64
}

// Pages by their items, for edits.
extension PageCache {
    // Replaces pages by their edited ones, and returns the identities whose page was replaced by another one meanwhile. The
    // costs of the pages do not change.
    func edit(_ pages: [EditedPage]) -> [PageIdentity] {
        if pages.isEmpty { return [] }
        return change {
            pages.compactMap { page in
                guard let index = index(of: page.identity, ifObject: page.object) else { return page.identity }
                // The caller has the old one, so it is not released under the lock.
                table.edit(at: index, page.edited, editCount: page.editCount, edits: editCount.value)
                // The edit may have changed its items.
                if page.edited != nil { items.changed(index) }
                return nil
            }
        }
    }

    /// Returns pages that include all with an item, and whether the item's closure had no index yet.
    func pages(thatMayHave target: ItemTarget) -> (pages: [PageIdentity], isNew: Bool) {
        let (begun, pages) = writer.withLock {
            let begun = items.begin(target) { Set(table.indices(in: .all)) }
            let unknown = items.unknown(to: target)
            // Sorted, so that events have one order.
            let places = unknown.isEmpty ? items.places(of: target) : items.places(of: target).union(unknown)
            return (begun, places.sorted().map { table.identity(at: $0) })
        }
        // It holds objects of the user, so it is released outside the lock.
        withExtendedLifetime(begun.gone) {}
        return (pages, begun.isNew)
    }

    /// Indexes the pages whose items are not known, for the next edit through the same closure. Complexity: O(items of
    /// pages that were added or changed since the last call).
    func learnItems(for target: ItemTarget) {
        while true {
            // A few at a time, because their items are indexed under the lock.
            let few = writer.withLock {
                items.unknown(to: target).prefix(16).compactMap { place in table[place].map { (place, $0.object) } }
            }
            if few.isEmpty { return }
            let hashes = few.map { target.hashes($0.1) }
            writer.withLock {
                for ((place, object), hashes) in zip(few, hashes) where table[place]?.object === object {
                    items.set(place, hashes, for: target)
                }
            }
        }
    }
}
