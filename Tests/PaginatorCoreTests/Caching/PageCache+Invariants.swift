@testable import PaginatorCore

extension PaginatorEvictor {
    var handles: [PageHandle] { cells.indices.filter { cells[$0] != nil }.map(PageHandle.init(index:)) }
}

extension PageCache {
    /// What is wrong, in words; empty as it should be. Complexity: O(pages).
    func invariantViolations() -> [String] {
        change { table, upkeep in
            let (evictor, pins) = (upkeep.evictor, upkeep.pins)
            var violations = evictor.invariantViolations()
            let handles = evictor.handles
            let used = table.indices(in: .all)
            if used != handles.map(\.index) { violations.append("places in use: \(used), handles: \(handles)") }
            if let stray = table.places.values.first(where: { !used.contains($0) }) {
                violations.append("a hash leads to the empty place \(stray)")
            }
            for page in handles {
                let identity = table.identity(at: page.index)
                if table.index(of: identity) != page.index {
                    violations.append("\(identity) does not lead to its place \(page.index)")
                }
                for selection in [PageSelection.key(identity.key), .scope(identity.scope)]
                where !table.indices(in: selection).contains(page.index) {
                    violations.append("\(identity) is not found by \(selection)")
                }
                if evictor.cells[page.index]?.isPinned != (pins[identity] != nil) {
                    violations.append("\(identity) has \(pins[identity] ?? 0) pins, and the evictor knows otherwise")
                }
            }
            return violations
        }
    }
}
