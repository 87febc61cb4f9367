import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Loads of a list: how many, for which pages, and what failures leave behind.
@Suite struct ListLoadingTests {
    @Test func `ten calls in a burst load one page`() {
        let stage = ListStage()
        for _ in 0..<10 { stage.list.loadNext() }
        stage.settle()
        #expect(stage.newKeys() == ["0"])
        for _ in 0..<10 { stage.list.loadNext() }
        stage.settle()
        #expect(stage.newKeys() == ["2"])
        for _ in 0..<10 { stage.list.hint(visible: 2..<4) }
        stage.list.setPrefetchDistance(1)
        for _ in 0..<10 { stage.list.hint(visible: 2..<4) }
        stage.settle()
        #expect(stage.newKeys() == ["4"])
    }

    /// The layout of a view hints after each update, mostly with the range of before.
    @Test func `who asks for what is under way whenever it is told comes to an end`() {
        let stage = ListStage(count: 10)
        let told = Handshake(0)
        let list = stage.list
        stage.list.observe { [weak list] _ in
            told.update { $0 += 1 }
            // Without an end, this would go on until the machine stops.
            guard told.read({ $0 }) < 1_000 else { return }
            list?.loadNext()
            list?.retry()
            list?.hint(visible: 0..<2)
            list?.setPrefetchPaused(false)
        }
        stage.settle()
        #expect(told.read { $0 } < 100)
    }

    @Test func `an observer may hint when it is told`() {
        let stage = ListStage { $0.prefetchDistance = 4 }
        let hints = Handshake(0)
        stage.list.observe { [unowned stage] update in
            hints.update { $0 += 1 }
            if hints.read({ $0 }) < 1_000 { stage.list.hint(visible: 0..<min(3, update.snapshot.count)) }
        }
        stage.after { $0.loadNext() }
        #expect(stage.ids.count >= 6, "it loaded ahead")
        let before = hints.read { $0 }
        #expect(before < 100)
        stage.after { $0.hint(visible: 0..<3) }
        #expect(hints.read { $0 } == before)
        stage.after { $0.hint(visible: 2..<5) }
        #expect(hints.read { $0 } > before, "the anchor is told")
        #expect(hints.read { $0 } < before + 100)
    }

    @Test func `one retry runs what failed and only that`() {
        let stage = ListStage { $0.initialKey = "50" }
        stage.after { $0.loadNext() }
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "52")
        stage.after { $0.loadNext() }
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "48")
        stage.after { $0.loadPrevious() }
        #expect(stage.list.status.next.error?.code == .sourceFailed)
        #expect(stage.list.status.previous.error?.code == .sourceFailed)
        #expect(stage.ids == [50, 51])
        _ = stage.newKeys()
        stage.after { $0.retry() }
        #expect(stage.newKeys() == ["52", "48"])
        #expect(stage.ids == [48, 49, 50, 51, 52, 53])
        stage.after { $0.retry() }
        #expect(stage.newKeys() == [])
    }

    @Test func `a refresh error keeps the items`() {
        let stage = ListStage()
        stage.after { $0.loadNext() }
        stage.after { $0.loadNext() }
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "0")
        stage.after { $0.refresh() }
        #expect(stage.ids == [0, 1, 2, 3])
        #expect(stage.list.status.refresh.error?.code == .sourceFailed)
        stage.after { $0.retry() }
        #expect(stage.ids == [0, 1])
        #expect(stage.list.status.refresh.error == nil)
    }

    @Test func `cancelling a first load leaves the state as before`() {
        let stage = ListStage()
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.loadNext() }
        #expect(stage.list.status.refresh.isLoading)
        stage.after { $0.cancelLoads() }
        #expect(!stage.list.status.refresh.isLoading)
        #expect(stage.list.status.refresh.error == nil)
        #expect(!stage.list.status.hasLoaded)
        #expect(stage.source.calls[0].isCancelled)
        stage.after { $0.loadNext() }
        #expect(stage.ids == [0, 1])
    }

    @Test func `an empty first page is loaded and the end`() {
        let stage = ListStage(count: 0)
        stage.after { $0.loadNext() }
        #expect(stage.list.status.hasLoaded)
        #expect(stage.list.status.next == .endReached)
        #expect(stage.list.status.previous == .endReached)
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["0"])
    }

    @Test func `a hint during the first load is remembered`() {
        let stage = ListStage(pageSize: 10) { $0.prefetchDistance = 5 }
        stage.list.loadNext()
        stage.list.hint(visible: 4..<8)
        stage.settle()
        #expect(stage.newKeys() == ["0", "10"])
    }

    @Test func `hints load ahead by a distance that can change and pause`() {
        let stage = ListStage(pageSize: 10) { $0.initialKey = "50" }
        stage.after { $0.loadNext() }
        stage.after { $0.hint(visible: 3..<6) }
        #expect(stage.newKeys() == ["50"])
        stage.list.setPrefetchPaused(true)
        stage.after { $0.setPrefetchDistance(4) }
        #expect(stage.newKeys() == [])
        stage.after { $0.setPrefetchPaused(false) }
        #expect(stage.newKeys() == ["40"])
        stage.after { $0.setPrefetchDistance(5) }
        #expect(stage.newKeys() == ["60"])
    }

    @Test func `what a hint loads leaves the last free slot until somebody waits for it`() throws {
        let stage = ListStage(pageSize: 10) { $0.prefetchDistance = 5 }
        stage.after { $0.loadNext() }
        stage.source.otherwise { _ in .hang }
        // Three of the four slots are taken.
        for key in ["40", "50", "60"] {
            stage.paginator.fetch(key: key, pageSize: 10, listener: PaginatorFetchListener())
        }
        stage.after { $0.hint(visible: 6..<10) }
        #expect(stage.newKeys() == ["0", "40", "50", "60"])
        #expect(stage.list.status.next.isLoading)
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["10"])
        let request = try #require(stage.source.calls.last?.request)
        #expect(request.priority == .medium && !request.isPrefetch)
        let call = try #require(stage.source.pendingCalls.last)
        stage.source.answer(call, with: .success(stage.page("10", Array(10..<20), next: "20", previous: "0")))
        stage.settle()
        #expect(stage.ids == Array(0..<20) && stage.newKeys() == [])
        #expect(!stage.source.calls[4].isCancelled, "the load that ran ahead went on")
    }

    @Test func `an expired key begins again once and never in a loop`() {
        let stage = ListStage()
        stage.after { $0.loadNext() }
        stage.source.script(
            Array(repeating: .fail(.keyExpired(ListTrouble())).insideFetch, count: 5), forKey: "2")
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["0", "2", "0"])
        #expect(stage.ids == [0, 1])
        #expect(stage.updates.flatMap(\.notices).contains(.restarted))
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["2"])
        #expect(stage.list.status.next.error?.code == .expiredKey)
    }

    @Test func `a key that the list has ends the direction`() {
        let stage = ListStage()
        stage.table.pages.nextKeys = ["2": "0"]
        for _ in 0..<4 { stage.after { $0.loadNext() } }
        #expect(stage.newKeys() == ["0", "2"])
        #expect(stage.list.status.next == .endReached)
        #expect(stage.updates.flatMap(\.notices) == [.repeatedKey("0")])
    }

    @Test func `releasing the list stops its loads`() throws {
        var stage: ListStage? = ListStage()
        stage?.source.script([.hang], forKey: "0")
        stage?.list.loadNext()
        stage?.settle()
        let source = try #require(stage?.source)
        weak let list = stage?.list
        weak let engine = stage?.list.engine
        let executor = try #require(stage?.executor)
        stage = nil
        while executor.runOne(choose: { _ in 0 }) {}
        #expect(list == nil)
        #expect(engine == nil)
        #expect(source.calls[0].isCancelled)
    }

    @Test func `no update comes inside a call`() {
        let stage = ListStage()
        stage.list.loadNext()
        stage.list.insertLive([SampleItem(id: 900, text: "")])
        #expect(stage.updates.isEmpty)
        stage.settle()
        #expect(!stage.updates.isEmpty)
    }

    @Test(arguments: [false, true])
    func `a hint goes on behind pages without items until there are some`(_ isEarly: Bool) {
        let stage = ListStage(style: .cursor) { $0.prefetchDistance = 5 }
        for page in [stage.page("start", [], next: "b"), stage.page("b", [], next: "c"), stage.page("c", [1, 2])] {
            stage.source.script([SourceStep.page(page).insideFetch], forKey: page.key)
        }
        if isEarly {
            stage.list.loadNext()
            stage.after { $0.hint(visible: 0..<0) }
        } else {
            stage.after { $0.loadNext() }
            stage.after { $0.hint(visible: 0..<0) }
        }
        #expect(stage.ids == [1, 2])
        #expect(stage.list.status.next == .endReached)
    }

    @Test func `a call goes on behind pages without items until there are some`() {
        let stage = ListStage(style: .cursor)
        let pages = [
            stage.page("start", [1, 2], next: "b"), stage.page("b", [], next: "c", previous: "start"),
            stage.page("c", [], next: "d", previous: "b"), stage.page("d", [3, 4], previous: "c"),
        ]
        for page in pages { stage.source.script([SourceStep.page(page).insideFetch], forKey: page.key) }
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["start"])
        stage.after { $0.loadNext() }
        #expect(stage.ids == [1, 2, 3, 4])
        #expect(stage.list.snapshot.gaps.isEmpty && stage.list.status.next == .endReached)
    }

    @Test func `calls for what is before go on behind pages without items, too`() {
        let stage = ListStage(style: .cursor)
        let pages = [
            stage.page("start", [9]), stage.page("d", [3, 4], previous: "c"), stage.page("c", [], previous: "b"),
            stage.page("b", [1, 2]),
        ]
        for page in pages { stage.source.script([SourceStep.page(page).insideFetch], forKey: page.key) }
        stage.after { $0.jump(to: "d") }
        stage.after { $0.loadPrevious() }
        #expect(stage.ids == [1, 2, 3, 4])
        #expect(stage.list.snapshot.gaps.isEmpty)
    }

    @Test func `a list that begins behind the last row shows the rows before`() {
        let beginnings: [(PaginatorList<SampleItem, Int>) -> Void] = [
            { $0.loadNext() }, { $0.refresh() }, { $0.jump(to: "10") }, { $0.show(scope: "other", initialKey: "10") },
        ]
        for begin in beginnings {
            let stage = ListStage(count: 10, pageSize: 5) { $0.initialKey = "10" }
            stage.after(begin)
            #expect(stage.newKeys() == ["10", "5"])
            #expect(stage.ids == Array(5..<10) && stage.list.snapshot.gaps == [])
            #expect(stage.list.status.next == .endReached && stage.list.status.previous == .idle)
        }
    }

    @Test(arguments: [[1, 2], []], [nil, "m"] as [String?])
    func `behind a first page without items a list goes on at its end, then at its start, until both are reached`(
        _ first: [Int], _ repeatedKey: String?
    ) {
        let stage = ListStage(style: .cursor) { $0.initialKey = "m" }
        let pages = [
            stage.page("m", [], next: "n", previous: "l"),
            stage.page("n", [], next: repeatedKey, previous: "m"), stage.page("l", first),
        ]
        for page in pages { stage.source.script([SourceStep.page(page).insideFetch], forKey: page.key) }
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["m", "n", "l"])
        #expect(stage.ids == first)
        #expect(stage.list.status.next == .endReached && stage.list.status.previous == .endReached)
    }

    @Test func `a hint does not follow pages without items for ever`() {
        let stage = ListStage(style: .cursor) {
            $0.prefetchDistance = 5
            $0.maxEmptyPages = 3
        }
        stage.source.otherwise { [unowned stage] in .page(stage.page($0.key, [], next: $0.key + "+")).insideFetch }
        stage.after { $0.loadNext() }
        #expect(stage.newKeys().count == 5, "the first page, and four behind it")
        stage.after { $0.hint(visible: 0..<0) }
        #expect(stage.newKeys().count == 4)
        #expect(stage.list.status.hasNext)
        stage.after { $0.hint(visible: 0..<0) }
        #expect(stage.newKeys().count == 4)
    }

    @Test func `a refresh that brings no item is followed by the pages behind it`() {
        let stage = ListStage(style: .cursor) { $0.prefetchDistance = 5 }
        stage.after { $0.loadNext() }
        stage.after { $0.hint(visible: 0..<2) }
        stage.source.script([SourceStep.page(stage.page("start", [], next: "after:9")).insideFetch], forKey: "start")
        stage.after { $0.refresh() }
        #expect(stage.ids.first == 10)
    }

    @Test func `a list looks ahead after many of its pages came anew`() {
        let stage = ListStage { $0.prefetchDistance = 4 }
        stage.list.setPrefetchPaused(true)
        for _ in 0..<20 { stage.after { $0.loadNext() } }
        stage.after { $0.hint(visible: 36..<40) }
        stage.after { $0.refresh(.keepingPlace) }
        #expect(stage.ids == Array(0..<40))
        stage.after { $0.setPrefetchPaused(false) }
        #expect(stage.ids.count > 40)
    }
}
