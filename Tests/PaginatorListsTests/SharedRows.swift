@testable import PaginatorCore
@testable import PaginatorLists

extension ListRows {
    /// How many nodes of trees and rows of pages were made anew since an earlier look, and are not shared with that: the
    /// work of a change, counted without a counter in the machine.
    func newParts(since earlier: ListRows) -> Int {
        let known = earlier.costs
        return costs.reduce(0) { known[$1.key] == nil ? $0 + $1.value : $0 }
    }

    /// Each node and each chunk, with what making it costs.
    private var costs: [ObjectIdentifier: Int] {
        var costs: [ObjectIdentifier: Int] = [:]
        for node in nodes { costs[node] = 1 }
        forEach { costs[ObjectIdentifier($0.payload)] = $0.payload.rows.count }
        return costs
    }
}

extension RankTree {
    /// The tree's nodes, which are its own matter.
    var nodes: [ObjectIdentifier] {
        func nodes(of value: Any) -> [ObjectIdentifier] {
            let mirror = Mirror(reflecting: value)
            if mirror.displayStyle == .optional { return mirror.children.flatMap { nodes(of: $0.value) } }
            guard mirror.displayStyle == .class else { return [] }
            let below = mirror.children.filter { $0.label == "left" || $0.label == "right" }
            return [ObjectIdentifier(value as AnyObject)] + below.flatMap { nodes(of: $0.value) }
        }
        return Mirror(reflecting: self).children.flatMap { nodes(of: $0.value) }
    }
}
