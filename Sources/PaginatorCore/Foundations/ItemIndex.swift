/// The item that an edit changes, for finding the pages that have it.
package struct ItemTarget: Sendable {
    /// The closure that identifies items. Hashes of different closures cannot be compared.
    let identifier: any AnyObject & Sendable
    let hash: UInt32
    /// Returns the hashes of a page's items. It calls the user's code.
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

    /// How many closures have an index at once.
    static let limit = 4
    // In the order of their last use.
    private var kept: [Kept] = []

    package init() {}

    /// Begins an index of the target's closure unless there is one. It replaces the least recently used one. `places`
    /// returns all places.
    ///
    /// - Returns: whether the index is new, and what the caller must release, without a lock, of the one it replaced.
    package mutating func begin(
        _ target: ItemTarget, places: () -> Set<Int>
    ) -> (isNew: Bool, gone: ItemTarget?) {
        if let index = position(of: target) {
            kept.append(kept.remove(at: index))
            return (false, nil)
        }
        defer { kept.append(Kept(target: target, unknown: places())) }
        return (true, kept.count < Self.limit ? nil : kept.removeFirst().target)
    }

    private func position(of target: ItemTarget) -> Int? {
        kept.lastIndex { $0.target.identifier === target.identifier }
    }

    /// Notes that a place has a new or changed page, whose items are not known.
    package mutating func changed(_ place: Int) {
        for index in kept.indices {
            kept[index].index.remove(place)
            kept[index].unknown.insert(place)
        }
    }

    package mutating func removed(_ place: Int) {
        for index in kept.indices {
            kept[index].index.remove(place)
            kept[index].unknown.remove(place)
        }
    }

    /// Indexes the items of the page at a place.
    mutating func set(_ place: Int, _ hashes: [UInt32], for target: ItemTarget) {
        guard let index = position(of: target) else { return }
        kept[index].unknown.remove(place)
        kept[index].index.set(place, hashes)
    }

    /// Indexes the page at a place if its items are not known; `nil` has none. It calls the user's code.
    package mutating func learn(_ place: Int, _ page: (any AnyObject & Sendable)?) {
        for index in kept.indices where kept[index].unknown.remove(place) != nil {
            kept[index].index.set(place, page.map(kept[index].target.hashes) ?? [])
        }
    }

    /// The places whose items are not known.
    package func unknown(to target: ItemTarget) -> Set<Int> {
        position(of: target).map { kept[$0].unknown } ?? []
    }

    /// The places that were indexed with the item.
    package func places(of target: ItemTarget) -> Set<Int> {
        position(of: target).map { kept[$0].index.places(of: target.hash) } ?? []
    }
}

/// Places of pages by the hashes of their items.
///
/// Linked lists in one array, because there may be millions of items, each on many pages. The entries of a removed page
/// stay until the table is rebuilt.
struct ItemIndex: Sendable {
    private struct Entry: Sendable {
        let hash: UInt32
        var visit: UInt32
        var next: UInt32
    }

    private static let none = UInt32.max

    private var entries: ContiguousArray<Entry> = []
    private var firsts: ContiguousArray<UInt32> = []
    // Each indexing of a place has a number of its own.
    private var visits: ContiguousArray<(place: Int, items: Int)?> = []
    private var latest: [Int: UInt32] = [:]
    private(set) var items = 0

    mutating func remove(_ place: Int) {
        guard let visit = latest.removeValue(forKey: place), let known = visits[Int(visit)] else { return }
        items -= known.items
        visits[Int(visit)] = nil
    }

    mutating func set(_ place: Int, _ hashes: [UInt32]) {
        remove(place)
        makeRoom(for: hashes.count)
        let visit = UInt32(visits.count)
        visits.append((place, hashes.count))
        latest[place] = visit
        items += hashes.count
        for hash in hashes { add(hash, visit) }
    }

    func places(of hash: UInt32) -> Set<Int> {
        guard !firsts.isEmpty else { return [] }
        var places: Set<Int> = []
        var next = firsts[bucket(of: hash)]
        while next != Self.none {
            let entry = entries[Int(next)]
            if entry.hash == hash, let known = visits[Int(entry.visit)] { places.insert(known.place) }
            next = entry.next
        }
        return places
    }

    private func bucket(of hash: UInt32) -> Int { Int(hash) & (firsts.count - 1) }

    private mutating func add(_ hash: UInt32, _ visit: UInt32) {
        let bucket = bucket(of: hash)
        entries.append(Entry(hash: hash, visit: visit, next: firsts[bucket]))
        firsts[bucket] = UInt32(entries.count - 1)
    }

    private mutating func makeRoom(for more: Int) {
        guard entries.count + more > firsts.count || visits.count >= 64 + 2 * latest.count else { return }
        var size = max(64, firsts.count)
        while size < 2 * (items + more) { size *= 2 }
        var numbers = [UInt32](repeating: Self.none, count: visits.count)
        var present: ContiguousArray<(place: Int, items: Int)?> = []
        for (number, known) in visits.enumerated() {
            guard let known else { continue }
            numbers[number] = UInt32(present.count)
            latest[known.place] = UInt32(present.count)
            present.append(known)
        }
        visits = present
        let old = entries
        entries = []
        entries.reserveCapacity(size)
        firsts = ContiguousArray(repeating: Self.none, count: size)
        for entry in old where numbers[Int(entry.visit)] != Self.none { add(entry.hash, numbers[Int(entry.visit)]) }
    }
}
