/// Rows by number, which can be changed where they lie.
///
/// A machine changes large rows in many small steps. A dictionary moves such a row out and in again for each change
/// through `?.`, with an allocation for the way, and hashes each number with a seed. These numbers are the library's own
/// and mostly counted up, so a multiplication spreads them (Knuth, TAOCP 6.4), and linear probing in a table that is at
/// most half full finds them, with backward shift on removal (Algorithm R). A value, like a dictionary.
struct RowTable<Row: Sendable>: Sendable {
    /// In no order: where a row leaves, the last one takes its place.
    private var rows: ContiguousArray<Row> = []
    /// The number of each row.
    private var numbers: ContiguousArray<UInt64> = []
    /// The place of a row plus one, by hash; zero for none.
    private var slots = ContiguousArray<UInt32>(repeating: 0, count: 16)
    /// How far a product is shifted to be a slot.
    private var shift: UInt64 = 60

    /// From so many slots on, an empty table gives its memory back.
    private static var smallSize: Int { 1_024 }

    /// Makes an empty table. Complexity: O(1).
    init() {}

    /// The number of rows. Complexity: O(1).
    var count: Int { rows.count }

    /// Whether there is no row. Complexity: O(1).
    var isEmpty: Bool { rows.isEmpty }

    /// The number of slots. Complexity: O(1).
    var capacity: Int { slots.count }

    /// How many slots a search for a row looks at; `nil` when there is no such row.
    func probeLength(of number: UInt64) -> Int? {
        slot(of: number).map { (($0 - home(of: number)) & (slots.count - 1)) + 1 }
    }

    /// The numbers of all rows, in no order.
    var keys: ContiguousArray<UInt64> { numbers }

    /// All rows, in no order.
    var values: ContiguousArray<Row> { rows }

    /// The row of a number, `nil` when there is none; setting `nil` takes it away. Complexity: O(1) amortized.
    subscript(number: UInt64) -> Row? {
        @inline(__always) get { slot(of: number).map { rows[place(at: $0)] } }
        set {
            if let newValue {
                set(number, newValue)
            } else {
                removeValue(forKey: number)
            }
        }
    }

    /// Changes a row where it lies, and returns what `body` does; `nil` when there is no such row. Complexity: O(1).
    @discardableResult
    @inline(__always)
    mutating func change<R>(_ number: UInt64, _ body: (inout Row) -> R) -> R? {
        guard let slot = slot(of: number) else { return nil }
        return body(&rows[place(at: slot)])
    }

    /// Takes a row away and returns it; `nil` when there is none. Complexity: O(1).
    @discardableResult
    mutating func removeValue(forKey number: UInt64) -> Row? {
        guard let slot = slot(of: number) else { return nil }
        let place = place(at: slot)
        unlink(slot)
        let last = rows.count - 1
        if place < last, let moved = self.slot(of: numbers[last]) {
            slots[moved] = UInt32(place + 1)
            rows.swapAt(place, last)
            numbers[place] = numbers[last]
        }
        numbers.removeLast()
        let row = rows.removeLast()
        if rows.isEmpty, slots.count > Self.smallSize { self = RowTable() }
        return row
    }

    private mutating func set(_ number: UInt64, _ row: Row) {
        if let slot = slot(of: number) {
            rows[place(at: slot)] = row
            return
        }
        rows.append(row)
        numbers.append(number)
        if rows.count * 2 > slots.count {
            slots = ContiguousArray(repeating: 0, count: slots.count * 2)
            shift -= 1
            for place in rows.indices { link(place) }
        } else {
            link(rows.count - 1)
        }
    }

    @inline(__always)
    private func home(of number: UInt64) -> Int { Int(truncatingIfNeeded: (number &* 0x9e37_79b9_7f4a_7c15) &>> shift) }

    @inline(__always)
    private func place(at slot: Int) -> Int { Int(slots[slot]) - 1 }

    @inline(__always)
    private func slot(of number: UInt64) -> Int? {
        var slot = home(of: number)
        while slots[slot] != 0 {
            if numbers[place(at: slot)] == number { return slot }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private mutating func link(_ place: Int) {
        var slot = home(of: numbers[place])
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = UInt32(place + 1)
    }

    private mutating func unlink(_ slot: Int) {
        let mask = slots.count - 1
        var hole = slot
        var next = (hole + 1) & mask
        while slots[next] != 0 {
            let home = home(of: numbers[place(at: next)])
            if (next - home) & mask >= (next - hole) & mask {
                slots[hole] = slots[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        slots[hole] = 0
    }
}

extension RowTable: Sequence {
    /// Goes through all rows with their numbers, in no order.
    func makeIterator() -> some IteratorProtocol<(key: UInt64, value: Row)> {
        zip(numbers, rows).lazy.map { (key: $0, value: $1) }.makeIterator()
    }
}
