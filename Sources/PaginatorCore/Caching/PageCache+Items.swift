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
    // Puts edited pages in the places of those that they were made from, and returns those of which another page is there by
    // now. They count for as much as before.
    func edit(_ pages: [EditedPage]) -> [PageIdentity] {
        if pages.isEmpty { return [] }
        return change {
            pages.compactMap { page in
                guard let index = index(of: page.identity, ifObject: page.object) else { return page.identity }
                // The caller has the old one, so it is not released under the lock.
                table.edit(at: index, page.edited, editCount: page.editCount, edits: editCount.value)
                // Its items may be others now.
                if page.edited != nil { items.changed(index) }
                return nil
            }
        }
    }

    /// Pages among which are all that have an item, and whether the last edits were by another closure.
    func pages(thatMayHave target: ItemTarget) -> (pages: [PageIdentity], isNew: Bool) {
        let (begun, pages) = writer.withLock {
            let begun = items.begin(target) { Set(table.indices(in: .all)) }
            let unknown = items.unknown(to: target)
            // In the order of their places, so that events have one order.
            let places = unknown.isEmpty ? items.places(of: target) : items.places(of: target).union(unknown)
            return (begun, places.sorted().map { table.identity(at: $0) })
        }
        // It has of the user's.
        withExtendedLifetime(begun.gone) {}
        return (pages, begun.isNew)
    }

    /// Finds out what pages have, for the next edit by the same closure. Complexity: O(items of pages that came, or
    /// changed, since the last time).
    func learnItems(for target: ItemTarget) {
        while true {
            // A few at a time, since their items are counted under the lock.
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
