import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@testable import PaginatorUI

/// Sections of a list, shown by a view that refuses what `UICollectionView` refuses.
@Suite struct ListSectionsTests {
    private typealias Place = PaginatorBatch.Place

    /// Loads the first page, and forgets how that was told.
    private func loaded(_ texts: [String]) -> SectionStage {
        let stage = SectionStage(texts)
        stage.after { $0.loadNext() }
        stage.differences = []
        return stage
    }

    /// What one change was told as.
    private func change(
        _ stage: SectionStage, _ body: (PaginatorList<SampleItem, Int>) -> Void
    ) -> PaginatorSectionsDifference? {
        stage.after(body)
        #expect(stage.complaints == [])
        let told = stage.differences.filter { !$0.isEmpty }
        #expect(told.count == 1)
        stage.differences = []
        return told.first
    }

    @Test func `neighbors with one key are a section`() {
        let stage = SectionStage(["a", "a", "b", "c", "c", "c"])
        stage.after { $0.loadNext() }
        #expect(stage.shown == ["a: [0, 1]", "b: [2]", "c: [3, 4, 5]"])
        #expect(stage.sections.sections.map(\.range) == [0..<2, 2..<3, 3..<6])
        #expect(stage.sections.sections.map(\.count) == [2, 1, 3] && stage.complaints == [])
        #expect(stage.differences.last(where: { !$0.isEmpty })?.insertedSections == [0, 1, 2])
        #expect(stage.differences.allSatisfy { $0.rows.insertions.isEmpty }, "rows of a new section are not named")
    }

    @Test func `a new row goes into its section or makes one`() {
        let stage = loaded(["b", "b", "c"])
        let row = change(stage) { $0.insertLive([SampleItem(id: 50, text: "b")]) }
        #expect(row?.rows.insertions == [Place(section: 0, row: 0)] && row?.insertedSections == [])
        let section = change(stage) { $0.insertLive([SampleItem(id: 51, text: "a")]) }
        #expect(section?.rows.insertions == [] && section?.insertedSections == [0])
        #expect(stage.shown == ["a: [51]", "b: [50, 0, 1]", "c: [2]"])
    }

    @Test func `a section without rows is gone`() {
        let stage = loaded(["a", "b", "c"])
        let difference = change(stage) { $0.edits.remove(1) }
        #expect(difference?.removedSections == [1] && difference?.rows.removals == [])
        #expect(stage.shown == ["a: [0]", "c: [2]"])
    }

    @Test func `a row whose key changes goes into another section and is told anew`() {
        let stage = loaded(["a", "a", "b", "b"])
        let difference = change(stage) { _ = $0.edits.begin(1) { SampleItem(id: $0.id, text: "b!") } }
        #expect(difference?.rows.moves.map(\.from) == [Place(section: 0, row: 1)])
        #expect(difference?.rows.moves.map(\.to) == [Place(section: 1, row: 0)])
        #expect(difference?.rows.updates == [Place(section: 1, row: 0)])
        #expect(stage.shown == ["a: [0]", "b: [1, 2, 3]"])
    }

    @Test func `a key that comes again is another section`() {
        let stage = loaded(["a", "a", "a", "c"])
        let difference = change(stage) { _ = $0.edits.begin(1) { SampleItem(id: $0.id, text: "b") } }
        #expect(stage.shown == ["a: [0]", "b: [1]", "a: [2]", "c: [3]"])
        #expect(stage.sections.sections.map(\.id.occurrence) == [0, 0, 1, 0])
        // The rows behind it are in a section that is new, so they are gone from the one before.
        #expect(difference?.insertedSections == [1, 2] && difference?.rows.removals.count == 2)
    }

    @Test func `a section that moved with all its rows moves`() {
        let stage = loaded(["a", "a", "b", "b", "b"])
        stage.table.pages.items = Array(stage.table.pages.items[2...] + stage.table.pages.items[..<2])
        let difference = change(stage) { $0.refresh() }
        #expect(difference?.movedSections.map(\.from) == [0] && difference?.movedSections.map(\.to) == [1])
        #expect(difference?.removedSections == [] && difference?.insertedSections == [])
        #expect(difference?.rows.hasOnlyUpdates == true && difference?.rows.updates == [])
    }

    @Test func `a row that another took the place of leaves its section there`() {
        let stage = loaded(["a", "b", "c"])
        stage.table.pages.items[1] = SampleItem(id: 70, text: "b")
        let difference = change(stage) { $0.refresh() }
        #expect(difference?.removedSections == [] && difference?.insertedSections == [])
        #expect(difference?.rows.removals == [Place(section: 1, row: 0)])
        #expect(difference?.rows.insertions == [Place(section: 1, row: 0)])
    }

    @Test func `places and positions lead to each other`() {
        let stage = loaded(["a", "a", "b", "c", "c"])
        let sections = stage.sections
        #expect(sections.place(of: 3) == Place(section: 2, row: 0))
        #expect(sections.position(of: Place(section: 2, row: 1)) == 4)
        #expect(sections.place(of: 5) == nil && sections.place(of: -1) == nil)
        // The last one has the index that means none, `NSNotFound`.
        let noRows = [
            Place(section: 0, row: 2), Place(section: 3, row: 0), Place(section: 0, row: -1),
            Place(section: 1, row: .max),
        ]
        for place in noRows { #expect(sections.position(of: place) == nil) }
        let visible = [Place(section: 2, row: 0), Place(section: 0, row: 1), Place(section: 9, row: 9)]
        #expect(sections.positions(of: visible) == 1..<4)
        #expect(sections.positions(of: []) == nil)
    }

    @Test func `an index has each title once, and where it begins`() {
        let stage = SectionStage(["a", "a", "b", "c", "A", "D", "b", "c"], pageSize: 6)
        #expect(stage.sections.index.isEmpty)
        stage.after { $0.loadNext() }
        #expect(stage.sections.index.map(\.title) == ["a", "b", "c", "A", "D"])
        let letters = stage.sections.index { $0.uppercased() }
        #expect(letters.map(\.title) == ["A", "B", "C", "D"])
        #expect(letters.map(\.section) == [0, 1, 2, 4] && letters.map(\.position) == [0, 2, 3, 5])
        for entry in letters {
            #expect(stage.sections.place(of: entry.position) == Place(section: entry.section, row: 0))
        }
        stage.after { $0.loadNext() }
        #expect(stage.sections.index { $0.uppercased() } == letters, "a title that comes again is there already")
        stage.after { $0.edits.remove(2) }
        #expect(stage.sections.index { $0.uppercased() }.map(\.position) == [0, 2, 4, 5])
        #expect(stage.sections.index.map(\.title) == ["a", "c", "A", "D", "b"])
    }

    @Test func `keys are asked for of what came or changed alone`() {
        let stage = SectionStage((0..<2_000).map { "\(Character(UnicodeScalar(UInt8(65 + $0 / 100))))" }, pageSize: 200)
        for _ in 0..<10 { stage.after { $0.loadNext() } }
        #expect(stage.sections.sections.count == 20 && stage.table.looks == 2_000)
        stage.table.looks = 0
        stage.after { $0.edits.update(1_005) { SampleItem(id: $0.id, text: $0.text + "!") } }
        stage.after { $0.insertLive([SampleItem(id: 5_000, text: "A")]) }
        #expect((2...3).contains(stage.table.looks) && stage.complaints == [])
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `differences of sections are legal batch updates in random histories`(_ group: UInt64) {
        var seen = (moves: 0, movedSections: 0)
        for seed in group * 60..<(group + 1) * 60 {
            var random = SeededRandom(seed: seed)
            func text() -> String {
                ["a", "b", "c", "d", "e"][random.number(in: 0..<5)] + "\(random.number(in: 0..<2))"
            }
            var texts = (0..<random.number(in: 0..<16)).map { _ in text() }
            if random.chance(0.8) { texts.sort() }
            let stage = SectionStage(
                texts, pageSize: random.number(in: 2..<9), windowItems: random.chance(0.2) ? 8 : nil)
            for _ in 0..<2 { stage.after { $0.loadNext() } }
            for step in 0..<8 {
                let count = stage.table.pages.items.count
                let (one, other) = (random.number(in: 0..<max(1, count)), random.number(in: 0..<max(1, count)))
                if random.chance(0.1) { stage.skips = 1 }
                stage.after { list in
                    switch random.number(in: 0..<16) {
                    case 0..<2: list.loadNext()
                    case 2: list.insertLive([SampleItem(id: random.number(in: 50..<70), text: text())])
                    case 3: list.insertLive([SampleItem(id: one, text: text())], at: .after(other))
                    case 4..<6:
                        let new = text()
                        list.edits.update(one) { SampleItem(id: $0.id, text: new) }
                    case 6: list.edits.remove(one)
                    case 7: list.hint(visible: one..<one + 2)
                    case 8: if random.chance(0.3) { list.reset() } else { list.jump(to: "\(one)") }
                    case 9:
                        stage.table.pages.items.reverse()
                        list.refresh(.keepingPlace)
                    case 10:
                        stage.table.pages.items.sort { $0.text < $1.text }
                        list.refresh(.keepingPlace)
                    case 11:
                        let items = stage.table.pages.items
                        stage.table.pages.items = Array(items[min(one, count)...] + items[..<min(one, count)])
                        list.refresh(.keepingPlace)
                    default:
                        guard count > 0 else { return list.loadNext() }
                        let item = stage.table.pages.items.remove(at: one)
                        stage.table.pages.items.insert(
                            random.chance(0.7) ? item : SampleItem(id: item.id, text: text()), at: other)
                        list.refresh([.keepingPlace, .all, .firstPage][random.number(in: 0..<3)])
                    }
                }
                guard stage.complaints.isEmpty else {
                    Issue.record("seed \(seed), step \(step): \(stage.complaints)")
                    return
                }
            }
            seen.moves += stage.differences.reduce(0) { $0 + $1.rows.moves.count }
            seen.movedSections += stage.differences.reduce(0) { $0 + $1.movedSections.count }
        }
        #expect(seen.moves > 20 && seen.movedSections > 0, "\(seen)")
    }
}
