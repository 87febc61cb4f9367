/// Deadlines by key, the earliest first; equal deadlines in the order in which they were set.
///
/// An indexed binary heap (Williams, "Algorithm 232: Heapsort", 1964): a table leads from each key to its place in the
/// heap, so a deadline can be moved or taken away without a search. A value: the owner keeps the time and the timer.
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

    /// Makes an empty queue.
    init() {}

    /// The number of keys with a deadline. Complexity: O(1).
    var count: Int { heap.count }

    /// Whether no key has a deadline. Complexity: O(1).
    var isEmpty: Bool { heap.isEmpty }

    /// The keys with a deadline, in no order. Complexity: O(`count`).
    var keys: [Key] { heap.map(\.key) }

    /// The earliest deadline, `nil` when there is none. Complexity: O(1).
    var next: PaginatorInstant? { heap.first?.deadline }

    /// The key with the earliest deadline, `nil` when there is none. Complexity: O(1).
    var nextKey: Key? { heap.first?.key }

    /// Returns the key's deadline, `nil` when it has none. Complexity: O(1).
    func deadline(of key: Key) -> PaginatorInstant? { places[key].map { heap[$0].deadline } }

    /// Sets the key's deadline, in place of an earlier one; it then comes after those already set to the same instant.
    ///
    /// Complexity: O(log `count`).
    mutating func set(_ key: Key, at deadline: PaginatorInstant) {
        orders &+= 1
        let entry = Entry(deadline: deadline, order: orders, key: key)
        if let place = places[key] {
            heap[place] = entry
            siftDown(siftUp(place))
        } else {
            heap.append(entry)
            places[key] = heap.count - 1
            siftUp(heap.count - 1)
        }
    }

    /// Takes the key's deadline away and returns it; `nil`, and no change, when it has none.
    ///
    /// Complexity: O(log `count`).
    @discardableResult
    mutating func remove(_ key: Key) -> PaginatorInstant? {
        guard let place = places.removeValue(forKey: key) else { return nil }
        let deadline = heap[place].deadline
        let last = heap.removeLast()
        if place < heap.count {
            put(last, at: place)
            siftDown(siftUp(place))
        }
        return deadline
    }

    /// Takes the earliest key out when its deadline is `now` or before; `nil` when nothing is due.
    ///
    /// Complexity: O(log `count`).
    mutating func popDue(at now: PaginatorInstant) -> Key? {
        guard let first = heap.first, first.deadline <= now else { return nil }
        remove(first.key)
        return first.key
    }

    /// Takes every deadline away. Complexity: O(`count`).
    mutating func removeAll() {
        heap.removeAll()
        places.removeAll()
    }

    private mutating func put(_ entry: Entry, at place: Int) {
        heap[place] = entry
        places[entry.key] = place
    }

    @discardableResult
    private mutating func siftUp(_ start: Int) -> Int {
        let entry = heap[start]
        var place = start
        while place > 0, entry.precedes(heap[(place - 1) / 2]) {
            put(heap[(place - 1) / 2], at: place)
            place = (place - 1) / 2
        }
        if place != start { put(entry, at: place) }
        return place
    }

    private mutating func siftDown(_ start: Int) {
        let entry = heap[start]
        var place = start
        while true {
            var child = 2 * place + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
            guard heap[child].precedes(entry) else { break }
            put(heap[child], at: place)
            place = child
        }
        if place != start { put(entry, at: place) }
    }

    /// Says what does not hold that must always hold; for tests. Complexity: O(`count`).
    func invariantViolations() -> [String] {
        heap.indices.compactMap { place in
            let key = heap[place].key
            if places[key] != place { return "the deadline of \(key) is not where it is looked for" }
            return place > 0 && heap[place].precedes(heap[(place - 1) / 2]) ? "\(key) is due after a later one" : nil
        } + (places.count == heap.count ? [] : ["a key is left of a deadline that is not there"])
    }
}
