import PaginatorTesting

@testable import PaginatorCore
@testable import PaginatorLists

extension ListStage {
    /// What somebody who looks at the list and knows the server's table would complain of: rows that are missing with no
    /// gap to tell of it, shown twice, out of order, or shown though the server deleted them.
    var complaints: [String] {
        let rows = table.pages.items.map(\.id)
        let places = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1, $0) })
        let shown = ids
        var complaints: [String] = []
        if Set(shown).count != shown.count { complaints.append("a row is shown twice") }
        let gaps = Set(list.snapshot.gaps)
        for (position, (upper, lower)) in zip(shown, shown.dropFirst()).enumerated() {
            guard let above = places[upper], let below = places[lower] else {
                complaints.append("\(upper) or \(lower) was deleted")
                continue
            }
            if below <= above { complaints.append("\(lower) stands below \(upper)") }
            if below > above + 1, !gaps.contains(position + 1) {
                complaints.append("between \(upper) and \(lower) \(below - above - 1) rows are missing")
            }
        }
        // A gap at an end, before a page without rows, tells that rows are missing there.
        if list.status.next == .endReached, shown.last != rows.last, !gaps.contains(shown.count) {
            complaints.append("the end comes too early")
        }
        if list.status.previous == .endReached, shown.first != rows.first, !gaps.contains(0) {
            complaints.append("the start comes too early")
        }
        return complaints
    }

    /// Loads at the end until there is no more, at most so often.
    func loadToTheEnd(_ limit: Int = 40) {
        for _ in 0..<limit where list.status.next != .endReached { after { $0.loadNext() } }
    }

    /// The first rows of the server's table.
    func firstRows(_ count: Int) -> [Int] { table.pages.items.prefix(count).map(\.id) }

    /// Makes the other list of a screen beside this one.
    func makeOtherList(
        _ configure: (inout PaginatorListConfig) -> Void = { _ in }
    ) -> PaginatorList<SampleItem, Int> {
        var config = PaginatorListConfig()
        config.pageSize = 10
        config.prefetchDistance = 0
        configure(&config)
        return PaginatorList(paginator, id: \.id, config: config)
    }
}
