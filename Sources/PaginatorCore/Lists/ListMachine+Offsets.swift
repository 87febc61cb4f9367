// Keys that are offsets, and how committed local edits shift them.
extension ListMachine {
    /// The sum of the shifts before a rank, dropped pages included.
    func shiftBefore(_ rank: Int) -> Int {
        var tree = tree
        return leadingShift + tree.sum(before: rank).shift
    }

    /// A key moved by some items; the key itself where it is no offset.
    func shifted(_ key: String, by shift: Int) -> String {
        guard config.addressing == .offset, shift != 0, let offset = Int(key), offset >= 0 else { return key }
        let (moved, overflow) = offset.addingReportingOverflow(shift)
        return overflow ? key : String(max(0, moved))
    }

    /// The key under which a loaded page would be found now.
    func effectiveKey(of slot: Slot, at rank: Int) -> String {
        guard config.addressing == .offset else { return slot.identity.key }
        return shifted(slot.identity.key, by: shiftBefore(rank) - slot.shiftBeforeAtFetch)
    }

    func effectivePrevious(of slot: Slot, at rank: Int) -> String? {
        guard config.addressing == .offset, let key = slot.previous else { return slot.previous }
        return shifted(key, by: shiftBefore(rank) - slot.shiftBeforeAtFetch)
    }

    func effectiveNext(of slot: Slot, at rank: Int) -> String? {
        guard config.addressing == .offset, let key = slot.next else { return slot.next }
        let before = shiftBefore(rank) - slot.shiftBeforeAtFetch
        return shifted(key, by: before + slot.shift - slot.shiftAtFetch)
    }

    /// Takes note that the source has more or fewer items inside a slot than when it was fetched.
    mutating func shift(_ rank: Int, by items: Int) {
        guard config.addressing == .offset, let slot = slots[rank] else { return }
        slots[rank]?.shift = slot.shift + items
        if let place = tree.find(rank) {
            tree.set(
                place.payload, Tree.Measure(rows: place.payload.rows.count, shift: slot.shift + items), at: rank)
        }
    }
}
