/// Deadlines by key, the earliest first; equal deadlines in the order in which they were set.
///
/// An indexed binary heap (Williams, "Algorithm 232: Heapsort", 1964): a table maps each key to its index in the heap,
/// so a deadline is moved or removed without a search. The owner has the clock and the timer.
struct DeadlineQueue<Key: Hashable & Sendable>: Sendable {
    private struct Entry: Sendable {
        var deadline: PaginatorInstant
        var order: UInt64
        let key: Key

        func precedes(_ other: Entry) -> Bool {
            deadline == other.deadline ? order < other.order : deadline < other.deadline
        }
    }

    private var heap: [Entry] = []
    private var places: [Key: Int] = [:]
    private var orders: UInt64 = 0

    var count: Int { heap.count }
    var isEmpty: Bool { heap.isEmpty }
    var keys: [Key] { heap.map(\.key) }
    var first: Key? { heap.first?.key }
    var next: PaginatorInstant? { heap.first?.deadline }

    func deadline(of key: Key) -> PaginatorInstant? { places[key].map { heap[$0].deadline } }

    mutating func set(_ key: Key, at deadline: PaginatorInstant) {
        // A new order also for an existing key: it goes behind those that are already set to the same instant.
        orders &+= 1
        let entry = Entry(deadline: deadline, order: orders, key: key)
        let place = places[key] ?? heap.count
        if place == heap.count { heap.append(entry) }
        sift(entry, from: place)
    }

    mutating func remove(_ key: Key) {
        guard let place = places.removeValue(forKey: key) else { return }
        // The last entry fills the hole. It may have to move up or down, since it can come from another branch.
        let last = heap.removeLast()
        if place < heap.count { sift(last, from: place) }
        // Frees the memory of a burst.
        if heap.isEmpty, heap.capacity > 1_024 { (heap, places) = ([], [:]) }
    }

    mutating func popDue(at now: PaginatorInstant) -> Key? {
        guard let first = heap.first, first.deadline <= now else { return nil }
        remove(first.key)
        return first.key
    }

    /// Puts an entry at an index, and moves it up or down to its position; entries on the way move toward the index.
    private mutating func sift(_ entry: Entry, from start: Int) {
        var place = start
        while place > 0, entry.precedes(heap[(place - 1) / 2]) {
            put(heap[(place - 1) / 2], at: place)
            place = (place - 1) / 2
        }
        while let child = earlierChild(of: place), heap[child].precedes(entry) {
            put(heap[child], at: place)
            place = child
        }
        put(entry, at: place)
    }

    private mutating func put(_ entry: Entry, at place: Int) {
        heap[place] = entry
        places[entry.key] = place
    }

    private func earlierChild(of place: Int) -> Int? {
        let (left, right) = (2 * place + 1, 2 * place + 2)
        guard right < heap.count else { return left < heap.count ? left : nil }
        return heap[right].precedes(heap[left]) ? right : left
    }

    func invariantViolations() -> [String] {
        heap.indices.compactMap { place in
            let key = heap[place].key
            if places[key] != place { return "the deadline of \(key) is not where it is looked for" }
            return place > 0 && heap[place].precedes(heap[(place - 1) / 2]) ? "\(key) is due after a later one" : nil
        } + (places.count == heap.count ? [] : ["a key is left of a deadline that is not there"])
    }
}
