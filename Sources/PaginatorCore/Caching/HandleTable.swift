/// An open-addressing hash table from hashes to small integers; who owns it compares what they stand for.
///
/// Linear probing, at most half full, with backward shift on removal (Knuth, TAOCP 6.4, Algorithm R), so probes stay
/// short however often pages come and go. It does not own what it indexes and knows no keys. Memory is freed by
/// ``deallocate()``; the owner's lock guards every call.
package struct HandleTable {
    /// The upper half is the hash, the lower one the index plus one; zero is free.
    private var slots: UnsafeMutablePointer<UInt64>
    private var mask: Int
    /// The number of entries.
    package private(set) var count = 0

    /// Makes an empty table.
    package init() {
        mask = 15
        slots = .allocate(capacity: 16)
        slots.initialize(repeating: 0, count: 16)
    }

    /// Gives the memory back; the table must not be used any more.
    package func deallocate() {
        slots.deallocate()
    }

    /// The part of a hash that the table uses.
    @inline(__always)
    package static func shortened(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash ^ (hash >> 32)) }

    /// Returns the slot of the entry with this hash that satisfies `matches`; `nil` when there is none.
    @inline(__always)
    package func slot(of hash: UInt32, where matches: (Int) -> Bool) -> Int? {
        var slot = Int(hash) & mask
        while true {
            let word = slots[slot]
            if word == 0 { return nil }
            if UInt32(truncatingIfNeeded: word >> 32) == hash, matches(Self.index(of: word)) { return slot }
            slot = (slot + 1) & mask
        }
    }

    /// The index that the entry in `slot` stands for.
    @inline(__always)
    package func index(at slot: Int) -> Int { Self.index(of: slots[slot]) }

    /// The indices of all entries. Complexity: O(capacity).
    package var indices: [Int] {
        UnsafeBufferPointer(start: slots, count: mask + 1).filter { $0 != 0 }.map(Self.index(of:))
    }

    /// How many slots a search for the entry in `slot` looks at.
    package func probeLength(at slot: Int) -> Int {
        ((slot - Int(truncatingIfNeeded: slots[slot] >> 32)) & mask) + 1
    }

    /// Adds an entry.
    package mutating func insert(_ index: Int, hash: UInt32) {
        if (count + 1) * 2 > mask + 1 { grow() }
        place(Self.word(index, hash))
        count += 1
    }

    /// Lets the entry in `slot` stand for another index with the same hash.
    package func replace(at slot: Int, with index: Int) {
        slots[slot] = slots[slot] & ~0xffff_ffff | UInt64(index + 1)
    }

    /// Removes the entry in `slot`.
    package mutating func remove(at slot: Int) {
        var hole = slot
        var next = (hole + 1) & mask
        while slots[next] != 0 {
            let home = Int(truncatingIfNeeded: slots[next] >> 32) & mask
            if (next - home) & mask >= (next - hole) & mask {
                slots[hole] = slots[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        slots[hole] = 0
        count -= 1
    }

    @inline(__always)
    private static func word(_ index: Int, _ hash: UInt32) -> UInt64 { UInt64(hash) << 32 | UInt64(index + 1) }

    @inline(__always)
    private static func index(of word: UInt64) -> Int { Int(word & 0xffff_ffff) - 1 }

    private func place(_ word: UInt64) {
        var slot = Int(truncatingIfNeeded: word >> 32) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = word
    }

    private mutating func grow() {
        let old = UnsafeMutableBufferPointer(start: slots, count: mask + 1)
        mask = mask * 2 + 1
        slots = .allocate(capacity: mask + 1)
        slots.initialize(repeating: 0, count: mask + 1)
        for word in old where word != 0 { place(word) }
        old.deallocate()
    }
}
