import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// What a list shows where pages overlap, shift, and no longer join.
@Suite struct ListContentTests {
    @Test func `the first position wins and the newest value`() {
        let stage = ListStage()
        stage.source.script([.page(stage.page("0", [1, 2, 3], next: "3")).insideFetch], forKey: "0")
        stage.source.script([.page(stage.page("3", [3, 2, 4], text: "new")).insideFetch], forKey: "3")
        stage.after { $0.loadNext() }
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.loadNext() }
        #expect(stage.ids == [1, 2, 3, 4])
        #expect(stage.list.snapshot.map(\.text) == ["", "new", "new", "new"])
        #expect(stage.updates.last?.difference.removals == [])
        #expect(stage.updates.last?.difference.insertions.map(\.range) == [3..<4])
        #expect(stage.updates.last?.difference.updates.map(\.position) == [1, 2])
    }

    @Test(arguments: [1, 3])
    func `a foreign insert is found by overlap and reported`(rows: Int) {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        stage.table.pages.insert(rows)
        stage.after { $0.loadNext() }
        #expect(stage.ids == Array(0..<20 - rows))
        #expect(stage.updates.flatMap(\.notices) == [.shifted(items: rows)])
    }

    @Test func `a refresh that breaks a link leaves a gap that is filled from either end`() {
        for fromEnd in [false, true] {
            let stage = ListStage(style: .cursor, pageSize: 10)
            stage.after { $0.loadNext() }
            stage.after { $0.loadNext() }
            stage.table.pages.insert(3)
            _ = stage.newKeys()
            stage.after { $0.refresh(.firstPage) }
            #expect(stage.ids == [100, 101, 102] + Array(0..<7) + Array(10..<20))
            #expect(stage.list.snapshot.gaps == [10])
            #expect(stage.updates.flatMap(\.notices) == [.gapOpened])
            stage.after { $0.fillGap(at: 10, fromEnd: fromEnd) }
            // What the old second page has before it is the first page itself, so that end has no key to offer.
            #expect(stage.newKeys() == ["start", "after:6"])
            #expect(stage.ids == [100, 101, 102] + Array(0..<20))
            #expect(stage.list.snapshot.gaps == [])
        }
    }

    @Test func `a refreshed offset page that pushed items out does not join silently`() {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        stage.after { $0.loadNext() }
        stage.table.pages.insert(2)
        stage.after { $0.refresh(.firstPage) }
        #expect(stage.ids == [100, 101] + Array(0..<8) + Array(10..<20))
        #expect(stage.list.snapshot.gaps == [10])
        stage.after { $0.fillGap(at: 10) }
        #expect(stage.ids == [100, 101] + Array(0..<18))
        #expect(stage.list.snapshot.gaps == [])
    }

    @Test func `a refresh that keeps the place loads every page in its place`() {
        let stage = ListStage(pageSize: 10)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.after { $0.hint(visible: 12..<15) }
        _ = stage.newKeys()
        stage.table.pages.insert(2)
        stage.after { $0.refresh(.keepingPlace) }
        #expect(stage.newKeys() == ["10", "0", "20"])
        #expect(stage.ids == [100, 101] + Array(0..<28))
        #expect(stage.list.snapshot.gaps == [])
        #expect(stage.updates.last?.anchor == 14)
    }

    @Test func `a refresh of stale pages loads those alone`() {
        let stage = ListStage()
        let stale = PaginatorPage(
            content: [SampleItem(id: 7, text: "")], key: "0", expirationTime: stage.clock.wallTime, nextKey: "2")
        stage.source.script([.page(stale).insideFetch], forKey: "0")
        stage.after { $0.loadNext() }
        stage.after { $0.loadNext() }
        _ = stage.newKeys()
        stage.after { $0.refresh(.stalePages) }
        #expect(stage.newKeys() == ["0"])
        #expect(stage.ids == [0, 1, 2, 3])
    }

    @Test func `a jump makes a span of its own`() {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        stage.after { $0.jump(to: "50") }
        #expect(stage.ids == Array(0..<10) + Array(50..<60))
        #expect(stage.list.snapshot.gaps == [10])
        stage.after { $0.jump(to: "30") }
        #expect(stage.ids == Array(0..<10) + Array(30..<40) + Array(50..<60))
        #expect(stage.list.snapshot.gaps == [10, 20])
        stage.after { $0.fillGap(at: 20, fromEnd: true) }
        #expect(stage.list.snapshot.gaps == [10])
        #expect(stage.newKeys() == ["0", "50", "30", "40"])
    }

    @Test func `a jump to a loaded page loads nothing`() {
        let stage = ListStage(pageSize: 10) { $0.prefetchDistance = 1 }
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        _ = stage.newKeys()
        stage.after { $0.jump(to: "10") }
        #expect(stage.newKeys() == [])
        #expect(stage.updates.last?.anchor == 10)
    }

    @Test func `live rows count as new above until the head is loaded`() {
        let stage = ListStage(style: .cursor, pageSize: 10) { $0.initialKey = "after:9" }
        stage.after { $0.loadNext() }
        // The first page comes from memory: it is of before the live rows.
        stage.paginator.prefetch(keys: ["start"], pageSize: 10)
        stage.settle()
        stage.after { $0.insertLive([SampleItem(id: 500, text: ""), SampleItem(id: 501, text: "")]) }
        #expect(stage.ids == Array(10..<20))
        #expect(stage.list.status.newAbove == 2)
        stage.after { $0.loadPrevious() }
        #expect(stage.ids == [501, 500] + Array(0..<20))
        #expect(stage.list.status.newAbove == 0)
        stage.after { $0.insertLive([SampleItem(id: 502, text: ""), SampleItem(id: 15, text: "newer")]) }
        #expect(stage.ids == [502, 501, 500] + Array(0..<20))
        #expect(stage.list.snapshot[18].text == "newer")
    }

    @Test func `live rows shift the offsets and give way to the page that has them`() {
        let stage = ListStage(pageSize: 10) { $0.initialKey = "10" }
        stage.after { $0.loadNext() }
        stage.table.pages.insert(2)
        stage.after { $0.insertLive(stage.table.pages.items.prefix(2).reversed()) }
        stage.after { $0.loadPrevious() }
        stage.after { $0.loadPrevious() }
        #expect(stage.newKeys() == ["10", "2", "0"])
        #expect(stage.ids == [100, 101] + Array(0..<20))
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["22"])
        #expect(stage.ids == [100, 101] + Array(0..<30))
    }

    @Test func `a snapshot stays as it was when the list goes on`() {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        let snapshot = stage.list.snapshot
        for _ in 0..<5 { stage.after { $0.loadNext() } }
        #expect(snapshot.map(\.id) == Array(0..<10))
        #expect(stage.list.snapshot.count == 60)
        #expect(stage.list.snapshot[42].id == 42)
        #expect(stage.list.snapshot.id(at: 59) == 59)
    }
}
