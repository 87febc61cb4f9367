/// An open-addressing hash table from hashes to small integers; who owns it compares what they stand for.
///
/// A dictionary would hash and keep every key a second time, which doubles what a look-up in the page cache costs. Linear
/// probing, at most half full, with backward shift on removal (Knuth, TAOCP 6.4, Algorithm R), so searches stay short
/// however often entries come and go.
struct HashIndex: Sendable {
    /// The upper half is the hash, the lower one the number plus one; zero is free.
    private var slots = ContiguousArray<UInt64>(repeating: 0, count: 16)
    private(set) var count = 0

    private var mask: Int { slots.count - 1 }

    @inline(__always)
    func number(of hash: UInt64, where matches: (Int) -> Bool) -> Int? {
        let short = Self.short(hash)
        var slot = Int(truncatingIfNeeded: short) & mask
        while slots[slot] != 0 {
            let number = Self.number(in: slots[slot])
            if Self.hash(in: slots[slot]) == short, matches(number) { return number }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Adds a number, from 0 and below 2^32 - 1, that is not here yet.
    mutating func insert(_ number: Int, hash: UInt64) {
        // Half stays free: every search ends at a free slot, and soon.
        if (count + 1) * 2 > slots.count { grow() }
        place(UInt64(Self.short(hash)) << 32 | UInt64(number + 1))
        count += 1
    }

    mutating func remove(_ number: Int, hash: UInt64) {
        let word = UInt64(Self.short(hash)) << 32 | UInt64(number + 1)
        var hole = home(of: word)
        while slots[hole] != word {
            guard slots[hole] != 0 else { return }
            hole = (hole + 1) & mask
        }
        var next = (hole + 1) & mask
        while slots[next] != 0 {
            // What may lie in the hole, because it is not before its home, is moved there and leaves a hole behind.
            if (next - home(of: slots[next])) & mask >= (next - hole) & mask {
                slots[hole] = slots[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        slots[hole] = 0
        count -= 1
    }

    private static func short(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash ^ (hash >> 32)) }

    private static func hash(in word: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: word >> 32) }

    private static func number(in word: UInt64) -> Int { Int(word & 0xffff_ffff) - 1 }

    private func home(of word: UInt64) -> Int { Int(truncatingIfNeeded: Self.hash(in: word)) & mask }

    private mutating func place(_ word: UInt64) {
        var slot = home(of: word)
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = word
    }

    private mutating func grow() {
        let old = slots
        slots = ContiguousArray(repeating: 0, count: old.count * 2)
        for word in old where word != 0 { place(word) }
    }
}
