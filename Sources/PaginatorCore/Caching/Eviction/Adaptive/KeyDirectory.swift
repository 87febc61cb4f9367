/// Leads from the hash of a page's key to the page's number, also for pages that are not in the cache any more.
///
/// A hash table with linear probing, at most half full, as a value. Two keys of one hash count as one.
struct KeyDirectory: Sendable {
    private struct Slot {
        var hash: UInt64
        /// The number plus one; zero is free.
        var number: Int32
    }

    private var slots = ContiguousArray(repeating: Slot(hash: 0, number: 0), count: 16)
    private var count = 0

    /// Returns the number of a hash; `nil` when there is none.
    @inline(__always)
    func number(of hash: UInt64) -> Int? {
        let mask = slots.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while slots[place].number != 0 {
            if slots[place].hash == hash { return Int(slots[place].number) - 1 }
            place = (place + 1) & mask
        }
        return nil
    }

    /// Adds a hash that has no number yet.
    mutating func insert(_ number: Int, hash: UInt64) {
        if (count + 1) * 2 > slots.count { grow() }
        place(Slot(hash: hash, number: Int32(number + 1)))
        count += 1
    }

    /// Removes a hash that has a number.
    mutating func remove(_ hash: UInt64) {
        let mask = slots.count - 1
        var hole = Int(truncatingIfNeeded: hash) & mask
        while slots[hole].hash != hash || slots[hole].number == 0 {
            guard slots[hole].number != 0 else { return }
            hole = (hole + 1) & mask
        }
        var next = (hole + 1) & mask
        while slots[next].number != 0 {
            let home = Int(truncatingIfNeeded: slots[next].hash) & mask
            if (next - home) & mask >= (next - hole) & mask {
                slots[hole] = slots[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        slots[hole].number = 0
        count -= 1
    }

    private mutating func place(_ slot: Slot) {
        let mask = slots.count - 1
        var place = Int(truncatingIfNeeded: slot.hash) & mask
        while slots[place].number != 0 { place = (place + 1) & mask }
        slots[place] = slot
    }

    private mutating func grow() {
        let old = slots
        slots = ContiguousArray(repeating: Slot(hash: 0, number: 0), count: old.count * 2)
        for slot in old where slot.number != 0 { place(slot) }
    }
}
