import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Lists over a source that is addressed by offset and names only the pages after a page, as tables of databases do: an
/// offset itself tells what lies before.
@Suite struct ListOneWayOffsetTests {
    /// Shows 40..<60, with the four pages above dropped.
    private func stage() -> ListStage {
        let stage = ListStage(count: 200, isOneWay: true, pageSize: 10) { $0.windowItems = 20 }
        for _ in 0..<6 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(40..<60))
        stage.clock.advance(by: .seconds(1))
        return stage
    }

    /// Scrolls up while the list says that there is more.
    private func scrollUp(_ stage: ListStage) {
        for _ in 0..<12 where stage.list.status.hasPrevious {
            stage.after { $0.hint(visible: 0..<3) }
            stage.after { $0.loadPrevious() }
            #expect(stage.complaints == [])
        }
    }

    @Test(arguments: [false, true])
    func `new rows are above pages that the window has dropped, also after a refresh`(isEvicted: Bool) {
        let stage = stage()
        stage.insertLive(3)
        stage.clock.advance(by: .seconds(1))
        if isEvicted {
            stage.paginator.clear(key: "0")
        } else {
            stage.after { $0.refresh(.keepingPlace) }
        }
        scrollUp(stage)
        #expect(stage.ids.first == 200)
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.refresh(.keepingPlace) }
        #expect(stage.ids.first == 200 && stage.complaints == [])
    }

    @Test(arguments: [10, 20, 30])
    func `rows above dropped pages are reached after deletes of pages' worth of rows`(_ rows: Int) {
        let stage = stage()
        stage.table.pages.remove(0..<rows)
        for id in 0..<rows { stage.list.edits.remove(id) }
        stage.settle()
        stage.after { $0.loadNext() }
        scrollUp(stage)
        #expect(stage.ids.first == rows)
        #expect(stage.list.snapshot.gaps == [])
    }

    @Test func `a jump between dropped pages leaves all rows above it to be loaded`() {
        let stage = stage()
        stage.after { $0.jump(to: "25") }
        #expect(stage.ids.first == 25 && stage.list.status.hasPrevious)
        #expect(stage.list.status.placeholdersBefore == 25)
        scrollUp(stage)
        #expect(stage.ids.first == 0 && stage.list.status.placeholdersBefore == 0)
    }

    @Test func `a list that begins with a jump knows what lies before`() {
        let stage = ListStage(count: 200, isOneWay: true, pageSize: 10)
        stage.after { $0.jump(to: "25") }
        #expect(stage.list.status.placeholdersBefore == 25)
        for _ in 0..<3 { stage.after { $0.loadPrevious() } }
        #expect(stage.ids == Array(0..<35) && !stage.list.status.hasPrevious)
    }

    @Test func `a call for what is before goes on behind a page without rows`() {
        let stage = ListStage(isOneWay: true, pageSize: 10) { $0.initialKey = "30" }
        stage.table.pages.shortPages = ["20": 0]
        stage.after { $0.loadNext() }
        stage.after { $0.loadPrevious() }
        #expect(stage.ids.first == 10)
    }

    @Test(
        arguments: [
            ("0", "0", nil), ("0", "5", "0"), ("0", "10", "0"), ("0", "25", "15"), ("0", "x", nil), ("0", "-5", nil),
            ("1", "0", nil), ("1", "1", nil), ("1", "11", "1"), ("1", "21", "11"), ("start", "10", "start"),
            ("start", "1", "start"), ("start", "11", "1"),
        ] as [(String, String, String?)])
    func `the page before begins a page size earlier, but not before the first`(
        _ firstKey: String, _ key: String, _ before: String?
    ) {
        var config = PaginatorListConfig()
        (config.addressing, config.pageSize) = (.offset, 10)
        let list = ListMachine(config: config, firstKey: firstKey)
        #expect(list.offset(before: PageIdentity(key: key, pageSize: 10)) == before)
    }

    @Test(
        arguments: [
            ("0", "20", 5, "5"), ("0", "10", 10, nil), ("1", "11", 5, "1"), ("1", "11", 10, nil),
            ("start", "10", 5, "start"), ("start", "10", 9, "start"), ("start", "10", 10, nil),
        ] as [(String, String, Int, String?)])
    func `after deletes above, too, the page before does not begin before the first`(
        _ firstKey: String, _ key: String, _ deleted: Int, _ before: String?
    ) throws {
        var config = PaginatorListConfig()
        (config.addressing, config.pageSize) = (.offset, 10)
        var list = ListMachine(config: config, firstKey: firstKey)
        list.handle { $0.jump(to: key, .automatic) }
        let load = try #require(list.purposes.keys.first)
        var items = MachineItems<Int>()
        let page = items.page([(id: 0, value: 0)], previous: nil, next: nil, fetchedAt: .zero)
        list.handle { $0.arrived(load, page, isFinal: true) }
        list.leadingShift = -deleted
        let rank = try #require(list.seats.keys.first)
        let seat = try #require(list.seats[rank])
        #expect(list.effectivePrevious(of: seat, at: rank) == before)
        #expect(list.isStartLoaded == (before == nil))
        list.renameToCurrentKeys { _ in false }
        #expect(list.seats[rank]?.previous == before)
    }
}
