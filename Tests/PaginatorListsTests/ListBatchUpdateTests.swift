import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Ten thousand random histories of a list, shown by views that refuse what `UICollectionView` and diffable data sources
/// refuse, and that show old rows where nobody told them of new ones.
@Suite struct ListBatchUpdateTests {
    private typealias Update = PaginatorListUpdate<SampleItem, Int>

    /// The views of one screen, each told in another way.
    private struct Screen {
        /// Told of new values after the batch, by their new positions.
        var reconfiguring = StrictCollectionView<SampleItem>()
        /// Told within the batch, by the old positions, of those that stay.
        var reloading = StrictCollectionView<SampleItem>()
        var diffable = StrictDiffableView<SampleItem>()
        var moves = 0

        mutating func show(_ update: Update) throws {
            let (difference, rows) = (update.difference, Array(update.snapshot))
            var batch = StrictCollectionView<SampleItem>.Batch()
            batch.deletes = difference.removals.flatMap { $0 }
            batch.inserts = difference.insertions.flatMap(\.range)
            batch.moves = difference.moves
            moves += batch.moves.count
            try reconfiguring.performBatchUpdates(batch, rows: rows)
            try reconfiguring.reconfigure(difference.updates.map(\.position), rows: rows)
            batch.reloads = difference.updates.filter { !$0.isMoved }.map(\.oldPosition)
            try reloading.performBatchUpdates(batch, rows: rows)
            try reloading.reconfigure(difference.updates.filter(\.isMoved).map(\.position), rows: rows)
            try diffable.apply(rows.map(\.id), reconfiguring: difference.updates.map(\.item.id), rows: rows)
            for (view, shown) in [
                ("reconfiguring", reconfiguring.cells), ("reloading", reloading.cells), ("diffable", diffable.shown),
            ] where shown != rows {
                throw Stale(description: "the \(view) view shows \(shown), not \(rows)")
            }
        }
    }

    private struct Stale: Error, CustomStringConvertible { let description: String }

    /// A list, a server that changes, and a user.
    private struct History {
        var random: SeededRandom
        let stage: ListStage
        var pending: [PaginatorEdit<SampleItem>] = []

        init(_ seed: UInt64) {
            var random = SeededRandom(seed: seed)
            let style: SamplePages.Style = random.chance(0.5) ? .cursor : .offset
            let starts = style == .offset && random.chance(0.3)
            let window = random.chance(0.3) ? random.number(in: 4..<12) : nil
            stage = ListStage(
                count: random.number(in: 0..<24), style: style, pageSize: random.number(in: 1..<6),
                memoryPages: random.chance(0.2) ? 1 : 200
            ) { config in
                config.initialKey = starts ? "8" : nil
                config.windowItems = window
            }
            self.random = random
            for _ in 0..<2 { stage.after { $0.loadNext() } }
        }

        mutating func act() {
            let (list, table) = (stage.list, stage.table)
            stage.clock.advance(by: .milliseconds(10))
            switch random.number(in: 0..<32) {
            case 0..<5: list.loadNext()
            case 5, 6: list.loadPrevious()
            case 7..<10: list.refresh([.all, .keepingPlace, .firstPage, .stalePages][random.number(in: 0..<4)])
            case 10..<14, 24..<32:
                if !table.pages.items.isEmpty { changeTable() }
                if random.chance(0.7) { list.refresh(.keepingPlace) }
            case 14: table.pages.insert(random.number(in: 1..<3), at: random.number(in: 0..<6))
            case 15, 16:
                let id = random.chance(0.7) ? random.number(in: 500..<600) : random.number(in: 0..<24)
                let place: PaginatorRowPlace<Int> =
                    random.chance(0.5) ? .head : random.chance(0.5) ? .tail : .after(random.number(in: 0..<24))
                list.insertLive([SampleItem(id: id, text: "live \(random.number(in: 0..<3))")], at: place)
            case 17, 18:
                let text = "edited \(random.number(in: 0..<3))"
                pending.append(list.edits.begin(random.number(in: 0..<24)) { SampleItem(id: $0.id, text: text) })
            case 19: list.edits.remove(random.number(in: 0..<24))
            case 20: if let edit = pending.popLast() { random.chance(0.5) ? edit.commit() : edit.rollBack() }
            case 21:
                let start = random.number(in: 0..<20)
                list.hint(visible: start..<start + 3)
            case 22: list.jump(to: stage.table.pages.style == .offset ? "\(random.number(in: 0..<20))" : "after:7")
            default: if random.chance(0.5) { list.reset() } else { list.fillGap(at: list.snapshot.gaps.first ?? 0) }
            }
        }

        mutating func changeTable() {
            let count = stage.table.pages.items.count
            let (one, other) = (random.number(in: 0..<count), random.number(in: 0..<count))
            switch random.number(in: 0..<6) {
            case 0..<3: stage.table.pages.move(from: one, to: other)
            case 3: stage.table.pages.swap(one, other)
            case 4: stage.table.pages.change(at: one, to: "changed")
            default: stage.table.pages.remove(one..<one + 1)
            }
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `differences are legal batch updates in random histories`(_ group: UInt64) {
        var (moves, made) = (0, 0)
        for seed in group * 500..<(group + 1) * 500 {
            var history = History(seed)
            var screen = Screen()
            for step in 0..<6 {
                history.act()
                // Several things happen before an observer is told, now and then.
                if history.random.chance(0.6) { history.stage.settle() }
                do {
                    for update in history.stage.updates { try screen.show(update) }
                } catch {
                    Issue.record("seed \(seed), step \(step): \(error)")
                    return
                }
                history.stage.updates = []
            }
            moves += screen.moves
            made += screen.reconfiguring.made
        }
        #expect(moves > 80 && made > 1_000, "\(moves) moves, \(made) cells")
    }
}
