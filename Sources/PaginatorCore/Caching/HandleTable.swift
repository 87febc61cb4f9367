/// An open-addressing hash table from hashes to small integers; who owns it compares what they stand for.
///
/// Linear probing, at most half full, with backward shift on removal (Knuth, TAOCP 6.4, Algorithm R), so probes stay
/// short however often pages come and go. It does not own what it indexes and knows no keys. Memory is freed by
/// ``deallocate()``; the owner's lock guards every call. Beside each entry lies a `Payload`, which a search has at hand
/// without a look at what the entry stands for; zeros in memory must be one of its values.
package struct HandleTable<Payload: BitwiseCopyable> {
    private struct Slot {
        /// The upper half is the hash, the lower one the index plus one; zero is free.
        var word: UInt64
        var payload: Payload
    }

    private var slots: UnsafeMutablePointer<Slot>
    private var mask: Int
    /// The number of entries.
    package private(set) var count = 0

    /// Makes an empty table.
    package init() {
        mask = 15
        slots = Self.allocate(16)
    }

    /// Gives the memory back; the table must not be used any more.
    package func deallocate() {
        slots.deallocate()
    }

    /// Returns the slot of the entry with this hash that satisfies `matches`; `nil` when there is none.
    @inline(__always)
    package func slot(of hash: UInt32, where matches: (Int) -> Bool) -> Int? {
        var slot = Int(hash) & mask
        while true {
            let word = slots[slot].word
            if word == 0 { return nil }
            if UInt32(truncatingIfNeeded: word >> 32) == hash, matches(Self.index(of: word)) { return slot }
            slot = (slot + 1) & mask
        }
    }

    /// The index that the entry in `slot` stands for.
    @inline(__always)
    package func index(at slot: Int) -> Int { Self.index(of: slots[slot].word) }

    /// What lies beside the entry in `slot`.
    @inline(__always)
    package func payload(at slot: Int) -> Payload { slots[slot].payload }

    /// The indices of all entries. Complexity: O(capacity).
    package var indices: [Int] {
        (0...mask).compactMap { slots[$0].word == 0 ? nil : index(at: $0) }
    }

    /// How many slots a search for the entry in `slot` looks at.
    package func probeLength(at slot: Int) -> Int {
        ((slot - Int(truncatingIfNeeded: slots[slot].word >> 32)) & mask) + 1
    }

    /// Adds an entry.
    package mutating func insert(_ index: Int, hash: UInt32, _ payload: Payload) {
        if (count + 1) * 2 > mask + 1 { grow() }
        place(Slot(word: UInt64(hash) << 32 | UInt64(index + 1), payload: payload))
        count += 1
    }

    /// Lets the entry in `slot` stand for another index with the same hash.
    package func replace(at slot: Int, with index: Int) {
        slots[slot].word = slots[slot].word & ~0xffff_ffff | UInt64(index + 1)
    }

    /// Puts something else beside the entry in `slot`.
    package func replace(at slot: Int, with payload: Payload) {
        slots[slot].payload = payload
    }

    /// Removes the entry in `slot`.
    package mutating func remove(at slot: Int) {
        var hole = slot
        var next = (hole + 1) & mask
        while slots[next].word != 0 {
            let home = Int(truncatingIfNeeded: slots[next].word >> 32) & mask
            if (next - home) & mask >= (next - hole) & mask {
                slots[hole] = slots[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        slots[hole].word = 0
        count -= 1
    }

    @inline(__always)
    private static func index(of word: UInt64) -> Int { Int(word & 0xffff_ffff) - 1 }

    private func place(_ entry: Slot) {
        var slot = Int(truncatingIfNeeded: entry.word >> 32) & mask
        while slots[slot].word != 0 { slot = (slot + 1) & mask }
        slots[slot] = entry
    }

    private mutating func grow() {
        let old = UnsafeMutableBufferPointer(start: slots, count: mask + 1)
        mask = mask * 2 + 1
        slots = Self.allocate(mask + 1)
        for entry in old where entry.word != 0 { place(entry) }
        old.deallocate()
    }

    /// Memory of zeros, which are free slots.
    private static func allocate(_ count: Int) -> UnsafeMutablePointer<Slot> {
        LargeMemory.allocate(Slot.self, count: count, isZeroed: true)
    }
}

extension HandleTable<Void> {
    /// Adds an entry.
    package mutating func insert(_ index: Int, hash: UInt32) { insert(index, hash: hash, ()) }
}
