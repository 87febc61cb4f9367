import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Gaps: filled from either end, by several at once, in whatever order the pages come.
@Suite struct ListGapTests {
    private func gappedStage(_ keys: [String] = ["50"]) -> ListStage {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        for key in keys { stage.after { $0.jump(to: key) } }
        return stage
    }

    @Test(arguments: [["10", "40"], ["40", "10"]])
    func `fills from both ends both stay`(_ order: [String]) throws {
        let stage = gappedStage()
        stage.source.script([.hang], forKey: "10")
        stage.source.script([.hang], forKey: "40")
        stage.after { $0.fillGap(at: 10) }
        stage.after { $0.fillGap(at: 10, fromEnd: true) }
        for key in order { try stage.answer(key) }
        #expect(stage.ids == Array(0..<20) + Array(40..<60))
        #expect(stage.list.snapshot.gaps == [20])
    }

    @Test func `a fill from the end stays in order though a jump lands in the same gap`() throws {
        let stage = gappedStage()
        stage.source.script([.hang], forKey: "40")
        stage.after { $0.fillGap(at: 10, fromEnd: true) }
        stage.after { $0.jump(to: "20") }
        try stage.answer("40")
        #expect(stage.ids == Array(0..<10) + Array(20..<30) + Array(40..<60))
        #expect(stage.complaints == [])
    }

    @Test(arguments: [false, true], [13, 25, 37])
    func `a gap between keys that are not aligned is filled`(_ fromEnd: Bool, _ key: Int) {
        let stage = gappedStage(["\(key)"])
        for _ in 0..<6 where !stage.list.snapshot.gaps.isEmpty {
            stage.after { $0.fillGap(at: $0.snapshot.gaps[0], fromEnd: fromEnd) }
            #expect(stage.complaints == [])
        }
        #expect(stage.list.snapshot.gaps == [])
        #expect(stage.ids == Array(0..<key + 10))
    }

    @Test(arguments: [false, true])
    func `two gaps around a page whose rows were all removed are one place until both are filled`(_ fromEnd: Bool) {
        let stage = gappedStage(["30", "60"])
        stage.table.pages.remove(30..<40)
        stage.after { list in for id in 30..<40 { list.edits.remove(id) } }
        #expect(stage.ids == Array(0..<10) + Array(60..<70))
        #expect(stage.list.snapshot.gaps == [10], "a screen has one row there, with one identity")
        for _ in 0..<8 where !stage.list.snapshot.gaps.isEmpty {
            stage.after { $0.fillGap(at: $0.snapshot.gaps[0], fromEnd: fromEnd) }
            #expect(Set(stage.list.snapshot.gaps).count == stage.list.snapshot.gaps.count)
        }
        #expect(stage.list.snapshot.gaps == [])
        #expect(stage.ids == Array(0..<30) + Array(40..<70))
    }

    @Test(arguments: [false, true])
    func `no gap is told of between pages that share their rows`(_ fromEnd: Bool) {
        let stage = ListStage(pageSize: 10)
        stage.table.pages.shortPages = ["5": 3]
        stage.after { $0.loadNext() }
        stage.after { $0.jump(to: "5") }
        #expect(stage.list.snapshot.gaps == [], "5 to 7 follow 4, which is shown")
    }

    @Test func `no gap is told of before an empty page behind the end`() {
        let stage = ListStage(count: 15, pageSize: 10)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.after { $0.jump(to: "15") }
        #expect(stage.ids == Array(0..<15))
        #expect(stage.list.snapshot.gaps == [])
        #expect(stage.list.status.next == .endReached)
    }

    @Test func `a gap before an empty page is filled`() {
        let stage = ListStage(style: .cursor, pageSize: 10)
        stage.source.script([.page(stage.page("empty", [], next: "other")).insideFetch], forKey: "empty")
        stage.after { $0.loadNext() }
        stage.after { $0.jump(to: "empty") }
        #expect(stage.list.snapshot.gaps == [10])
        stage.after { $0.fillGap(at: 10) }
        #expect(stage.ids == Array(0..<20))
    }

    @Test(arguments: [false, true], [3, -3])
    func `a gap that is filled after the server's table moved hides no row`(_ fromEnd: Bool, _ moved: Int) {
        let stage = gappedStage(["20"])
        if moved > 0 { stage.table.pages.insert(moved) } else { stage.table.pages.remove(2..<5) }
        let gone = moved > 0 ? [] : Set(2..<5)
        for _ in 0..<6 where !stage.list.snapshot.gaps.isEmpty {
            stage.after { $0.fillGap(at: $0.snapshot.gaps[0], fromEnd: fromEnd) }
            let complaints = stage.complaints.filter { text in
                // Nobody has asked for the first page again.
                text != "the start comes too early"
                    && !gone.contains { text.hasPrefix("\($0) or") || text.hasSuffix("or \($0) was deleted") }
            }
            #expect(complaints == [])
        }
        #expect(stage.list.snapshot.gaps == [])
    }

    @Test func `who fills a gap whenever told comes to an end where nothing can fill it`() {
        let stage = ListStage(style: .cursor)
        for page in [
            stage.page("start", [0, 1], next: "c"), stage.page("b", [10, 11], next: "c"), stage.page("c", [20, 21]),
        ] {
            stage.source.script([SourceStep.page(page).insideFetch], forKey: page.key)
        }
        stage.after { $0.loadNext() }
        for key in ["b", "c"] { stage.after { $0.jump(to: key, placement: .end) } }
        #expect(stage.ids == [0, 1, 10, 11, 20, 21])
        #expect(stage.list.snapshot.gaps == [2])
        let fills = Guarded(0)
        stage.list.observe { [unowned list = stage.list] update in
            let count = fills.withLock { fills in
                fills += 1
                return fills
            }
            if let gap = update.snapshot.gaps.first, count < 50 { list.fillGap(at: gap) }
        }
        stage.settle()
        #expect(fills.withLock { $0 } < 10)
        #expect(stage.updates.flatMap(\.notices) == [.repeatedKey("c")])
    }

    @Test func `a fill is told of while it loads and when it fails`() throws {
        let stage = gappedStage()
        stage.source.script([.hang], forKey: "10")
        stage.after { $0.fillGap(at: 10) }
        #expect(Array(stage.list.status.gaps.keys) == [10])
        #expect(stage.list.status.gaps[10]?.isLoading == true)
        #expect(!stage.list.status.next.isLoading && !stage.list.status.refresh.isLoading)
        let call = try #require(stage.source.pendingCalls.first)
        stage.source.answer(call, with: .failure(.fatal(ListTrouble())))
        stage.settle()
        #expect(stage.list.status.gaps[10]?.error?.code == .sourceFailed)
        #expect(stage.list.status.refresh.error == nil)
        stage.after { $0.retry() }
        #expect(stage.list.status.gaps.isEmpty)
        #expect(stage.ids == Array(0..<20) + Array(50..<60))
    }

    @Test func `a gap beside an older copy of a page that is shown can be filled`() {
        var config = PaginatorListConfig()
        (config.pageSize, config.prefetchDistance, config.addressing) = (2, 0, .offset)
        var machine = ListMachine(config: config, firstKey: "0")
        var (table, second, items) = (Array(0..<10), 0, MachineItems<Int>())
        /// Does something, and answers what it asks for: with the table, or with a copy of before the row came.
        func act(_ event: (inout ListMachine, PaginatorInstant) -> Void, copy: (rows: [Int], second: Int)? = nil) {
            second += 1
            machine.handle { event(&$0, .zero.advanced(by: .seconds(second))) }
            let actions = machine.actions
            machine.actions = []
            for case .fetch(let load, let request, _) in actions {
                guard let start = Int(request.key) else { continue }
                let rows = copy?.rows ?? Array(table.dropFirst(start).prefix(2))
                let time = PaginatorInstant.zero.advanced(by: .seconds(copy?.second ?? second))
                let page = items.page(
                    rows.map { ($0, $0) }, previous: start > 0 ? "\(max(0, start - 2))" : nil,
                    next: "\(start + 2)", fetchedAt: time,
                    refreshError: copy.map { _ in PaginatorError(.sourceFailed, "down") })
                machine.handle { $0.arrived(load, page, isFinal: true) }
            }
            machine.actions = []
        }
        act { list, _ in list.loadNext() }
        table.insert(100, at: 0)
        let row = items.row(100, 100)
        act { $0.insert([row], .head, token: nil, at: $1) }
        act { list, _ in list.jump(to: "3", .automatic) }
        act { $0.refresh(.firstPage, at: $1) }
        #expect(machine.tree.gaps == [2])
        act({ list, _ in list.fillGap(at: 2, fromStart: true) }, copy: ([2, 3], 1))
        act { list, _ in list.fillGap(at: 2, fromStart: false) }
        for _ in 0..<6 {
            if let gap = machine.tree.gaps.first { act { list, _ in list.fillGap(at: gap, fromStart: true) } }
        }
        #expect(Array(items.snapshot(of: machine)) == [100, 0, 1, 2, 3])
        #expect(machine.tree.gaps == [])
    }

    @Test(arguments: [true, false])
    func `a page that fills a gap is no older than the page before it`(_ fromStart: Bool) throws {
        var config = PaginatorListConfig()
        (config.pageSize, config.prefetchDistance, config.addressing) = (2, 0, .offset)
        var (machine, items) = (ListMachine(config: config, firstKey: "0"), MachineItems<Int>())
        func request(_ event: (inout ListMachine) -> Void) throws -> (load: UInt64, request: PageRequest) {
            machine.actions = []
            machine.handle(event)
            let fetches = machine.actions.compactMap { action in
                if case .fetch(let load, let request, _) = action { (load, request) } else { nil }
            }
            return try #require(fetches.last)
        }
        func load(_ start: Int, at second: Int, _ event: (inout ListMachine) -> Void) throws {
            let load = try request(event).load
            let page = items.page(
                [(start, start), (start + 1, start + 1)], previous: start > 0 ? "\(start - 2)" : nil,
                next: "\(start + 2)", fetchedAt: .zero.advanced(by: .seconds(second)))
            machine.handle { $0.arrived(load, page, isFinal: true) }
        }
        try load(0, at: 1) { $0.loadNext() }
        try load(6, at: 2) { $0.jump(to: "6", .automatic) }
        #expect(machine.tree.gaps == [2])
        let fill = try request { $0.fillGap(at: 2, fromStart: fromStart) }.request
        #expect(fill.key == (fromStart ? "2" : "4"))
        #expect(fill.notBefore == PaginatorInstant.zero.advanced(by: .seconds(1)))
    }

    @Test(arguments: [0, 3, -3, 7, -7], [["20", "40"], ["13", "29", "45"], ["20", "35", "60"]])
    func `gaps that are filled all at once hide no row`(_ moved: Int, _ keys: [String]) {
        let stage = gappedStage(keys)
        if moved > 0 { stage.table.pages.insert(moved) } else { stage.table.pages.remove(2..<2 - moved) }
        let gone = moved > 0 ? [] : Set(2..<2 - moved)
        for round in 0..<12 where !stage.list.snapshot.gaps.isEmpty {
            for gap in stage.list.snapshot.gaps { stage.list.fillGap(at: gap, fromEnd: round % 2 == 1) }
            stage.settle()
            let hasGaps = !stage.list.snapshot.gaps.isEmpty
            let complaints = stage.complaints.filter { text in
                // Nobody has asked for the first page again. Where a gap lies between, an older page stays where it was.
                text != "the start comes too early" && !(hasGaps && text.contains("stands below"))
                    && !gone.contains { text.hasPrefix("\($0) or") || text.hasSuffix("or \($0) was deleted") }
            }
            #expect(complaints == [])
        }
        #expect(stage.list.snapshot.gaps == [])
    }

    /// A stage whose keys count rows, which only its source knows.
    private func namedStage() -> ListStage {
        let stage = ListStage(style: .cursor)
        let table = stage.table
        stage.source.otherwise { request in
            let number = Int(request.key.dropFirst()) ?? 0
            let rows = table.pages.items.dropFirst(2 * number).prefix(2)
            return .page(
                PaginatorPage(
                    content: Array(rows), key: request.key, prevKey: "p\(number - 1)", nextKey: "p\(number + 1)")
            ).insideFetch
        }
        return stage
    }

    @Test func `copies of before and after a move that was told of before a refresh of all do not join`() {
        let stage = namedStage()
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.table.pages.insert(1)
        stage.after { $0.refresh(.page("p1")) }
        #expect(stage.ids == [0, 1, 2, 4, 5] && stage.list.snapshot.gaps == [3])
        stage.after { $0.refresh(.all) }
        stage.source.otherwise { _ in .fail(.fatal(ListTrouble())).insideFetch }
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        #expect(stage.ids == [100, 0, 1, 2, 4, 5], "a cached page stands in")
        #expect(stage.list.snapshot.gaps.contains(4), "3 is missing")
    }

    @Test func `keys that only the source knows to count rows join no pages of before and after a move`() {
        let stage = namedStage()
        stage.after { $0.jump(to: "p6") }
        stage.table.pages.insert(1)
        stage.after { $0.loadNext() }
        #expect(stage.ids == [12, 13, 14], "they share a row, so the table has moved")
        stage.after { $0.loadPrevious() }
        #expect(stage.ids == [9, 10, 12, 13, 14] && stage.list.snapshot.gaps == [2])
        for _ in 0..<2 {
            if let gap = stage.list.snapshot.gaps.first { stage.after { $0.fillGap(at: gap) } }
        }
        #expect(stage.ids == [9, 10, 11, 12, 13, 14] && stage.list.snapshot.gaps == [])
    }

    @Test func `a gap before rows of which one was deleted and the others are shown above can be filled`() {
        let stage = ListStage(count: 8, style: .cursor)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.after { $0.edits.begin(2) { _ in nil }.commit() }
        stage.table.pages.remove(2..<3)
        stage.table.pages.insert(1)
        stage.after { $0.refresh(.firstPage) }
        #expect(stage.ids == [8, 0, 3] && stage.list.snapshot.gaps == [2])
        for _ in 0..<8 {
            if let gap = stage.list.snapshot.gaps.first { stage.after { $0.fillGap(at: gap) } }
        }
        stage.loadToTheEnd()
        #expect(stage.ids == stage.firstRows(8) && stage.list.snapshot.gaps == [])
        #expect(stage.list.status.next == .endReached)
    }

    /// A source whose keys are numbers that fall: each names the greatest item of its page.
    private func fallingStage(newest: Guarded<Int>) -> ListStage {
        let stage = ListStage(pageSize: 10) { $0.addressing = .opaque }
        stage.source.otherwise { [unowned stage] request in
            let first = request.key == "0" ? newest.withLock { $0 } : Int(request.key) ?? 0
            let ids = (max(0, first - 9)...first).reversed()
            return .page(stage.page(request.key, Array(ids), next: first > 9 ? "\(first - 10)" : nil)).insideFetch
        }
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        return stage
    }

    @Test func `a gap between cursors that are falling numbers is filled`() {
        let newest = Guarded(99)
        let stage = fallingStage(newest: newest)
        newest.withLock { $0 = 199 }
        stage.after { $0.refresh(.firstPage) }
        #expect(stage.list.snapshot.gaps == [10])
        for _ in 0..<20 { if let gap = stage.list.snapshot.gaps.first { stage.after { $0.fillGap(at: gap) } } }
        #expect(stage.list.snapshot.gaps == [] && stage.ids == (70...199).reversed())
    }

    @Test func `a jump among cursors that are falling numbers keeps the order`() {
        let stage = fallingStage(newest: Guarded(99))
        stage.after { $0.jump(to: "49") }
        #expect(stage.ids == (70...99).reversed() + (40...49).reversed())
    }

    @Test func `a jump among page numbers goes by number`() {
        let stage = ListStage(style: .number, pageSize: 10)
        stage.after { $0.loadNext() }
        for key in ["9", "5"] { stage.after { $0.jump(to: key) } }
        #expect(stage.ids == Array(0..<10) + Array(40..<50) + Array(80..<90))
    }

    @Test(arguments: [9, 10])
    func `a refresh of a page whose first or last row was removed opens no gap`(_ row: Int) {
        let stage = ListStage(style: .cursor, pageSize: 10)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.after { $0.edits.remove(row) }
        let page =
            row == 9
            ? stage.page("start", Array(0..<9), next: "after:9")
            : stage.page("after:9", Array(11..<20), next: "after:19", previous: "start")
        stage.source.script([.page(page).insideFetch], forKey: page.key)
        stage.after { $0.refresh(.page(page.key)) }
        #expect(stage.ids == (0..<30).filter { $0 != row })
        #expect(stage.list.snapshot.gaps == [] && stage.updates.flatMap(\.notices) == [])
    }

    @Test func `a refresh that still has a removed last row opens no gap`() {
        let stage = ListStage(style: .cursor, pageSize: 10)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.after { $0.edits.remove(9) }
        stage.after { $0.refresh(.firstPage) }
        #expect(stage.ids == Array(0..<30) && stage.list.snapshot.gaps == [])
    }

    @Test(arguments: [false, true])
    func `a gap is filled after a page's worth of rows was inserted above`(_ fromEnd: Bool) {
        let stage = ListStage(pageSize: 10)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.after { $0.jump(to: "30") }
        stage.insertLive(10)
        _ = stage.newKeys()
        stage.after { $0.fillGap(at: 30, fromEnd: fromEnd) }
        #expect(stage.newKeys() == ["30"])
        #expect(stage.ids == stage.firstRows(50))
        // The page after the new one may be older than it.
        if let gap = stage.list.snapshot.gaps.first { stage.after { $0.fillGap(at: gap) } }
        #expect(stage.list.snapshot.gaps == [] && stage.complaints == [])
    }
}
