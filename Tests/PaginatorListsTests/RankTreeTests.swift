import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// The tree against a sorted array.
@Suite struct RankTreeTests {
    private typealias Tree = RankTree<Number>

    private final class Number: Sendable {
        let value: Int

        init(_ value: Int) { self.value = value }
    }

    private struct Plain {
        var entries: [Int: Tree.Measure] = [:]

        var ranks: [Int] { entries.keys.sorted() }

        func before(_ rank: Int) -> Tree.Measure {
            ranks.filter { $0 < rank }.reduce(Tree.Measure()) { $0 + (entries[$1] ?? Tree.Measure()) }
        }

        /// The rank that has a row, and how many rows come before it.
        func owner(ofRow row: Int) -> (rank: Int, before: Int)? {
            var before = 0
            for rank in ranks {
                let rows = entries[rank]?.rows ?? 0
                if row >= before, row < before + rows { return (rank, before) }
                before += rows
            }
            return nil
        }
    }

    private func compare(_ tree: Tree, with plain: Plain, _ note: Comment) {
        let ranks = plain.ranks
        #expect(tree.ranks == ranks, note)
        #expect(tree.first == ranks.first && tree.last == ranks.last, note)
        #expect(
            tree.total == ranks.last.map { plain.before($0) + (plain.entries[$0] ?? Tree.Measure()) } ?? Tree.Measure(),
            note)
        for rank in -1..<21 {
            #expect(tree.place(of: rank)?.payload.value == plain.entries[rank].map { _ in rank * 10 }, note)
            #expect(tree.sum(before: rank) == plain.before(rank), note)
            #expect(tree.rank(before: rank) == ranks.last { $0 < rank }, note)
            #expect(tree.rank(after: rank) == ranks.first { $0 > rank }, note)
        }
        for row in -1...tree.total.rows {
            let (place, owner) = (tree.place(ofRow: row), plain.owner(ofRow: row))
            #expect(place?.rank == owner?.rank && place?.before.rows == owner?.before, note)
        }
    }

    @Test(arguments: UInt64(0)..<20) func `it is a sorted map with sums, and its versions stay as they were`(
        seed: UInt64
    ) {
        var random = SeededRandom(seed: seed)
        var (tree, plain) = (Tree(), Plain())
        var versions: [(Tree, Plain)] = []
        for step in 0..<60 {
            let rank = random.number(in: 0..<20)
            if random.chance(0.6) {
                let measure = Tree.Measure(rows: random.number(in: 0..<4), shift: random.number(in: -2..<3))
                tree.set(Number(rank * 10), measure, at: rank)
                plain.entries[rank] = measure
            } else {
                tree.remove(at: rank)
                plain.entries[rank] = nil
            }
            if step % 10 == 0 { versions.append((tree, plain)) }
        }
        versions.append((tree, plain))
        for (tree, plain) in versions { compare(tree, with: plain, "seed \(seed)") }
    }

    @Test(arguments: [1, -1, 1 << 16]) func `a change copies a logarithm of the nodes, whatever the order of coming`(
        step: Int
    ) {
        var tree = Tree()
        for number in 0..<10_000 { tree.set(Number(number), Tree.Measure(rows: 1), at: number * step) }
        var made = 0
        for number in 0..<10 {
            let before = tree
            tree.set(Number(0), Tree.Measure(rows: 1), at: number * 1_000 * step)
            made += Set(tree.nodes).subtracting(before.nodes).count
        }
        // Twice the natural logarithm on average.
        #expect(made < 10 * 30)
    }
}
