import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Loading ahead by what somebody does and what loads take.
@Suite struct ListPrefetchTests {
    /// A list whose source takes a second, and the user before it.
    private final class Reader {
        let stage: ListStage
        var top = 0

        init(
            count: Int = 2_000, pageSize: Int = 50, latency: Duration = .seconds(1),
            connectivity: ScriptedConnectivity? = nil, _ configure: (inout PaginatorListConfig) -> Void = { _ in }
        ) {
            stage = ListStage(count: count, pageSize: pageSize, connectivity: connectivity) {
                $0.prefetchDistance = nil
                configure(&$0)
            }
            let table = stage.table
            stage.source.otherwise { .result(table.pages.answer(to: $0)).after(latency) }
            stage.after { $0.loadNext() }
            wait(latency)
            scroll(to: 0)
        }

        var loaded: Int { stage.ids.count }

        /// Time passes, in steps, so that one load can follow the other.
        func wait(_ duration: Duration) {
            var left = duration
            while left > .zero {
                let step = min(left, .milliseconds(100))
                stage.clock.advance(by: step)
                stage.settle()
                left -= step
            }
        }

        func scroll(to row: Int) {
            top = row
            stage.after { $0.hint(visible: row..<row + 5) }
        }

        /// Row by row; returns how many rows were left below the screen when the next load began.
        func scroll(_ rows: Int, every time: Duration) -> [Int] {
            var left: [Int] = []
            for _ in 0..<abs(rows) {
                wait(time)
                let calls = stage.source.keys.count
                scroll(to: top + rows.signum())
                if stage.source.keys.count > calls { left.append(loaded - top - 5) }
            }
            return left
        }
    }

    @Test func `who scrolls fast gets loads earlier than who reads`() throws {
        let fast = Reader().scroll(200, every: .milliseconds(100))
        let slow = Reader().scroll(200, every: .seconds(3))
        let (early, late) = try #require(fast.min().flatMap { early in slow.last.map { (early, $0) } })
        #expect(early >= 10, "a load takes as long as ten rows")
        #expect(late < 5)
        #expect(slow.count <= 4)
    }

    @Test func `who scrolls steadily never comes to the end of what is loaded`() {
        let reader = Reader()
        for _ in 0..<1_000 {
            reader.wait(.milliseconds(100))
            reader.scroll(to: reader.top + 1)
            #expect(reader.loaded > reader.top + 5)
        }
        #expect(reader.stage.source.keys.count <= 1_000 / 50 + 2)
    }

    @Test func `several pages are loaded ahead where one is not enough`() {
        let reader = Reader(pageSize: 10, latency: .seconds(2)) { $0.prefetchBounds = 4...60 }
        // Flings of thirty rows, which a load takes as long as, with time to load between them.
        for _ in 0..<6 {
            for _ in 0..<30 where reader.loaded > reader.top + 6 {
                reader.wait(.milliseconds(60))
                reader.scroll(to: reader.top + 1)
            }
            reader.wait(.seconds(20))
        }
        #expect(reader.loaded - reader.top - 5 >= 20, "somebody rests; two pages more are there")
    }

    @Test func `who reads on after flings gets no load beyond the base`() {
        let reader = Reader()
        _ = reader.scroll(100, every: .milliseconds(50))
        reader.wait(.seconds(30))
        let left = reader.scroll(300, every: .seconds(5))
        #expect(left.dropFirst(3).allSatisfy { $0 < 5 })
    }

    @Test func `who turns round gets no more at the end`() {
        let reader = Reader()
        _ = reader.scroll(100, every: .milliseconds(100))
        reader.wait(.seconds(5))
        let calls = reader.stage.source.keys.count
        _ = reader.scroll(-100, every: .milliseconds(100))
        #expect(reader.stage.source.keys.count == calls)
    }

    @Test(arguments: [Duration.milliseconds(100), .seconds(3)])
    func `a fixed distance stays fixed`(_ time: Duration) {
        let reader = Reader { $0.prefetchDistance = 7 }
        let left = reader.scroll(300, every: time)
        #expect(left.count >= 5 && left.allSatisfy { $0 == 6 }, "\(left)")
        reader.stage.after { $0.setPrefetchDistance(nil) }
        #expect(reader.scroll(300, every: .milliseconds(100)).contains { $0 > 6 })
    }

    @Test func `bounds hold, and of zero to zero nothing is loaded ahead`() {
        let bounded = Reader { $0.prefetchBounds = 9...12 }
        #expect(bounded.scroll(300, every: .milliseconds(50)).allSatisfy { (8...11).contains($0) })
        #expect(bounded.scroll(300, every: .seconds(3)).dropFirst(2).allSatisfy { $0 == 8 })
        let none = Reader { $0.prefetchBounds = 0...0 }
        _ = none.scroll(45, every: .milliseconds(100))
        #expect(none.stage.source.keys == ["0"])
    }

    @Test func `pages from memory say nothing of how long loads take`() {
        let stage = ListStage(count: 1_000, pageSize: 20) { $0.prefetchDistance = nil }
        for key in stride(from: 0, to: 400, by: 20) {
            stage.paginator.fetch(key: "\(key)", pageSize: 20, listener: PaginatorFetchListener())
            stage.settle()
        }
        stage.after { $0.loadNext() }
        for row in 0..<200 {
            stage.clock.advance(by: .milliseconds(20))
            stage.after { $0.hint(visible: row..<row + 5) }
        }
        // Fifteen rows, as while nothing is known, and what is left of a page.
        #expect((220..<240).contains(stage.ids.count))
    }

    @Test func `a page whose first part came long ago says nothing of how long loads take`() {
        let stage = ListStage(count: 1_000, pageSize: 20) { $0.prefetchDistance = nil }
        let table = stage.table
        // Of the first page the source gives five rows, and the others when it is asked to go on.
        stage.source.otherwise { request in
            guard request.key == "0", case .success(let page) = table.answer(to: request) else {
                return .result(table.answer(to: request)).insideFetch
            }
            guard request.continuation == nil else {
                return .page(
                    PaginatorPage(content: Array(page.content.dropFirst(5)), key: "0", nextKey: page.nextKey)
                ).insideFetch
            }
            return .page(
                PaginatorPage(content: Array(page.content.prefix(5)), key: "0", continuation: "5")
            ).insideFetch
        }
        var request = PageRequest(key: "0", pageSize: 20)
        request.part = .items(5)
        stage.paginator.fetch(request, listener: PaginatorFetchListener())
        stage.settle()
        stage.clock.advance(by: .minutes(1))
        stage.after { $0.loadNext() }
        #expect(stage.ids.count >= 20)
        for row in 0..<100 {
            stage.clock.advance(by: .milliseconds(20))
            stage.after { $0.hint(visible: row..<row + 5) }
        }
        // A minute for a load would have a hundred rows loaded ahead.
        #expect(stage.ids.count <= 140)
    }

    @Test func `conditions rule over the distance`() {
        let connectivity = ScriptedConnectivity()
        let reader = Reader(connectivity: connectivity)
        connectivity.set(.weakLink)
        // As far as the last row but one.
        _ = reader.scroll(44, every: .milliseconds(50))
        #expect(reader.stage.source.keys == ["0"])
        connectivity.set([])
        reader.stage.settle()
        #expect(reader.stage.source.keys == ["0", "50"])
    }

    @Test func `a jump far away is no fast scrolling`() {
        let reader = Reader(count: 10_000) { $0.windowItems = 500 }
        _ = reader.scroll(60, every: .seconds(3))
        reader.stage.after { $0.jump(to: "5000") }
        reader.wait(.seconds(1))
        let place = reader.stage.ids.firstIndex(of: 5_000) ?? 0
        let calls = reader.stage.source.keys.count
        reader.scroll(to: place + 10)
        reader.wait(.seconds(10))
        #expect(reader.stage.source.keys.count <= calls + 1)
    }

    @Test func `a list without rows goes on at both ends once a view shows it`() {
        let stage = ListStage(pageSize: 10) {
            ($0.initialKey, $0.prefetchDistance, $0.maxEmptyPages) = ("50", 1, 1)
        }
        stage.table.pages.shortPages = ["50": 0, "60": 0, "70": 0]
        stage.source.script([.hang], forKey: "80")
        stage.source.script([.hang], forKey: "40")
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["50", "60", "70"], "no more empty pages in a row are loaded for one call")
        stage.after { $0.hint(visible: 0..<1) }
        #expect(stage.newKeys().sorted() == ["40", "80"])
        #expect(stage.ids == [])
    }

    @Test func `what is loaded ahead has low priority`() {
        let stage = ListStage(pageSize: 10) { ($0.prefetchDistance, $0.priority) = (5, .high) }
        stage.after { $0.loadNext() }
        stage.after { $0.hint(visible: 5..<10) }
        #expect(stage.source.calls.map(\.request.key) == ["0", "10"])
        #expect(stage.source.calls.map(\.request.priority) == [.high, .low])
    }

    @Test func `a page that is awaited while it is loaded ahead is loaded for nobody once the list is reset`() {
        let stage = ListStage(pageSize: 10) { $0.prefetchDistance = 5 }
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: "10")
        stage.after { $0.hint(visible: 5..<10) }
        stage.after { $0.loadNext() }
        #expect(stage.source.pendingCalls.map(\.request.key) == ["10"])
        stage.after { $0.reset() }
        #expect(stage.source.pendingCalls.map(\.request.key) == [])
    }

    @Test func `a source that fails is not called ahead for one page after the other that the caches have`() {
        let stage = ListStage(pageSize: 10)
        for _ in 0..<5 { stage.after { $0.loadNext() } }
        stage.paginator.invalidate(.all)
        stage.source.otherwise { _ in .fail(.retry(ListTrouble())).insideFetch }
        let list = stage.makeOtherList { $0.prefetchDistance = 25 }
        list.loadNext()
        stage.settle()
        _ = stage.newKeys()
        list.hint(visible: 0..<5)
        stage.settle()
        #expect(list.snapshot.map(\.id) == Array(0..<20) && stage.newKeys() == ["10"])
        stage.clock.advance(by: .seconds(2))
        stage.settle()
        #expect(list.snapshot.map(\.id) == Array(0..<30) && stage.newKeys() == ["20"])
    }
}
