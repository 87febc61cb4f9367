/// The item that an edit changes, for finding the pages that have it.
package struct ItemTarget: Sendable {
    /// The closure that identifies items. Hashes of different closures cannot be compared.
    let identifier: any AnyObject & Sendable
    let hash: UInt32
    /// Returns the hashes of a page's items. Calls user code.
    let hashes: @Sendable (_ page: any AnyObject & Sendable) -> [UInt32]
}

/// Finds the places of pages that may have an item.
///
/// It keeps one index for each of the closures that identified items in the latest edits. It never misses a page that has
/// the item; it also returns pages whose items are not known yet, and sometimes one that no longer has the item.
///
/// Complexity: O(1) for a page that is added, changed or removed; O(places found) to find an item. Indexing a page is O(its
/// items), amortized, because the table is rebuilt when it grows.
package struct ItemIndexes: Sendable {
    private struct Kept: Sendable {
        let target: ItemTarget
        var index = ItemIndex()
        var unknown: Set<Int>
    }

    /// The maximum number of closures that have an index.
    static let limit = 4
    // In the order of last use.
    private var kept: [Kept] = []

    package init() {}

    /// Finds the places that may have the item: those indexed with it, and those whose items are not known. The first
    /// call with a closure creates its index, which replaces the least recently used one.
    ///
    /// - Parameter all: all places; called for a new index.
    /// - Returns: the places, whether the index is new, and what the caller must release, without a lock, of the one that
    ///   it replaced.
    package mutating func find(
        _ target: ItemTarget, among all: () -> Set<Int>
    ) -> (places: Set<Int>, isNew: Bool, gone: ItemTarget?) {
        guard let index = position(of: target) else {
            let gone = kept.count < Self.limit ? nil : kept.removeFirst().target
            kept.append(Kept(target: target, unknown: all()))
            return (unknown(to: target), true, gone)
        }
        let found = kept.remove(at: index)
        kept.append(found)
        return (found.index.places(of: target.hash).union(found.unknown), false, nil)
    }

    private func position(of target: ItemTarget) -> Int? {
        kept.lastIndex { $0.target.identifier === target.identifier }
    }

    /// Records that a place has a new or changed page, whose items are not known, or no page any more.
    package mutating func changed(_ place: Int, hasPage: Bool) {
        for index in kept.indices {
            kept[index].index.remove(place)
            if hasPage { kept[index].unknown.insert(place) } else { kept[index].unknown.remove(place) }
        }
    }

    /// Indexes the items of the page at a place.
    mutating func set(_ place: Int, _ hashes: [UInt32], for target: ItemTarget) {
        guard let index = position(of: target) else { return }
        kept[index].unknown.remove(place)
        // A large table that was emptied is slow to look through.
        if kept[index].unknown.isEmpty, kept[index].unknown.capacity > 64 { kept[index].unknown = [] }
        kept[index].index.set(place, hashes)
    }

    /// Indexes the page at a place if its items are not known; `nil` has none. Calls user code.
    package mutating func index(_ place: Int, _ page: (any AnyObject & Sendable)?) {
        for number in kept.indices where kept[number].unknown.remove(place) != nil {
            kept[number].index.set(place, page.map(kept[number].target.hashes) ?? [])
        }
    }

    /// Returns the places whose items are not known.
    func unknown(to target: ItemTarget) -> Set<Int> {
        position(of: target).map { kept[$0].unknown } ?? []
    }
}
