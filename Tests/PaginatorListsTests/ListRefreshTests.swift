import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Refreshing: what is asked for, whatever the list shows and does at the time.
@Suite struct ListRefreshTests {
    @Test func `a refresh of an empty list asks the source`() {
        let stage = ListStage(pageSize: 10)
        let other = stage.makeOtherList()
        other.loadNext()
        stage.settle()
        stage.table.pages.insert(3)
        _ = stage.newKeys()
        stage.after { $0.refresh() }
        #expect(stage.newKeys() == ["0"])
        #expect(stage.ids == stage.firstRows(10))
    }

    @Test func `a refresh while the first page loads asks again`() throws {
        let stage = ListStage(pageSize: 10)
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.loadNext() }
        stage.table.pages.insert(3)
        stage.after { $0.refresh() }
        #expect(stage.newKeys() == ["0", "0"])
        #expect(stage.ids == stage.firstRows(10))
    }

    @Test func `ten refreshes in a burst ask once`() {
        let stage = ListStage(pageSize: 10)
        for _ in 0..<10 { stage.list.refresh() }
        stage.settle()
        #expect(stage.newKeys() == ["0"])
    }

    @Test(arguments: [PaginatorListRefresh.all, .firstPage, .keepingPlace])
    func `refreshes that come after the source was asked are served by one more load`(
        _ refresh: PaginatorListRefresh
    ) throws {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.refresh(refresh) }
        stage.table.pages.insert(3)
        _ = stage.newKeys()
        for _ in 0..<5 { stage.after { $0.refresh(refresh) } }
        #expect(stage.newKeys() == [])
        let call = try #require(stage.source.pendingCalls.last)
        stage.source.answer(call, with: .success(stage.page("0", Array(0..<10), next: "10")))
        stage.settle()
        #expect(stage.newKeys() == ["0"])
        #expect(stage.ids == stage.firstRows(10))
        #expect(!stage.list.status.refresh.isLoading)
    }

    @Test func `a page that is on its way when the page before it is refreshed is asked for again`() throws {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: "10")
        stage.after { $0.loadNext() }
        stage.table.pages.insert(3)
        stage.after { $0.refresh(.firstPage) }
        _ = stage.newKeys()
        let call = try #require(stage.source.pendingCalls.last)
        stage.source.answer(call, with: .success(stage.page("10", Array(10..<20), next: "20", previous: "0")))
        stage.settle()
        #expect(stage.newKeys() == ["10"])
        #expect(stage.ids == stage.firstRows(20))
        #expect(stage.list.snapshot.gaps == [])
    }

    @Test func `a page is refreshed by the key that it has now though another page had that before`() {
        let stage = ListStage(pageSize: 10)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.table.pages.insert(10)
        stage.after { $0.insertLive((100..<110).map { SampleItem(id: $0, text: "") }) }
        stage.source.script(
            [.page(stage.page("20", Array(10..<20), next: "30", previous: "10", text: "new")).insideFetch], forKey: "20"
        )
        stage.after { $0.refresh(.page("10")) }
        #expect(stage.list.snapshot.filter { $0.text == "new" }.map(\.id) == Array(10..<20))
        #expect(stage.list.snapshot.gaps == [])
    }

    @Test func `a page that was refreshed by its new key is refreshed by that key again`() {
        let stage = ListStage(pageSize: 10)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.table.pages.remove(3..<4)
        stage.after { $0.edits.remove(3) }
        _ = stage.newKeys()
        stage.after { $0.refresh(.page("10")) }
        #expect(stage.newKeys() == ["9"])
        stage.after { $0.refresh(.page("9")) }
        #expect(stage.newKeys() == ["9"])
        #expect(stage.ids == stage.firstRows(19) && stage.list.snapshot.gaps == [])
    }

    @Test func `a stale page behind a gap is refreshed where it lies after all rows of a page above were removed`() {
        let stage = ListStage(pageSize: 10)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.after { $0.jump(to: "50") }
        stage.clock.advance(by: .seconds(1))
        stage.table.pages.remove(0..<10)
        for id in 0..<10 { stage.list.edits.remove(id) }
        stage.settle()
        for key in ["0", "50"] { stage.paginator.invalidate(.key(key)) }
        stage.settle()
        _ = stage.newKeys()
        stage.after { $0.refresh(.stalePages) }
        #expect(stage.newKeys().sorted() == ["0", "40"])
        #expect(stage.ids == Array(10..<20) + Array(50..<60))
        #expect(stage.list.snapshot.gaps == [10] && stage.complaints == [])
    }

    @Test func `a refresh of one page of an empty list loads nothing`() {
        let stage = ListStage(pageSize: 10)
        let ended = Guarded<[PaginatorError.Code?]>([])
        stage.after { $0.refresh(.page("70")) { error in ended.withLock { $0.append(error?.code) } } }
        #expect(stage.newKeys() == [] && ended.withLock { $0 } == [nil])
        #expect(stage.ids.isEmpty && !stage.list.status.hasLoaded)
    }

    @Test(arguments: [false, true], [false, true])
    func `a refresh of stale pages while a list begins leaves it with the cached page, which comes once`(
        isRestored: Bool, isOffline: Bool
    ) throws {
        let store = ScriptedStore<SampleItem>(answersInside: true)
        let before = ListStage(pageSize: 10, store: store)
        before.after { $0.loadNext() }
        let stage = ListStage(
            pageSize: 10, store: store, connectivity: isOffline ? ScriptedConnectivity(.offline) : nil)
        stage.clock.advance(by: .seconds(10))
        if isRestored {
            try stage.list.restore(PaginatorListBookmark(scope: "", pageSize: 10, keys: ["0"], page: 0, item: 4))
        } else {
            stage.list.loadNext()
        }
        let isEnded = Guarded(false)
        stage.after { $0.refresh(.stalePages) { error in isEnded.withLock { $0 = error == nil } } }
        #expect(stage.ids == Array(0..<10) && stage.list.status.refresh == .idle && isEnded.withLock { $0 })
        #expect(stage.updates.last?.anchor == (isRestored ? 4 : nil))
        #expect(stage.newKeys() == [] && stage.list.status.replacements == 1)
    }

    @Test(arguments: [false, true])
    func `a refresh of stale pages while a list begins ends when a page invalidated on its way has been reloaded`(
        isFailing: Bool
    ) throws {
        let stage = ListStage(pageSize: 10)
        stage.source.script([.hang, .hang], forKey: "0")
        stage.after { $0.loadNext() }
        stage.paginator.invalidate(.all)
        let ended = Guarded<[PaginatorError.Code?]>([])
        stage.after { $0.refresh(.stalePages) { error in ended.withLock { $0.append(error?.code) } } }
        try stage.answer()
        #expect(stage.newKeys() == ["0", "0"] && stage.ids == Array(0..<10) && ended.withLock { $0.isEmpty })
        stage.table.pages.insert(3)
        let call = try #require(stage.source.pendingCalls.first)
        stage.source.answer(
            call, with: isFailing ? .failure(.fatal(ListTrouble())) : stage.table.answer(to: call.request))
        stage.settle()
        #expect(ended.withLock { $0 } == (isFailing ? [.sourceFailed] : [nil]))
        #expect(stage.newKeys() == [] && stage.ids == (isFailing ? Array(0..<10) : stage.firstRows(10)))
        #expect(stage.list.status.replacements == 1 && !stage.list.status.refresh.isLoading)
    }

    @Test(arguments: [PageSelection.all, .scope(""), .key("10")])
    func `pages that were invalidated are stale`(_ selection: PageSelection) {
        let stage = ListStage(pageSize: 10)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        _ = stage.newKeys()
        stage.paginator.invalidate(selection)
        stage.after { $0.refresh(.stalePages) }
        #expect(stage.newKeys().sorted() == (selection == .key("10") ? ["10"] : ["0", "10", "20"]))
        stage.after { $0.refresh(.stalePages) }
        #expect(stage.newKeys() == [])
    }

    @Test func `refreshing the first page of a list that was scrolled down leaves it where it is`() {
        let stage = ListStage(count: 200, pageSize: 10) { $0.windowItems = 30 }
        for _ in 0..<8 { stage.after { $0.loadNext() } }
        stage.after { $0.hint(visible: 12..<18) }
        let before = stage.ids
        stage.table.pages.insert(4)
        _ = stage.newKeys()
        stage.after { $0.refresh(.firstPage) }
        #expect(stage.newKeys() == ["0"])
        #expect(stage.ids == before)
        #expect(stage.updates.last?.anchor == 12)
        for _ in 0..<8 where stage.list.status.previous != .endReached {
            stage.after { $0.loadPrevious() }
            stage.after { $0.hint(visible: 0..<3) }
            #expect(stage.complaints == [])
        }
        #expect(stage.ids.prefix(10) == stage.firstRows(10)[...])
    }

    @Test func `a refresh after which a page has the rows of the one after it ends no load at the end`() throws {
        let stage = ListStage(count: 200, pageSize: 10)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.source.script([.hang], forKey: "30")
        stage.after { $0.loadNext() }
        stage.table.pages.remove(0..<10)
        stage.after { $0.refresh(.firstPage) }
        #expect(stage.ids == Array(10..<30))
        #expect(stage.source.pendingCalls.map(\.request.key) == ["30"])
        #expect(stage.list.status.next.isLoading)
    }

    @Test func `a live row after the last row of a page goes with a refresh of both pages around it`() {
        let stage = ListStage(style: .cursor, pageSize: 10)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.after { $0.insertLive([SampleItem(id: 500, text: "")], at: .after(9)) }
        #expect(stage.ids == Array(0..<10) + [500] + Array(10..<20))
        stage.after { $0.refresh(.keepingPlace) }
        #expect(stage.ids == Array(0..<20))
    }

    @Test func `of rows that are not shown any more only the last 256 are remembered`() {
        let stage = ListStage(count: 100, pageSize: 100)
        for _ in 0..<10 {
            stage.after { $0.refresh() }
            stage.table.pages.insert(100)
        }
        #expect(stage.list.engine.machine.entries.count <= 100 + 256)
    }

    @Test func `a list whose next key is empty has come to its end`() {
        let stage = ListStage(pageSize: 10)
        stage.source.script([.page(stage.page("0", [1, 2], next: "", previous: "")).insideFetch], forKey: "0")
        stage.after { $0.loadNext() }
        stage.after { $0.loadNext() }
        #expect(stage.ids == [1, 2])
        #expect(stage.list.status.next == .endReached && stage.list.status.previous == .endReached)
    }

    @Test func `a list begins again each time that its keys have expired further on`() {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        for round in 1...3 {
            for _ in 0..<round { stage.after { $0.loadNext() } }
            stage.source.script([.fail(.keyExpired(ListTrouble())).insideFetch], forKey: "\(round * 10 + 10)")
            stage.after { $0.loadNext() }
            #expect(stage.list.status.next.error == nil)
            #expect(stage.ids == Array(0..<10))
        }
        #expect(stage.updates.flatMap(\.notices).filter { $0 == .restarted }.count == 3)
    }

    enum Asker: CaseIterable, Sendable { case loadAll, initialSize, screen }

    @Test(arguments: Asker.allCases)
    func `a list whose third page expires each time begins again once, whoever asks for more`(_ asker: Asker) {
        let stage = ListStage(style: .cursor, pageSize: 10) { $0.initialLoadSize = asker == .initialSize ? 30 : nil }
        stage.source.otherwise { [table = stage.table] request in
            if request.key == "after:19" { return .fail(.keyExpired(ListTrouble())).insideFetch }
            return .result(table.pages.answer(to: request)).insideFetch
        }
        let ends = Guarded<[PaginatorError.Code?]>([])
        switch asker {
        case .loadAll: stage.list.loadAll { error in ends.withLock { $0.append(error?.code) } }
        case .initialSize: stage.list.loadNext()
        case .screen:
            // The two pages do not fill it.
            stage.list.observe { [weak list = stage.list] update in
                if case .idle = update.status.next, !update.status.refresh.isLoading { list?.loadNext() }
            }
        }
        for _ in 0..<2_000 { _ = stage.executor.runOne(choose: { _ in 0 }) }
        #expect(stage.source.keys.count { $0 == "after:19" } == 2)
        #expect(stage.source.keys.count <= 6)
        #expect(ends.withLock { $0 } == (asker == .loadAll ? [.expiredKey] : []))
        #expect(stage.list.status.next.error?.code == .expiredKey && stage.ids == Array(0..<20))
    }

    @Test func `who waits for the refresh of a page is content with another one that has its rows`() throws {
        let stage = ListStage(style: .cursor, pageSize: 10)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        let key = stage.table.pages.firstKey
        stage.source.script(
            [.page(stage.page(key, [10] + (11..<20).reversed(), next: "after:9")).insideFetch], forKey: key)
        stage.source.script([.hang], forKey: "after:9")
        let ends = Guarded<[PaginatorError?]>([])
        stage.after { $0.refresh(.keepingPlace) { error in ends.withLock { $0.append(error) } } }
        #expect(stage.list.snapshot.gaps == [10] && ends.withLock { $0.isEmpty })
        stage.after { $0.fillGap(at: 10) }
        #expect(ends.withLock { $0.count == 1 && $0[0] == nil })
    }

    @Test func `who waits for the refresh of a page that is put out of order hears that it was cancelled`() {
        let stage = ListStage(pageSize: 10)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.source.script([.hang], forKey: "20")
        let ends = Guarded<[PaginatorError.Code?]>([])
        stage.after { $0.refresh(.page("20")) { error in ends.withLock { $0.append(error?.code) } } }
        stage.table.pages.remove(10..<20)
        for id in 10..<20 { stage.list.edits.remove(id) }
        stage.settle()
        #expect(ends.withLock { $0.isEmpty })
        // Two pages begin at 10 by now, and none at 20.
        stage.after { $0.jump(to: "20") }
        #expect(ends.withLock { $0 } == [.cancelled])
    }

    @Test func `a retry does not repeat a key that has expired`() {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        stage.source.script(
            Array(repeating: .fail(.keyExpired(ListTrouble())).insideFetch, count: 2), forKey: "10")
        stage.after { $0.loadNext() }
        stage.after { $0.loadNext() }
        #expect(stage.list.status.next.error?.code == .expiredKey)
        stage.table.pages.insert(1)
        _ = stage.newKeys()
        stage.after { $0.retry() }
        #expect(stage.newKeys() == ["0"])
        stage.after { $0.loadNext() }
        #expect(stage.ids == stage.firstRows(20))
    }
}
