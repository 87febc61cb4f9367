import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Separators that are kept up with a list, against those of the whole snapshot.
@Suite struct ListSeparationTests {
    private typealias Separation = PaginatorListSeparation<SampleItem, Int, String>
    private typealias Row = PaginatorSeparatedRow<SampleItem, String>

    /// A header above each run of ten, which names what is before it, and a footer.
    private static func header(_ before: SampleItem?, _ after: SampleItem?) -> String? {
        guard let after else { return "end behind \(before?.text ?? "-")" }
        return before.map { $0.id / 10 } == after.id / 10 ? nil : "\(after.id / 10) behind \(before?.text ?? "-")"
    }

    /// Rows that follow a list by differences alone.
    private struct Follower {
        var separation = Separation(by: header)
        var mirror: [Row] = []

        mutating func follow(_ update: PaginatorListUpdate<SampleItem, Int>, _ comment: String) {
            separation.apply(update).apply(to: &mirror)
            let expected = update.snapshot.separated(by: ListSeparationTests.header)
            #expect(Array(separation.snapshot) == expected, "the rows, \(comment)")
            #expect(mirror == expected, "the differences, \(comment)")
        }
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func `rows that follow updates are those of the whole snapshot`(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let stage = ListStage(count: 80, pageSize: random.number(in: 1..<7)) { config in
            config.initialKey = "40"
            config.windowItems = random.chance(0.4) ? random.number(in: 8..<30) : nil
        }
        var follower = Follower()
        var forgetful = Follower()
        var pending: [PaginatorEdit<SampleItem>] = []
        var nextID = 1_000
        for step in 0..<120 {
            switch random.number(in: 0..<12) {
            case 0..<3: stage.list.loadNext()
            case 3..<5: stage.list.loadPrevious()
            case 5:
                let key = "\(random.number(in: 0..<20) * 4)"
                stage.list.jump(to: key)
            case 6: stage.list.refresh([.all, .keepingPlace, .firstPage][random.number(in: 0..<3)])
            case 7:
                nextID += 1
                let place: PaginatorRowPlace<Int> = random.chance(0.5) ? .head : random.chance(0.5) ? .tail : .after(41)
                stage.list.insertLive([SampleItem(id: nextID, text: "live \(nextID)")], at: place)
            case 8: stage.list.edits.remove(random.number(in: 0..<80))
            case 9, 10:
                let isPending = random.chance(0.5)
                let edit = stage.list.edits.begin(random.number(in: 30..<60)) {
                    SampleItem(id: $0.id, text: $0.text + "'")
                }
                if isPending { pending.append(edit) } else { edit.commit() }
            default: if let edit = pending.popLast() { random.chance(0.5) ? edit.commit() : edit.rollBack() }
            }
            stage.settle()
            for update in stage.updates {
                follower.follow(update, "seed \(seed), step \(step)")
                if random.chance(0.7) { forgetful.follow(update, "forgetful, seed \(seed), step \(step)") }
            }
            stage.updates = []
        }
        #expect(follower.mirror.count > 1, "seed \(seed)")
    }

    @Test func `an update looks at the pages that it changed and one more`() {
        let stage = ListStage(count: 4_000, pageSize: 10)
        for _ in 0..<300 { stage.after { $0.loadNext() } }
        let looks = Guarded(0)
        var separation = Separation { before, after in
            looks.withLock { $0 += 1 }
            return Self.header(before, after)
        }
        for update in stage.updates { _ = separation.apply(update) }
        stage.updates = []
        looks.withLock { $0 = 0 }
        stage.after { $0.edits.update(1_505) { SampleItem(id: $0.id, text: "edited") } }
        let differences = stage.updates.map { separation.apply($0) }
        #expect(looks.withLock { $0 } <= 44, "an edit and its commit, two pages of ten and the end each")
        #expect(differences.flatMap(\.removals).isEmpty && differences.flatMap { $0.insertions.map(\.range) }.isEmpty)
        // A header above each page before, and the edited item's own position.
        #expect(Set(differences.flatMap(\.updates).map(\.position)) == [1_505 + 151])
        looks.withLock { $0 = 0 }
        stage.updates = []
        stage.after { $0.loadNext() }
        let added = stage.updates.map { separation.apply($0) }
        #expect(looks.withLock { $0 } <= 60)
        #expect(added.flatMap { $0.insertions.map(\.items.count) }.reduce(0, +) == 11, "ten items and a header")
    }

    @Test func `rows follow from one list to another`() {
        var follower = Follower()
        // Often, so that a list comes to lie where one lay that is gone.
        for text in (0..<200).map({ "list \($0)," }) {
            let stage = ListStage(pageSize: 10)
            stage.table.pages.items = (0..<10).map { SampleItem(id: $0, text: "\(text) \($0)") }
            stage.after { $0.loadNext() }
            if let update = stage.updates.last { follower.follow(update, text) }
        }
    }

    @Test func `a separator moves with the item behind it and is compared`() {
        let stage = ListStage(pageSize: 30)
        stage.after { $0.loadNext() }
        var separation = Separation(by: { _, after in after.flatMap { $0.id % 10 == 0 ? "\($0.id)" : nil } })
        for update in stage.updates { _ = separation.apply(update) }
        stage.updates = []
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.refresh() }
        #expect(stage.updates.allSatisfy { separation.apply($0).isEmpty })
        stage.updates = []
        stage.table.pages.move(from: 20, to: 5)
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.refresh() }
        let differences = stage.updates.map { separation.apply($0) }.filter { !$0.isEmpty }
        #expect(differences.count == 1 && differences.first?.moves.map(\.from) == [22, 23])
        #expect(differences.first?.moves.map(\.to) == [6, 7])
        #expect(differences.allSatisfy { $0.removals.isEmpty && $0.insertions.isEmpty && $0.updates.isEmpty })
    }

    @Test func `an empty list has no separators`() {
        let stage = ListStage(count: 0)
        stage.after { $0.loadNext() }
        var separation = Separation(by: Self.header)
        for update in stage.updates { _ = separation.apply(update) }
        #expect(separation.snapshot.isEmpty)
    }

    @Test func `rows have identities and gaps`() {
        let stage = ListStage(count: 100, pageSize: 10)
        stage.after { $0.loadNext() }
        stage.after { $0.jump(to: "50") }
        var separation = Separation(by: Self.header)
        for update in stage.updates { _ = separation.apply(update) }
        #expect(stage.list.snapshot.gaps == [10])
        #expect(separation.snapshot.gaps == [11])
        #expect(separation.snapshot.id(at: 0) == .separator(0) && separation.snapshot.id(at: 1) == .item(0))
        #expect(separation.snapshot.id(at: separation.snapshot.count - 1) == .separator(nil))
    }
}

extension PaginatorListSnapshot {
    /// The items with separators between them, made anew: what a separation has to keep up with.
    func separated<Separator>(
        by separator: (_ before: T?, _ after: T?) -> Separator?
    ) -> [PaginatorSeparatedRow<T, Separator>] {
        guard !isEmpty else { return [] }
        var rows: [PaginatorSeparatedRow<T, Separator>] = []
        rows.reserveCapacity(count)
        var before: T?
        for item in self {
            if let found = separator(before, item) { rows.append(.separator(found)) }
            rows.append(.item(item))
            before = item
        }
        if let found = separator(before, nil) { rows.append(.separator(found)) }
        return rows
    }
}
