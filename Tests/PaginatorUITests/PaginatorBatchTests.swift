import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists
@testable import PaginatorUI

@MainActor @Suite struct PaginatorBatchTests {
    /// A plain data source that follows a list, and the view over it.
    @MainActor
    private final class Screen {
        var rows = PaginatorListSnapshot<SampleItem, Int>()
        private(set) lazy var view = FakeCollectionView { [unowned self] in [rows.map { "\($0.id) \($0.text)" }] }
        private(set) var errors: [String] = []
        private(set) var batches = 0

        init(_ list: PaginatorList<SampleItem, Int>) {
            list.observe(onMain: { [weak self] update in self?.follow(update) })
        }

        private func follow(_ update: PaginatorListUpdate<SampleItem, Int>) {
            let batch = PaginatorBatch(update.difference)
            do {
                try view.perform(batch) { rows = update.snapshot }
                batches += 1
            } catch {
                errors.append("\(error)")
            }
        }
    }

    @Test func `what goes is told by the old rows, what comes by the new ones, and what changed in a second step`() {
        let stage = ShelfStage(0..<10)
        stage.load(10)
        let screen = Screen(stage.list)
        stage.run()
        stage.shelf.change { items in
            items = [9, 1, 2, 20, 4, 5, 6, 7, 8].map { SampleItem(id: $0, text: $0 == 5 ? "newer" : "\($0)") }
        }
        stage.run { stage.list.refresh() }
        #expect(screen.errors.isEmpty)
        #expect(screen.view.shown == [["9 9", "1 1", "2 2", "20 20", "4 4", "5 newer", "6 6", "7 7", "8 8"]])
        #expect(screen.view.sections[0].map(\.configured) == [1, 1, 1, 1, 1, 2, 1, 1, 1])
    }

    /// Writes down what a view of the system is told.
    @MainActor
    private final class Recorder: BatchView {
        var isInWindow = true
        var steps: [String] = []

        func reloadData() { steps.append("reload") }

        func runBatch(_ steps: @escaping () -> Void, _ completion: @escaping (Bool) -> Void) {
            self.steps.append("batch")
            steps()
            completion(false)
        }

        func change(_ difference: PaginatorSectionsDifference) { steps.append("change") }

        func configureAnew(_ places: [Place]) { steps.append("configure \(places.map(\.row))") }

        /// Shows a difference, and tells what that took.
        func told(_ difference: PaginatorListDifference<Int>) -> [String] {
            steps = []
            show(PaginatorSectionsDifference(PaginatorBatch(difference)), setRows: { self.steps.append("rows") }) {
                self.steps.append("\($0)")
            }
            return steps
        }
    }

    @Test func `a view goes through a batch for rows that come or go alone`() {
        let view = Recorder()
        var difference = PaginatorListDifference<Int>()
        #expect(view.told(difference) == ["rows", "true"])
        difference.updates = [(position: 3, oldPosition: 3, item: 3, isMoved: false)]
        #expect(view.told(difference) == ["rows", "configure [3]", "true"])
        difference.removals = [0..<1]
        #expect(view.told(difference) == ["batch", "rows", "change", "false", "configure [3]"])
        view.isInWindow = false
        #expect(view.told(difference) == ["rows", "reload", "true"])
    }

    @Test(arguments: 0..<40)
    func `a view that ends the app at a wrong count takes every batch of a list with a random history`(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let stage = ShelfStage(0..<60)
        let screen = Screen(stage.list)
        var next = 1_000
        for _ in 0..<60 {
            stage.run {
                switch random.number(in: 0..<8) {
                case 0, 1: stage.list.loadNext()
                case 2:
                    next += 1
                    stage.list.insertLive([SampleItem(id: next, text: "live")])
                case 3: stage.list.edits.remove(random.number(in: 0..<60))
                case 4:
                    stage.list.insertLive([SampleItem(id: random.number(in: 0..<60), text: "\(next)")])
                case 5:
                    var ids = stage.shelf.ids
                    for _ in 0..<3 where ids.count > 10 {
                        let row = ids.remove(at: random.number(in: 0..<ids.count))
                        if random.number(in: 0..<4) > 0 { ids.insert(row, at: random.number(in: 0..<ids.count)) }
                    }
                    stage.shelf.put(ids)
                    stage.list.refresh(.keepingPlace)
                case 6: stage.list.refresh(.firstPage)
                default: stage.list.refresh()
                }
            }
            #expect(screen.errors.isEmpty)
            #expect(screen.view.shown == [stage.list.snapshot.map { "\($0.id) \($0.text)" }])
        }
        #expect(screen.batches > 20)
    }
}
