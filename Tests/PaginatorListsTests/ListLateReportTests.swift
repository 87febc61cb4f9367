import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Lists over a source that is addressed by offset, which hear of a row later than the server has inserted or removed
/// it: a page that came in between may count it already, and no row is missing.
@Suite struct ListLateReportTests {
    private func loaded(pages: Int) -> ListStage {
        let stage = ListStage(count: 60, pageSize: 10)
        for _ in 0..<pages { stage.after { $0.loadNext() } }
        return stage
    }

    private func expectAll(_ stage: ListStage) {
        stage.loadToTheEnd()
        #expect(stage.ids == stage.table.pages.items.map(\.id))
        #expect(stage.list.snapshot.gaps == [])
    }

    // MARK: - Inserts

    @Test(arguments: [true, false], [1, 3])
    func `rows that are reported after a page that counts them skip no item`(isLive: Bool, rows: Int) {
        let stage = loaded(pages: 1)
        let drafts: [PaginatorEdit<SampleItem>?] = (1...rows).map { number in
            isLive ? nil : stage.list.edits.beginInsert(SampleItem(id: -number, text: ""))
        }
        stage.settle()
        stage.table.pages.insert(rows)
        let new = stage.table.pages.items.prefix(rows).reversed()
        stage.after { $0.loadNext() }
        for (draft, row) in zip(drafts, new) {
            stage.after { list in
                if let draft { draft.commit(with: row) } else { list.insertLive([row]) }
            }
        }
        #expect(stage.ids == stage.firstRows(20))
        expectAll(stage)
    }

    @Test func `a row that is reported while a second page that counts it is on its way opens no gap`() throws {
        let stage = loaded(pages: 1)
        stage.table.pages.insert(1)
        let row = stage.table.pages.items[0]
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: "20")
        stage.after { $0.loadNext() }
        stage.after { $0.insertLive([row]) }
        try stage.answer()
        #expect(stage.ids == stage.firstRows(30) && stage.list.snapshot.gaps == [])
        expectAll(stage)
    }

    @Test(arguments: [true, false])
    func `a row that the answer of a load has, and that came during it, opens no gap`(isRefresh: Bool) throws {
        let stage = loaded(pages: isRefresh ? 1 : 0)
        stage.source.script([.hang], forKey: "0")
        stage.after { list in
            if isRefresh { list.refresh() } else { list.loadNext() }
        }
        stage.table.pages.insert(1)
        let row = stage.table.pages.items[0]
        stage.after { $0.insertLive([row]) }
        try stage.answer()
        stage.after { $0.loadNext() }
        #expect(stage.ids == stage.firstRows(20) && stage.list.snapshot.gaps == [])
        expectAll(stage)
    }

    @Test func `a live value of an item on a page that the window has dropped adds no row and moves no key`() {
        let stage = ListStage(count: 200, pageSize: 10) { $0.windowItems = 20 }
        for _ in 0..<6 { stage.after { $0.loadNext() } }
        stage.after { $0.insertLive([SampleItem(id: 5, text: "newer")]) }
        #expect(stage.ids == Array(40..<60) && stage.list.status.newAbove == 0)
        _ = stage.newKeys()
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["60"])
        for _ in 0..<8 {
            stage.after { $0.hint(visible: 0..<3) }
            stage.after { $0.loadPrevious() }
        }
        #expect(stage.ids == Array(0..<stage.ids.count) && stage.complaints == [])
        #expect(stage.list.snapshot.first { $0.id == 5 }?.text == "newer")
    }

    // MARK: - Removals

    /// Two pages, and more that come between a removal and its commit.
    private func removed(isCounted: Bool, pages: Int) -> (ListStage, PaginatorEdit<SampleItem>) {
        let stage = loaded(pages: 2)
        let removal = stage.list.edits.begin(5) { _ in nil }
        stage.settle()
        if isCounted { stage.table.pages.remove(5..<6) }
        for _ in 0..<pages { stage.after { $0.loadNext() } }
        if !isCounted { stage.table.pages.remove(5..<6) }
        return (stage, removal)
    }

    @Test(arguments: [true, false], [1, 2])
    func `a removal that is committed after pages that may count it skips no item`(isCounted: Bool, pages: Int) {
        let (stage, removal) = removed(isCounted: isCounted, pages: pages)
        stage.after { _ in removal.commit() }
        #expect(stage.complaints == [] && stage.list.snapshot.gaps == [])
        expectAll(stage)
    }

    @Test func `a list that is made while a removal is pending skips no item either`() {
        let (stage, removal) = removed(isCounted: true, pages: 1)
        let other = stage.makeOtherList { $0.addressing = .offset }
        func loadNext() {
            other.loadNext()
            stage.settle()
        }
        for _ in 0..<3 { loadNext() }
        stage.after { _ in removal.commit() }
        for _ in 0..<10 where other.status.next != .endReached { loadNext() }
        #expect(other.snapshot.map(\.id) == stage.table.pages.items.map(\.id))
        #expect(other.snapshot.gaps == [])
    }

    @Test(arguments: [true, false], [true, false])
    func `a page that may lack an item after a removal stands behind a gap until it has come again`(
        isCounted: Bool, isRetried: Bool
    ) {
        let (stage, removal) = removed(isCounted: isCounted, pages: 1)
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "19")
        stage.after { _ in removal.commit() }
        #expect(stage.complaints == [] && stage.list.snapshot.gaps == [19])
        stage.after { isRetried ? $0.retry() : $0.fillGap(at: 19) }
        #expect(stage.complaints == [])
        expectAll(stage)
    }

    @Test(arguments: [false, true])
    func `two removals that are committed one after the other skip no item`(isOnItsWay: Bool) throws {
        let stage = loaded(pages: 2)
        let removals = [5, 6].map { stage.list.edits.begin($0) { _ in nil } }
        stage.settle()
        stage.after { $0.loadNext() }
        stage.table.pages.remove(5..<7)
        if isOnItsWay { stage.source.script([.hang], forKey: "19") }
        stage.after { _ in removals[0].commit() }
        stage.after { _ in removals[1].commit() }
        if let call = stage.source.pendingCalls.first {
            stage.source.answer(call, with: stage.table.answer(to: call.request))
            stage.settle()
        }
        #expect(stage.complaints == [])
        expectAll(stage)
    }
    // MARK: - The machine

    /// A machine with the pages [1, 2] and [3, 4], which were requested at 10 and 11.
    private func machine(_ items: inout MachineItems<Int>) -> ListMachine {
        var config = PaginatorListConfig()
        (config.addressing, config.pageSize) = (.offset, 2)
        var machine = ListMachine(config: config, firstKey: "0")
        for (number, next) in [(1, "2"), (3, "4")] {
            machine.handle { $0.loadNext() }
            let page = items.page(
                [(number, number), (number + 1, number + 1)], previous: nil, next: next,
                fetchedAt: PaginatorInstant(nanoseconds: Int64(10 + number / 2)))
            machine.handle { $0.arrived($0.lastNumber, page, isFinal: true) }
        }
        return machine
    }

    @Test func `a page before which a gap could not be closed joins no other by its key`() throws {
        var items = MachineItems<Int>()
        var machine = machine(&items)
        let (left, right) = (try #require(machine.firstPage), try #require(machine.lastPage))
        let (first, second) = (try #require(machine.seats[left]), try #require(machine.seats[right]))
        #expect(machine.areLinked(first, left, second, right, .new))
        let load = ListMachine.Load(
            id: 100, purpose: .page(second.identity), identity: second.identity, gap: .start)
        machine.failures.append((load, PaginatorError(.sourceFailed, "a failed load")))
        #expect(!machine.areLinked(first, left, second, right, .new))
    }

    @Test func `live rows that a refresh finds gone no longer count since one time, whatever their order`() throws {
        var items = MachineItems<Int>()
        var machine = machine(&items)
        machine.handle { $0.refresh(.page("0"), at: PaginatorInstant(nanoseconds: 15)) }
        let load = try #require(machine.running.values.first?.id)
        // More than one chunk of rows.
        for number in 20..<100 {
            let (row, time) = (items.row(number, number), PaginatorInstant(nanoseconds: Int64(number)))
            machine.handle { $0.insert([row], .head, token: nil, at: time) }
        }
        let page = items.page(
            [(1, 1), (2, 2)], previous: nil, next: "2", fetchedAt: PaginatorInstant(nanoseconds: 200))
        machine.handle { $0.arrived(load, page, isFinal: true) }
        let gone = machine.recentShifts.filter { $0.items < 0 }
        #expect(!gone.isEmpty && gone.allSatisfy { $0.time == PaginatorInstant(nanoseconds: 99) })
    }
}
