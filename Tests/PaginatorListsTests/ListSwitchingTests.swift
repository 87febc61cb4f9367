import Dispatch
import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// A list that shows something else: another search, filter or order.
@Suite struct ListSwitchingTests {
    // All items in one scope, the even ones in another, and none in a third.
    private func makeStage(_ configure: (inout PaginatorListConfig) -> Void = { _ in }) -> ListStage {
        let stage = ListStage(count: 40, pageSize: 10, configure: configure)
        var even = SamplePages(count: 40)
        for number in (0..<20).reversed() { even.remove(2 * number + 1..<2 * number + 2) }
        stage.table.scopes = ["": stage.table.pages, "even": even, "none": SamplePages(count: 0)]
        return stage
    }

    private let even = Array(stride(from: 0, to: 20, by: 2))

    @Test func `what was shown stays until the first page has come, and items that both have stay where they are`() {
        let stage = makeStage()
        stage.after { $0.loadNext() }
        let old = stage.list.snapshot
        stage.list.show(scope: "even")
        #expect(stage.ids == Array(0..<10) && stage.list.status.refresh == .loading && stage.list.status.hasLoaded)
        stage.settle()
        #expect(stage.ids == even && stage.list.status.refresh == .idle)
        let difference = PaginatorListDifference(from: old, to: stage.list.snapshot)
        #expect(stage.updates.last?.difference == difference)
        #expect(difference.removals.joined().map { old[$0].id } == [1, 3, 5, 7, 9])
        #expect(difference.insertions.flatMap(\.items).map(\.id) == [10, 12, 14, 16, 18] && difference.moves.isEmpty)
        stage.after { $0.loadNext() }
        #expect(stage.ids == Array(stride(from: 0, to: 40, by: 2)) && stage.list.snapshot.gaps == [])
    }

    @Test func `what was shown goes at once where it is not to be kept`() {
        let stage = makeStage()
        stage.after { $0.loadNext() }
        stage.list.show(scope: "none", keepsItems: false)
        #expect(stage.ids == [] && !stage.list.status.hasLoaded && stage.list.status.refresh == .loading)
        stage.settle()
        #expect(stage.list.status.hasLoaded && stage.list.status.next == .endReached)
    }

    @Test(arguments: [true, false])
    func `a new list shows the scope that it was told last`(_ keepsItems: Bool) {
        let stage = makeStage()
        stage.list.show(scope: "none", keepsItems: keepsItems)
        stage.list.show(scope: "even", initialKey: "10", keepsItems: keepsItems)
        stage.settle()
        #expect(stage.ids == Array(stride(from: 20, to: 40, by: 2)))
        stage.after { $0.loadPrevious() }
        #expect(stage.ids == Array(stride(from: 0, to: 40, by: 2)))
    }

    @Test(arguments: [true, false])
    func `there and back again ends where it began, and late answers are not shown`(_ keepsItems: Bool) throws {
        let stage = makeStage()
        stage.after { $0.loadNext() }
        stage.source.script([.hang, .hang], forKey: "0")
        stage.after { $0.show(scope: "even", keepsItems: keepsItems) }
        stage.after { $0.show(scope: "none", keepsItems: keepsItems) }
        stage.after { $0.show(scope: "", keepsItems: keepsItems) }
        #expect(stage.ids == Array(0..<10))
        for call in stage.source.calls { stage.source.answer(call, with: .success(stage.page("0", [77, 78]))) }
        stage.settle()
        #expect(stage.ids == Array(0..<10) && stage.list.status.refresh == .idle)
    }

    @Test func `loads of the old scope end, and their answers are not shown`() {
        let stage = makeStage()
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: "10")
        stage.after { $0.loadNext() }
        let ended = Guarded<[PaginatorError.Code?]>([])
        stage.list.refresh(.page("10")) { error in ended.withLock { $0.append(error?.code) } }
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.refresh(.firstPage) { error in ended.withLock { $0.append(error?.code) } } }
        stage.after { $0.show(scope: "even") }
        for call in stage.source.calls { stage.source.answer(call, with: .success(stage.page("10", [77, 78]))) }
        stage.settle()
        #expect(ended.withLock { $0 } == [nil, .cancelled])
        #expect(stage.ids == even)
    }

    @Test func `hints and loads meanwhile are for the new scope`() {
        let stage = makeStage { $0.prefetchDistance = 5 }
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.show(scope: "even") }
        _ = stage.newKeys()
        stage.after { $0.hint(visible: 8..<10) }
        stage.after { $0.hint(visible: 4) }
        stage.after { $0.loadNext() }
        stage.after { $0.loadPrevious() }
        stage.after { $0.fillGap(at: 10) }
        #expect(stage.newKeys() == [] && stage.ids == Array(0..<10) && stage.updates.last?.anchor == 4)
        stage.after { $0.jump(to: "10") }
        #expect(stage.newKeys() == ["10"] && stage.ids == Array(stride(from: 20, to: 40, by: 2)))
    }

    @Test func `what another list renews of the old scope is not shown`() {
        let stage = makeStage()
        stage.after { $0.loadNext() }
        let other = stage.makeOtherList()
        other.loadNext()
        stage.settle()
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.show(scope: "even") }
        stage.table.scopes[""]?.insert(3)
        other.refresh()
        stage.settle()
        #expect(other.snapshot.ids.prefix(4) == [40, 41, 42, 0])
        #expect(stage.ids == Array(0..<10))
        stage.after { _ in stage.paginator.invalidate(.all) }
        #expect(stage.ids == Array(0..<10))
    }

    @Test func `rows that are kept during a switch tell that the connection is gone`() {
        let connectivity = ScriptedConnectivity()
        let stage = ListStage(pageSize: 10, connectivity: connectivity)
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.show(scope: "other") }
        connectivity.set(.offline)
        stage.settle()
        #expect(stage.ids == Array(0..<10) && stage.list.status.scope == "")
        #expect(stage.list.status.freshness == .offline(savedAt: stage.clock.wallTime))
        connectivity.set([])
        stage.settle()
        #expect(stage.list.status.freshness == .fresh(savedAt: stage.clock.wallTime))
    }

    @Test func `where the first page cannot be had what is kept stays, and a retry asks for the new scope`() {
        let stage = makeStage()
        stage.after { $0.loadNext() }
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "0")
        stage.after { $0.show(scope: "even") }
        #expect(stage.ids == Array(0..<10) && stage.list.status.refresh.error?.code == .sourceFailed)
        stage.after { $0.retry() }
        #expect(stage.ids == even && stage.list.status.refresh == .idle)
    }

    @Test func `who loads whenever nothing loads does not hammer a source that fails after a switch`() {
        let stage = makeStage()
        stage.after { $0.loadNext() }
        let (pages, loads) = (stage.table, Guarded(0))
        stage.source.otherwise { request in
            guard request.scope == "even" else { return .result(pages.pages.answer(to: request)).insideFetch }
            return .fail(.fatal(ListTrouble())).insideFetch
        }
        let list = stage.list
        list.observe { [unowned list] update in
            let mayLoad = update.status.hasLoaded && update.status.next == .idle && update.status.refresh.error != nil
            if mayLoad,
                loads.withLock({
                    $0 += 1; return $0 < 20
                })
            {
                list.loadNext()
            }
        }
        stage.settle()
        _ = stage.newKeys()
        stage.after { $0.show(scope: "even") }
        #expect(stage.newKeys() == ["0"] && loads.withLock { $0 } == 0)
        #expect(list.status.next == list.status.refresh && list.status.previous == list.status.refresh)
    }

    @Test func `a row that is being inserted is there once, and goes, though the list was told twice what to show`() {
        let stage = makeStage()
        stage.after { $0.loadNext() }
        let insert = stage.list.edits.beginInsert(SampleItem(id: 300, text: ""), at: .head, scope: "even")
        stage.settle()
        stage.list.show(scope: "even")
        stage.list.show(scope: "even")
        stage.settle()
        #expect(stage.ids == [300] + even)
        insert.rollBack()
        stage.settle()
        #expect(stage.ids == even)
    }

    @Test func `there and back again what follows is as new as the last refresh`() {
        let stage = makeStage()
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.table.scopes[""]?.insert(3)
        stage.after { $0.refresh(.all) }
        stage.after { $0.show(scope: "even") }
        stage.after { $0.show(scope: "") }
        stage.after { $0.loadNext() }
        #expect(stage.ids == [40, 41, 42] + Array(0..<17) && stage.list.snapshot.gaps == [])
    }

    @Test func `an item that is edited beside a switch is told as updated`() throws {
        let stage = makeStage()
        stage.after { $0.loadNext() }
        for number in 0..<40 {
            stage.paginator.clear(key: "0")
            stage.source.script([.hang], forKey: "0")
            stage.after { $0.show(scope: number % 2 == 0 ? "even" : "") }
            // What is shown meanwhile has other versions of the item, as many as there are edits.
            for _ in 0..<number % 8 {
                stage.after { $0.edits.begin(2) { SampleItem(id: $0.id, text: "edit") }.rollBack() }
            }
            let before = stage.list.snapshot
            stage.updates = []
            let call = try #require(stage.source.pendingCalls.last)
            stage.source.answer(call, with: .success(stage.page("0", [0, 2], text: "page \(number)")))
            stage.settle()
            #expect(stage.ids == [0, 2] && before[id: 2] != stage.list.snapshot[id: 2])
            let update = try #require(stage.updates.first { $0.snapshot[id: 2] != before[id: 2] })
            #expect(update.difference.updates.contains { update.snapshot.id(at: $0.position) == 2 }, "\(number)")
        }
    }

    @Test func `edits stay over their items, wherever they are shown`() {
        let stage = makeStage()
        stage.after { $0.loadNext() }
        func text(_ id: Int) -> String? { stage.list.snapshot[id: id]?.text }
        let first = stage.list.edits.begin(4) { SampleItem(id: $0.id, text: "first") }
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.show(scope: "even") }
        let second = stage.list.edits.begin(6) { SampleItem(id: $0.id, text: "second") }
        let third = stage.list.edits.begin(8) { _ in nil }
        stage.settle()
        #expect(text(4) == "first" && text(6) == "second" && text(8) == nil && stage.ids.count == 9)
        third.rollBack()
        stage.settle()
        #expect(stage.ids == Array(0..<10))
        stage.list.cancelLoads()
        stage.after { $0.loadNext() }
        #expect(stage.ids == even && text(4) == "first" && text(6) == "second")
        first.rollBack()
        second.commit()
        stage.settle()
        #expect(text(4) == stage.table.pages.items[4].text && text(6) == "second")
    }

    @Test func `rows that no page has belong to their scope`() throws {
        let stage = makeStage()
        func row(_ id: Int) -> SampleItem { SampleItem(id: id, text: "") }
        stage.after { $0.loadNext() }
        stage.list.insertLive([row(100)])
        let pending = stage.list.edits.beginInsert(row(200), at: .head)
        let other = stage.list.edits.beginInsert(row(300), at: .head, scope: "even")
        stage.settle()
        #expect(stage.ids.prefix(3) == [200, 100, 0])
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.show(scope: "even") }
        stage.after { $0.insertLive([row(500)]) }
        #expect(stage.ids.prefix(3) == [200, 100, 0])
        try stage.answer()
        #expect(stage.ids == [500, 300] + even)
        other.rollBack()
        stage.after { $0.show(scope: "") }
        #expect(stage.ids.prefix(2) == [200, 0])
        pending.rollBack()
        stage.settle()
        #expect(stage.ids == Array(0..<10))
    }

    @Test func `while somebody types only the last text is asked for`() {
        let stage = makeStage { $0.debounce = DebounceKey("search", delay: .milliseconds(300)) }
        stage.after { $0.loadNext() }
        _ = stage.newKeys()
        for scope in ["e", "ev", "eve", "even"] {
            stage.after { $0.show(scope: scope) }
            stage.clock.advance(by: .milliseconds(100))
            stage.settle()
        }
        #expect(stage.newKeys() == [] && stage.ids == Array(0..<10) && stage.list.status.refresh == .loading)
        stage.clock.advance(by: .milliseconds(300))
        stage.settle()
        #expect(stage.newKeys() == ["0"] && stage.ids == even)
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["10"])
        // A page in memory comes at once.
        stage.after { $0.show(scope: "") }
        #expect(stage.newKeys() == [] && stage.ids == Array(0..<10))
    }

    @Test func `two lists of a paginator with the same debounce key do not end each other's searches`() {
        let stage = makeStage { $0.debounce = DebounceKey("search") }
        let other = stage.makeOtherList { $0.debounce = DebounceKey("search") }
        other.show(scope: "even")
        stage.settle()
        stage.clock.advance(by: .milliseconds(100))
        stage.after { $0.show(scope: "none") }
        stage.clock.advance(by: .milliseconds(300))
        stage.settle()
        #expect(other.snapshot.map(\.id) == even && other.status.refresh == .idle)
        #expect(stage.list.status.hasLoaded && stage.list.status.refresh == .idle)
    }

    @Test func `a bookmark is of the scope that is shown`() throws {
        let stage = makeStage()
        func bookmark() throws -> PaginatorListBookmark {
            let found = Guarded<PaginatorListBookmark?>(nil)
            stage.list.bookmark { bookmark in found.withLock { $0 = bookmark } }
            stage.settle()
            return try #require(found.withLock { $0 })
        }
        stage.after { $0.loadNext() }
        let first = try bookmark()
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.show(scope: "even", initialKey: "10") }
        let second = try bookmark()
        #expect(first.scope == "" && second.scope == "even" && second.keys == ["10"])
        #expect(throws: PaginatorError.self) { try stage.list.restore(first) }
        stage.list.show(scope: "")
        try stage.list.restore(first)
        stage.settle()
        #expect(stage.ids == Array(0..<10))
    }

    @Test func `a refresh and a reset meanwhile are of the new scope`() {
        let stage = makeStage()
        stage.after { $0.loadNext() }
        let ended = Guarded<[PaginatorError.Code?]>([])
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.show(scope: "even") }
        stage.list.refresh { error in ended.withLock { $0.append(error?.code) } }
        stage.settle()
        #expect(stage.ids == even && ended.withLock { $0 } == [nil])
        stage.source.script([.hang], forKey: "30")
        stage.after { $0.show(scope: "", initialKey: "30") }
        stage.list.reset()
        #expect(stage.ids == [])
        stage.after { $0.loadNext() }
        #expect(stage.ids == Array(30..<40))
    }

    @Test func `pages that are no longer shown can leave memory`() {
        let stage = makeStage { $0.windowItems = 30 }
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.after { $0.show(scope: "none") }
        stage.paginator.trim(toFraction: 0)
        stage.settle()
        #expect(stage.paginator.peek(key: "10", pageSize: 10) == nil)
    }

    @Test func `what was asked for last is shown, whichever threads asked`() {
        let source = ClosureDataSource<SampleItem>(firstKey: "0") { _, _ in SourceCancellation {} }
        let list = PaginatorList<SampleItem, Int>(CallbackPaginator(dataSource: source))
        for _ in 0..<3_000 {
            DispatchQueue.concurrentPerform(iterations: 8) { list.show(scope: "\($0)") }
            let (shown, isTold) = (Guarded(""), DispatchSemaphore(value: 0))
            list.engine.post { engine in
                shown.withLock { $0 = engine.machine.config.scope }
                isTold.signal()
            }
            isTold.wait()
            #expect(list.engine.scope == shown.withLock { $0 })
            if list.engine.scope != shown.withLock({ $0 }) { return }
        }
    }

    @Test(arguments: [PageSelection.scope(""), .all, .key("0")])
    func `rows that stay until the new ones have come hear that they are stale`(_ selection: PageSelection) {
        let stage = makeStage()
        let start = stage.clock.wallTime
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.show(scope: "even") }
        #expect(stage.ids == Array(0..<10))
        stage.clock.advance(by: .seconds(1))
        stage.paginator.invalidate(selection)
        stage.settle()
        #expect(stage.ids == Array(0..<10))
        #expect(stage.list.status.freshness == .stale(savedAt: start))
    }

    @Test func `what the old scope learns after the switch is not listened to`() {
        let stage = makeStage()
        let start = stage.clock.wallTime
        stage.after { $0.loadNext() }
        stage.after { $0.show(scope: "even") }
        let count = stage.updates.count
        stage.clock.advance(by: .seconds(1))
        stage.paginator.invalidate(.scope(""))
        stage.settle()
        #expect(stage.updates.count == count)
        stage.paginator.invalidate(.scope("even"))
        stage.settle()
        #expect(stage.list.status.freshness == .stale(savedAt: start))
    }
}
