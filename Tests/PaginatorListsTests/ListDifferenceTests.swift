import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// What a difference names: the least, by identity.
@Suite struct ListDifferenceTests {
    // MARK: - Of a list

    private func loaded(_ pages: Int = 1, count: Int = 60) -> ListStage {
        let stage = ListStage(count: count, pageSize: 30)
        for _ in 0..<pages { stage.after { $0.loadNext() } }
        stage.updates = []
        return stage
    }

    /// Refreshes, and returns how what is shown then differs from what was shown.
    private func refresh(
        _ stage: ListStage, _ refresh: PaginatorListRefresh = .all
    ) -> PaginatorListDifference<SampleItem> {
        let before = stage.list.snapshot
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.refresh(refresh) }
        return PaginatorListDifference(from: before, to: stage.list.snapshot)
    }

    @Test func `a refresh that changes nothing tells nothing`() {
        for (pages, kind) in [(1, PaginatorListRefresh.all), (2, .keepingPlace), (2, .firstPage)] {
            let stage = loaded(pages)
            _ = refresh(stage, kind)
            #expect(!stage.updates.isEmpty && stage.updates.allSatisfy { $0.difference.isEmpty })
        }
    }

    @Test func `a row that moved from 5 to 0 is one move`() {
        let stage = loaded()
        stage.table.pages.move(from: 5, to: 0)
        _ = refresh(stage)
        let differences = stage.updates.map(\.difference).filter { !$0.isEmpty }
        #expect(differences.count == 1 && differences.first?.moves.map(\.from) == [5])
        #expect(differences.first?.moves.map(\.to) == [0])
        #expect(differences.allSatisfy { $0.removals.isEmpty && $0.insertions.isEmpty && $0.updates.isEmpty })
    }

    @Test func `a swap of two rows is at most two moves`() {
        for (one, other) in [(3, 4), (0, 29), (7, 20)] {
            let stage = loaded()
            stage.table.pages.swap(one, other)
            let difference = refresh(stage)
            #expect((1...2).contains(difference.moves.count) && difference.updates.isEmpty)
            #expect(difference.removals.isEmpty && difference.insertions.isEmpty)
        }
    }

    @Test func `a row that moved into another page is one move`() {
        let stage = loaded(2)
        stage.table.pages.move(from: 45, to: 2)
        let difference = refresh(stage, .keepingPlace)
        #expect(stage.ids == stage.firstRows(60))
        #expect(difference.moves.map(\.from) == [45] && difference.moves.map(\.to) == [2])
        #expect(difference.removals.isEmpty && difference.insertions.isEmpty && difference.updates.isEmpty)
    }

    @Test func `a row that moved and changed is told as both`() {
        let stage = loaded()
        stage.table.pages.move(from: 5, to: 0)
        stage.table.pages.change(at: 0, to: "new")
        stage.table.pages.change(at: 9, to: "new")
        let updates = refresh(stage).updates
        #expect(updates.map(\.position) == [0, 9] && updates.map(\.oldPosition) == [5, 9])
        #expect(updates.map(\.isMoved) == [true, false] && updates.allSatisfy { $0.item.text == "new" })
    }

    @Test func `an edit is told when it begins and when it ends though the value is the same`() {
        let stage = loaded()
        var edit: PaginatorEdit<SampleItem>?
        stage.after { edit = $0.edits.begin(7) { $0 } }
        #expect(stage.updates.last?.difference.updates.map(\.position) == [7])
        stage.after { _ in edit?.commit() }
        #expect(stage.updates.last?.difference.updates.map(\.position) == [7])
    }

    // MARK: - What looks the same

    private struct Opaque: Sendable {
        var id: Int
        var name: String
        var visits: Int
    }

    private func updates(isEqual: (@Sendable (Opaque, Opaque) -> Bool)?, to new: Opaque) -> Int {
        let executor = SimulatedExecutor()
        var config = DefaultPaginatorConfig()
        (config.executor, config.callbackExecutor) = (executor, executor)
        let source = ScriptedDataSource<Opaque>(firstKey: "0")
        let old = PaginatorPage(content: [Opaque(id: 1, name: "a", visits: 1)], key: "0")
        let second = PaginatorPage(content: [new], key: "0")
        source.script([.page(old).insideFetch, .page(second).insideFetch], forKey: "0")
        let list = PaginatorList(
            CallbackPaginator(dataSource: source, config: config), id: \.id, isEqual: isEqual)
        let told = Guarded(0)
        list.observe { update in told.withLock { $0 += update.difference.updates.count } }
        for event in [{ list.loadNext() }, { list.refresh() }] {
            event()
            while executor.runOne(choose: { _ in 0 }) {}
        }
        #expect(list.snapshot.first?.visits == new.visits)
        return told.withLock { $0 }
    }

    @Test func `items that are not Equatable are compared by a closure or not at all`() {
        let (same, other) = (Opaque(id: 1, name: "a", visits: 2), Opaque(id: 1, name: "b", visits: 2))
        #expect(updates(isEqual: nil, to: same) == 1)
        #expect(updates(isEqual: { $0.name == $1.name }, to: same) == 0)
        #expect(updates(isEqual: { $0.name == $1.name }, to: other) == 1)
    }

    @Test func `differences are compared by what they change`() {
        let stage = loaded()
        let empty = PaginatorListSnapshot<SampleItem, Int>()
        let all = PaginatorListDifference(from: empty, to: stage.list.snapshot)
        #expect(all == PaginatorListDifference(from: empty, to: stage.list.snapshot))
        #expect(all != PaginatorListDifference(from: stage.list.snapshot, to: empty))
    }

    // MARK: - Of rows

    /// Rows whose chunks have ranks of their own.
    private struct Rows {
        var ids = MachineItems<Int>()

        mutating func rows(_ chunks: [[Int]], version: (_ rank: Int) -> UInt64 = { _ in 1 }) -> ListRows {
            var rows = ListRows()
            for (rank, chunk) in chunks.enumerated() where !chunk.isEmpty {
                let content = chunk.map {
                    ListRow(
                        id: ids[$0], value: ItemBox($0 * Int(version(rank))), version: version(rank), isPending: false)
                }
                rows.set(ListChunk(rows: content), at: rank)
            }
            return rows
        }
    }

    /// The most rows that can stay, by trying all subsets of those in both; `fixed` must be in it.
    private func mostThatStay(_ old: [Int], _ new: [Int], fixed: [Int]) -> Int {
        let common = old.filter(new.contains)
        var most = 0
        for subset in 0..<1 << common.count {
            let chosen = common.indices.filter { subset & 1 << $0 != 0 }.map { common[$0] }
            guard chosen.count > most, fixed.allSatisfy(chosen.contains) else { continue }
            if new.filter(chosen.contains) == chosen { most = chosen.count }
        }
        return most
    }

    @Test func `moves are as few as all subsets allow`() {
        var random = SeededRandom(seed: 19)
        for round in 0..<400 {
            let chunkCount = random.number(in: 1..<6)
            let touched = Set((0..<chunkCount).filter { _ in random.chance(0.6) })
            var ids = Array(0..<8).shuffled(using: &random)
            func take(_ count: Int) -> [Int] { (0..<count).compactMap { _ in ids.popLast() } }
            let old = (0..<chunkCount).map { _ in take(random.number(in: 0..<4)) }
            // What is touched is dealt out anew: some rows gone, some new, some in another chunk.
            var pool = touched.flatMap { old[$0] }.filter { _ in random.chance(0.85) } + take(2)
            if random.chance(0.5) { pool.shuffle(using: &random) } else { pool.sort() }
            var new = old
            for rank in touched { new[rank] = [] }
            for id in pool { if let rank = touched.randomElement(using: &random) { new[rank].append(id) } }
            let (before, after) = (old.flatMap { $0 }, new.flatMap { $0 })
            let fixed = old.indices.filter { !touched.contains($0) }.flatMap { old[$0] }
            var rows = Rows()
            let (oldRows, newRows) = (rows.rows(old), rows.rows(new))
            for touches in [touched, nil] {
                let difference = PaginatorListDifference<Int>(from: oldRows, to: newRows, touches: touches)
                var applied = before
                difference.apply(to: &applied)
                #expect(applied == after, "round \(round)")
                let stay = mostThatStay(before, after, fixed: touches == nil ? [] : fixed)
                let common = before.filter(after.contains).count
                #expect(difference.moves.count == common - stay, "round \(round): \(old) to \(new), \(touched)")
                #expect(difference.removals.flatMap { $0 }.map { before[$0] } == before.filter { !after.contains($0) })
                #expect(
                    difference.insertions.flatMap(\.range).map { after[$0] } == after.filter { !before.contains($0) })
                #expect(difference.updates.isEmpty)
            }
        }
    }

    @Test func `a row that crosses rows of a page that stays has moved`() {
        var rows = Rows()
        let difference = PaginatorListDifference<Int>(
            from: rows.rows([[1, 2], [3], [4]]), to: rows.rows([[1], [3], [2, 4]]), touches: [0, 2])
        #expect(difference.moves.map(\.from) == [1] && difference.moves.map(\.to) == [2])
        #expect(difference.removals.isEmpty && difference.insertions.isEmpty)
    }

    @Test func `pages that nothing touches are not looked at`() {
        var rows = Rows()
        let pages = (0..<1_000).map { page in (0..<10).map { page * 10 + $0 } }
        let old = rows.rows(pages)
        // Told that only two may differ, it finds nothing in the others, whatever they are.
        let new = rows.rows(pages) { $0 == 7 ? 2 : 1 }
        #expect(PaginatorListDifference<Int>(from: old, to: new, touches: [7]).updates.count == 10)
        var other = new
        other.remove(at: 500)
        #expect(PaginatorListDifference<Int>(from: old, to: new, touches: [3, 700]).isEmpty)
        #expect(PaginatorListDifference<Int>(from: old, to: other, touches: [500]).removals == [5_000..<5_010])
    }
}

extension SamplePages {
    mutating func move(from: Int, to: Int) { items.insert(items.remove(at: from), at: to) }

    mutating func swap(_ one: Int, _ other: Int) { items.swapAt(one, other) }

    mutating func change(at index: Int, to text: String) { items[index].text = text }
}
