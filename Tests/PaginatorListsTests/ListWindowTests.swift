import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// The bounded window: what is dropped, what comes back, and from where.
@Suite struct ListWindowTests {
    private func stage(window: Int, from key: String = "50", memoryPages: Int = 200) -> ListStage {
        ListStage(memoryPages: memoryPages) { config in
            config.windowItems = window
            config.initialKey = key
        }
    }

    @Test func `appending beyond the window drops the first page and leaves more before`() {
        let stage = stage(window: 4)
        stage.after { $0.loadNext() }
        #expect(stage.ids == [50, 51])
        stage.after { $0.loadNext() }
        #expect(stage.ids == [50, 51, 52, 53])
        stage.after { $0.loadNext() }
        #expect(stage.ids == [52, 53, 54, 55])
        #expect(stage.list.status.previous != .endReached)
        #expect(stage.newKeys() == ["50", "52", "54"])
        let last = stage.updates.last?.difference
        #expect(last?.removals == [0..<2])
        #expect(last?.insertions.map(\.range) == [2..<4])
    }

    /// Found by fuzzing: the distance was added to a position.
    @Test func `the greatest prefetch distance loads what there is`() {
        let stage = stage(window: 4)
        stage.after { $0.loadNext() }
        stage.after { $0.setPrefetchDistance(.max) }
        stage.after { $0.hint(visible: 1..<2) }
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        #expect(stage.ids.contains(51))
        #expect(stage.ids.count > 4)
    }

    @Test func `a dropped page comes back from the cache`() {
        let stage = stage(window: 4)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        _ = stage.newKeys()
        stage.after { $0.loadPrevious() }
        #expect(stage.ids == [50, 51, 52, 53])
        #expect(stage.newKeys() == [])
        #expect(stage.list.snapshot.gaps == [])
        stage.after { $0.loadNext() }
        #expect(stage.ids == [52, 53, 54, 55])
        #expect(stage.newKeys() == [])
        #expect(stage.list.engine.machine.invariantViolations() == [])
    }

    @Test func `a dropped page comes back from the cache behind a page that was loaded later`() {
        let stage = ListStage(count: 300, style: .cursor, pageSize: 10) { $0.windowItems = 30 }
        stage.after { $0.loadNext() }
        stage.after { $0.jump(to: "after:29") }
        stage.after { $0.hint(visible: 0..<4) }
        for gap in [10, 20] { stage.after { $0.fillGap(at: gap) } }
        #expect(stage.ids == Array(0..<30))
        _ = stage.newKeys()
        stage.after { $0.loadNext() }
        #expect(stage.ids.last == 39 && stage.list.snapshot.gaps == [])
        #expect(stage.newKeys() == [])
    }

    @Test func `a row that was removed on a page dropped long ago moves the following keys by one`() {
        let stage = ListStage(count: 1_000, pageSize: 100) { $0.windowItems = 200 }
        for _ in 0..<6 { stage.after { $0.loadNext() } }
        _ = stage.newKeys()
        stage.table.pages.remove(5..<6)
        stage.after { $0.edits.remove(5) }
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["599"])
        #expect(stage.ids.last == 699 && stage.list.snapshot.gaps == [])
    }

    @Test func `so does a row whose removal was begun while it was shown, and that no cache has any more`() {
        let stage = ListStage(count: 1_000, pageSize: 100, memoryPages: 1) { $0.windowItems = 200 }
        stage.after { $0.loadNext() }
        let removal = stage.list.edits.begin(5) { _ in nil }
        stage.settle()
        for _ in 0..<5 { stage.after { $0.loadNext() } }
        #expect(stage.paginator.peek(key: "0", pageSize: 100) == nil)
        stage.table.pages.remove(5..<6)
        stage.after { _ in removal.commit() }
        _ = stage.newKeys()
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["599"])
        #expect(stage.ids.last == 699 && stage.complaints == [])
    }

    @Test func `a next key that leads back to a dropped page ends the direction, and is reported once`() {
        let stage = ListStage(style: .cursor) { $0.windowItems = 4 }
        stage.table.pages.nextKeys = ["after:5": "start"]
        for _ in 0..<6 { stage.after { $0.loadNext() } }
        #expect(stage.newKeys() == ["start", "after:1", "after:3", "after:5"])
        #expect(stage.ids == [4, 5, 6, 7] && stage.list.status.next == .endReached)
        #expect(stage.updates.flatMap(\.notices) == [.repeatedKey("start")])
        stage.after { $0.loadPrevious() }
        #expect(stage.ids == [2, 3, 4, 5])
    }

    @Test func `a row on a page that was dropped long ago comes back with the value that the source pushed since`() {
        let stage = ListStage(count: 1_000, style: .cursor, pageSize: 100) { $0.windowItems = 200 }
        for _ in 0..<6 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(400..<600))
        _ = stage.newKeys()
        // Of items that no row shows, the list remembers the values of the last 256.
        stage.after { $0.insertLive([SampleItem(id: 110, text: "pushed")]) }
        #expect(stage.ids == Array(400..<600) && stage.list.status.newAbove == 0)
        for _ in 0..<3 {
            stage.after { $0.hint(visible: 0..<3) }
            stage.after { $0.loadPrevious() }
        }
        #expect(stage.ids.first == 100 && stage.newKeys() == [])
        #expect(stage.list.snapshot.first { $0.id == 110 }?.text == "pushed")
    }

    @Test func `dropping the start page resets the end flag of the start`() {
        let stage = stage(window: 4, from: "2")
        stage.after { $0.loadNext() }
        stage.after { $0.loadPrevious() }
        #expect(stage.ids == [0, 1, 2, 3])
        #expect(stage.list.status.previous == .endReached)
        stage.after { $0.loadNext() }
        #expect(stage.ids == [2, 3, 4, 5])
        #expect(stage.list.status.previous != .endReached)
    }

    @Test func `never fewer than two pages are kept`() {
        let stage = stage(window: 1)
        for _ in 0..<4 { stage.after { $0.loadNext() } }
        #expect(stage.ids == [54, 55, 56, 57])
    }

    @Test func `a window of one row holds one, beside a page without rows`() {
        let stage = ListStage(pageSize: 1) { $0.windowItems = 1 }
        stage.table.pages.shortPages = ["1": 0]
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        #expect(stage.newKeys() == ["0", "1", "2"])
        #expect(stage.ids == [2] && stage.list.status.hasPrevious)
    }

    @Test func `a visible page is not dropped`() {
        let stage = stage(window: 4)
        stage.after { $0.loadNext() }
        stage.after { $0.hint(visible: 0..<2) }
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        #expect(stage.ids == [50, 51, 52, 53, 54, 55, 56, 57])
        stage.after { $0.hint(visible: 6..<8) }
        stage.after { $0.loadNext() }
        #expect(stage.ids == [56, 57, 58, 59])
    }

    @Test func `pages in the window are pinned in memory and dropped ones are not`() {
        let stage = stage(window: 4, memoryPages: 1)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        #expect(stage.paginator.engine.memory.pinnedUsage.pages == 2)
        #expect(stage.paginator.peek(key: "52", pageSize: 2) != nil)
        #expect(stage.paginator.peek(key: "54", pageSize: 2) != nil)
        stage.after { $0.reset() }
        #expect(stage.paginator.engine.memory.pinnedUsage.pages == 0)
    }

    @Test func `a list keeps its page though it was cleared and another list lets go of it`() {
        let stage = stage(window: 4, memoryPages: 1)
        stage.after { $0.loadNext() }
        var config = PaginatorListConfig()
        config.pageSize = 2
        config.windowItems = 4
        config.initialKey = "50"
        var other: PaginatorList? = PaginatorList(stage.paginator, id: \.id, config: config)
        stage.paginator.clear(key: "50")
        other?.loadNext()
        stage.settle()
        #expect(stage.paginator.engine.memory.pinnedUsage.pages == 1)
        other = nil
        stage.settle()
        #expect(stage.paginator.engine.memory.pinnedUsage.pages == 1, "the first list still shows it")
        stage.paginator.clear(key: "50")
        stage.after { $0.refresh(.keepingPlace) }
        #expect(stage.paginator.engine.memory.pinnedUsage.pages == 1)
        stage.after { $0.reset() }
        #expect(stage.paginator.engine.memory.pinnedUsage.pages == 0)
    }

    @Test(arguments: [false, true])
    func `a refresh whose page the window drops ends`(isOutdated: Bool) throws {
        let stage = ListStage(pageSize: 2) { $0.windowItems = 4 }
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.source.script([.hang], forKey: "2")
        let ends = Guarded<[PaginatorError?]>([])
        stage.after { $0.refresh(.page("2")) { error in ends.withLock { $0.append(error) } } }
        // The answer may lack a row, so it would be asked for again.
        if isOutdated { stage.after { $0.edits.remove(0) } }
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        #expect(!stage.ids.contains(2))
        let call = try #require(stage.source.pendingCalls.first)
        _ = stage.newKeys()
        stage.source.answer(call, with: stage.table.pages.answer(to: call.request))
        stage.settle()
        #expect(ends.withLock { $0.count } == 1)
        #expect(stage.newKeys() == [])
        #expect(!stage.list.status.refresh.isLoading)
    }

    @Test func `a failed refresh of a page is not told of any more once the window has dropped the page`() {
        let stage = ListStage(pageSize: 10) { $0.windowItems = 30 }
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "0")
        stage.after { $0.refresh(.page("0")) }
        #expect(stage.list.status.refresh.error != nil)
        for _ in 0..<3 {
            stage.after { $0.hint(visible: stage.ids.count - 5..<stage.ids.count) }
            stage.after { $0.loadNext() }
        }
        #expect(!stage.ids.contains(0))
        #expect(stage.list.status.refresh.error == nil)
    }

    /// Scrolls down or up, and looks at the rows that come.
    private func scroll(_ stage: ListStage, up isUp: Bool, pages: Int) {
        for _ in 0..<pages {
            let count = stage.ids.count
            stage.after { $0.hint(visible: isUp ? 0..<5 : count - 5..<count) }
            stage.after { isUp ? $0.loadPrevious() : $0.loadNext() }
        }
    }

    @Test(arguments: [9, 10], [SamplePages.Style.cursor, .offset])
    func `a page whose first or last row was removed comes back without a gap`(
        _ row: Int, _ style: SamplePages.Style
    ) {
        let stage = ListStage(style: style, pageSize: 10) { $0.windowItems = 30 }
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.after { $0.edits.remove(row) }
        scroll(stage, up: false, pages: 4)
        #expect(!stage.ids.contains(11))
        _ = stage.newKeys()
        scroll(stage, up: true, pages: 5)
        #expect(stage.ids.prefix(25) == Array(0..<26).filter { $0 != row }[...])
        #expect(stage.list.snapshot.gaps == [] && stage.newKeys() == [])
    }

    @Test(arguments: [9, 10])
    func `a page comes back without a gap after its first or last row got another identity`(_ row: Int) {
        let stage = ListStage(style: .cursor, pageSize: 10) { $0.windowItems = 30 }
        scroll(stage, up: false, pages: 6)
        #expect(!stage.ids.contains(row))
        let edit = stage.list.edits.begin(row) { $0 }
        edit.commit(with: SampleItem(id: 500, text: "renamed"))
        stage.settle()
        scroll(stage, up: true, pages: 5)
        #expect(stage.ids.prefix(20) == Array(0..<20).map { $0 == row ? 500 : $0 }[...])
        #expect(stage.list.snapshot.gaps == [])
    }

    @Test(arguments: [false, true])
    func `a failed refresh of a first page that the window has dropped is retried`(isOffline: Bool) {
        let connectivity = ScriptedConnectivity()
        let stage = ListStage(pageSize: 10, connectivity: connectivity) { $0.windowItems = 30 }
        scroll(stage, up: false, pages: 8)
        #expect(!stage.ids.contains(0))
        if isOffline {
            connectivity.set(.offline)
        } else {
            stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "0")
        }
        stage.after { $0.refresh(.firstPage) }
        #expect(stage.list.status.refresh.error != nil)
        stage.table.pages.items[0].text = "new"
        _ = stage.newKeys()
        if isOffline {
            connectivity.set([])
            stage.settle()
        } else {
            stage.after { $0.retry() }
        }
        #expect(stage.newKeys() == ["0"] && stage.list.status.refresh == .idle)
        scroll(stage, up: true, pages: 8)
        #expect(stage.list.snapshot.first == SampleItem(id: 0, text: "new"))
        #expect(stage.list.snapshot.gaps == [])
    }
}
