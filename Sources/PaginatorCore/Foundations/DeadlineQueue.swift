/// Deadlines by key, the earliest first; equal deadlines in the order in which they were set.
///
/// An indexed binary heap (Williams, "Algorithm 232: Heapsort", 1964): a table leads from each key to its number, and the
/// number to its place in the heap, so a deadline can be moved or taken away without a search, and no key is hashed while
/// others move in the heap. A value: the owner keeps the time and the timer.
package struct DeadlineQueue<Key: Hashable & Sendable>: Sendable {
    private struct Entry: Sendable {
        var deadline: PaginatorInstant
        var order: UInt64
        let number: Int
        let key: Key

        @inline(__always)
        func precedes(_ other: Entry) -> Bool {
            deadline == other.deadline ? order < other.order : deadline < other.deadline
        }
    }

    private var heap: [Entry] = []
    private var numbers: [Key: Int] = [:]
    /// The place of each number's entry; of a number that is free, nothing that counts.
    private var places: [Int] = []
    private var freeNumbers: [Int] = []
    private var orders: UInt64 = 0

    /// Makes an empty queue.
    package init() {}

    /// The number of keys with a deadline. Complexity: O(1).
    package var count: Int { heap.count }

    /// Whether no key has a deadline. Complexity: O(1).
    package var isEmpty: Bool { heap.isEmpty }

    /// The earliest deadline, `nil` when there is none. Complexity: O(1).
    package var next: PaginatorInstant? { heap.first?.deadline }

    /// The key with the earliest deadline, `nil` when there is none. Complexity: O(1).
    package var nextKey: Key? { heap.first?.key }

    /// Returns the key's deadline, `nil` when it has none. Complexity: O(1).
    package func deadline(of key: Key) -> PaginatorInstant? {
        numbers[key].map { heap[places[$0]].deadline }
    }

    /// Sets the key's deadline, in place of an earlier one; it then comes after those already set to the same instant.
    ///
    /// Complexity: O(log `count`).
    package mutating func set(_ key: Key, at deadline: PaginatorInstant) {
        orders &+= 1
        if let number = numbers[key] {
            let place = places[number]
            heap[place].deadline = deadline
            heap[place].order = orders
            siftDown(siftUp(place))
        } else {
            let number = freeNumbers.popLast() ?? places.count
            if number == places.count { places.append(heap.count) } else { places[number] = heap.count }
            numbers[key] = number
            heap.append(Entry(deadline: deadline, order: orders, number: number, key: key))
            siftUp(heap.count - 1)
        }
    }

    /// Takes the key's deadline away and returns it; `nil`, and no change, when it has none.
    ///
    /// Complexity: O(log `count`).
    @discardableResult
    package mutating func remove(_ key: Key) -> PaginatorInstant? {
        guard let number = numbers.removeValue(forKey: key) else { return nil }
        let place = places[number]
        freeNumbers.append(number)
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
    package mutating func popDue(at now: PaginatorInstant) -> Key? {
        guard let first = heap.first, first.deadline <= now else { return nil }
        remove(first.key)
        return first.key
    }

    /// Takes every deadline away. Complexity: O(`count`).
    package mutating func removeAll() {
        heap.removeAll()
        numbers.removeAll()
        places.removeAll()
        freeNumbers.removeAll()
    }

    @inline(__always)
    private mutating func put(_ entry: Entry, at place: Int) {
        heap[place] = entry
        places[entry.number] = place
    }

    @discardableResult
    private mutating func siftUp(_ start: Int) -> Int {
        let entry = heap[start]
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            guard entry.precedes(heap[parent]) else { break }
            put(heap[parent], at: place)
            place = parent
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
}
