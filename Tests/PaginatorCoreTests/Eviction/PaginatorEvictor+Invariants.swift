@testable import PaginatorCore

extension PaginatorEvictor {
    /// What is wrong, in words; empty as it should be. Complexity: O(pages).
    func invariantViolations() -> [String] {
        var violations: [String] = []
        func check(_ holds: Bool, _ text: @autoclosure () -> String) {
            if !holds { violations.append(text()) }
        }
        var (sum, pinned) = (UsageTotal(), UsageTotal())
        for (index, slot) in slots.enumerated() {
            guard let slot else { continue }
            sum.add(slot.facts)
            if slot.isPinned { pinned.add(slot.facts) }
            let isAwaited = deadlines.deadline(of: PageHandle(index: index)) != nil
            check((lifetime != nil) == (slot.deadline != nil), "page \(index) has the deadline \(slot.deadline as Any)")
            check(
                overdue.contains(index) ? !isAwaited && !slot.isPinned : isAwaited || slot.isPinned || lifetime == nil,
                "page \(index) is not awaited as it should be")
        }
        check(sum.usage == total.usage, "\(total.usage) are counted, \(sum.usage) are held")
        check(pinned.usage == pinnedTotal.usage, "\(pinnedTotal.usage) are counted as pinned, \(pinned.usage) are")
        check(Set(free).count == free.count, "a handle is free twice")
        check(free.allSatisfy { slots[$0.index] == nil }, "a handle in use is free")
        check(free.count + handles.count == slots.count, "a handle is neither free nor in use")
        if let newest { check(slots[newest.index]?.isPinned == false, "the newest page is pinned or gone") }
        return violations
    }
}
