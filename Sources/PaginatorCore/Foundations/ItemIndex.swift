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
    // Each indexing of a place gets a new number.
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
        grow(for: hashes.count)
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

    private func bucket(of hash: UInt32) -> Int { Int(truncatingIfNeeded: hash) & (firsts.count - 1) }

    private mutating func add(_ hash: UInt32, _ visit: UInt32) {
        let bucket = bucket(of: hash)
        entries.append(Entry(hash: hash, visit: visit, next: firsts[bucket]))
        firsts[bucket] = UInt32(entries.count - 1)
    }

    private mutating func grow(for more: Int) {
        guard entries.count + more > firsts.count || visits.count >= 64 + 2 * latest.count else { return }
        var size = 64
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
