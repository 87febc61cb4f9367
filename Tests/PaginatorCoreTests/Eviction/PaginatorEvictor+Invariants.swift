@testable import PaginatorCore

extension PaginatorEvictor {
    /// What is wrong, in words; empty as it should be. Complexity: O(pages).
    func invariantViolations() -> [String] {
        var violations: [String] = []
        func check(_ holds: Bool, _ text: @autoclosure () -> String) {
            if !holds { violations.append(text()) }
        }
        var (sum, pinned) = (UsageTotal(), UsageTotal())
        for (index, cell) in cells.enumerated() {
            guard let cell else { continue }
            sum.add(cell.facts)
            if cell.isPinned { pinned.add(cell.facts) }
            let isAwaited = deadlines.deadline(of: PageHandle(index: index)) != nil
            check((lifetime != nil) == (cell.deadline != nil), "page \(index) has the deadline \(cell.deadline as Any)")
            check(
                overdue.contains(index) ? !isAwaited && !cell.isPinned : isAwaited || cell.isPinned || lifetime == nil,
                "page \(index) is not awaited as it should be")
        }
        check(sum.usage == total.usage, "\(total.usage) are counted, \(sum.usage) are held")
        check(pinned.usage == pinnedTotal.usage, "\(pinnedTotal.usage) are counted as pinned, \(pinned.usage) are")
        check(Set(free).count == free.count, "a handle is free twice")
        check(free.allSatisfy { cells[$0.index] == nil }, "a handle in use is free")
        check(free.count + handles.count == cells.count, "a handle is neither free nor in use")
        if let newest { check(cells[newest.index]?.isPinned == false, "the newest page is pinned or gone") }
        return violations
    }
}
