import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// What failed is asked for where it lies by now, whoever tries it again: rows may have come or gone meanwhile.
@Suite struct ListRetryTests {
    private func stage(_ style: SamplePages.Style, connectivity: ScriptedConnectivity? = nil) -> ListStage {
        let stage = ListStage(count: 60, style: style, pageSize: 10, connectivity: connectivity)
        stage.after { $0.loadNext() }
        return stage
    }

    private func fail(_ stage: ListStage, _ key: String, _ load: (PaginatorList<SampleItem, Int>) -> Void) {
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: key)
        stage.after(load)
        _ = stage.newKeys()
    }

    private func remove(_ id: Int, _ stage: ListStage) {
        stage.table.pages.remove(id..<id + 1)
        stage.after { $0.edits.remove(id) }
    }

    @Test func `the next page is asked for where it lies after a row was removed`() {
        let stage = stage(.offset)
        fail(stage, "10") { $0.loadNext() }
        remove(3, stage)
        stage.after { $0.retry() }
        #expect(stage.newKeys() == ["9"])
        #expect(stage.ids == stage.firstRows(19) && stage.list.snapshot.gaps == [])
    }

    @Test func `the next page is asked for by the key that the page before it names after a refresh`() {
        let stage = stage(.cursor)
        fail(stage, "after:9") { $0.loadNext() }
        stage.table.pages.insert(3)
        stage.after { $0.refresh(.firstPage) }
        _ = stage.newKeys()
        stage.after { $0.retry() }
        #expect(stage.newKeys() == ["after:6"])
        #expect(stage.ids == stage.firstRows(20) && stage.list.snapshot.gaps == [])
    }

    @Test func `the next page is asked for where it lies when the connection is back`() {
        let connectivity = ScriptedConnectivity()
        let stage = stage(.offset, connectivity: connectivity)
        connectivity.set(.offline)
        stage.after { $0.loadNext() }
        #expect(stage.list.status.next.error?.code == .offline)
        remove(3, stage)
        connectivity.set([])
        stage.settle()
        #expect(stage.ids == stage.firstRows(19) && stage.list.snapshot.gaps == [])
        #expect(stage.list.status.next == .idle)
    }

    @Test func `a page that is loaded anew is asked for where it lies`() {
        let stage = stage(.offset)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        fail(stage, "20") { $0.refresh(.page("20")) }
        remove(3, stage)
        stage.after { $0.retry() }
        #expect(stage.newKeys() == ["19"])
        stage.loadToTheEnd()
        #expect(stage.ids == stage.firstRows(59) && stage.list.snapshot.gaps == [])
    }

    @Test(arguments: [10, 3])
    func `an older page is replaced by the first retry, also if another page or none had its key`(_ inserted: Int) {
        let stage = stage(.offset)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.paginator.invalidate(.key("10"))
        let list = stage.makeOtherList { $0.addressing = .offset }
        list.loadNext()
        stage.settle()
        stage.source.script([.fail(.retry(ListTrouble())).insideFetch], forKey: "10")
        for _ in 0..<2 {
            list.loadNext()
            stage.settle()
        }
        #expect(list.snapshot.map(\.id) == Array(0..<30) && list.status.staleError != nil)
        stage.clock.advance(by: .seconds(1))
        stage.table.pages.insert(inserted)
        list.insertLive(Array(stage.table.pages.items.prefix(inserted).reversed()))
        stage.settle()
        _ = stage.newKeys()
        list.retry()
        stage.settle()
        #expect(stage.newKeys() == ["\(10 + inserted)"] && list.status.staleError == nil)
        #expect(list.snapshot.map(\.id) == stage.firstRows(30 + inserted))
    }

    @Test func `pages that failed are loaded anew where they lie, also if they had each other's keys`() {
        let stage = stage(.offset)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "10")
        fail(stage, "20") { $0.refresh(.keepingPlace) }
        #expect(stage.list.status.refresh.error != nil)
        stage.clock.advance(by: .seconds(1))
        stage.insertLive(10)
        _ = stage.newKeys()
        stage.after { $0.retry() }
        #expect(stage.newKeys().sorted() == ["20", "30"])
        #expect(stage.list.status.refresh == .idle && stage.ids == stage.firstRows(40))
    }

    @Test(arguments: [false, true])
    func `a gap is filled from where its rows lie`(_ fromEnd: Bool) {
        let stage = stage(.offset)
        stage.after { $0.jump(to: "30") }
        fail(stage, fromEnd ? "20" : "10") { $0.fillGap(at: 10, fromEnd: fromEnd) }
        remove(3, stage)
        stage.after { $0.retry() }
        #expect(stage.newKeys() == [fromEnd ? "19" : "9"])
        #expect(stage.complaints == [])
    }

    @Test func `a list that was to begin with several pages goes on to`() {
        let stage = ListStage(count: 60, pageSize: 10) { $0.initialLoadSize = 30 }
        fail(stage, "10") { $0.loadNext() }
        #expect(stage.list.status.next.error != nil)
        stage.after { $0.retry() }
        #expect(stage.ids == Array(0..<30) && stage.list.status.next == .idle)
    }

    @Test func `a jump that failed beside a refresh of all is done after it when the connection is back`() throws {
        let connectivity = ScriptedConnectivity()
        let stage = stage(.offset, connectivity: connectivity)
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.refresh() }
        stage.after { $0.jump(to: "50") }
        connectivity.set(.offline)
        let call = try #require(stage.source.pendingCalls.first)
        stage.source.answer(call, with: .failure(.fatal(ListTrouble())))
        stage.settle()
        #expect(stage.list.status.refresh.error != nil)
        connectivity.set([])
        stage.settle()
        #expect(stage.ids == Array(0..<10) + Array(50..<60) && stage.list.status.refresh == .idle)
        #expect(stage.updates.last?.anchor.map { stage.ids[$0] } == 50)
    }

    @Test func `a running jump is done after a refresh of all that is retried`() throws {
        let stage = stage(.offset)
        stage.source.script([.hang], forKey: "0")
        stage.source.script([.hang], forKey: "50")
        stage.after { $0.refresh() }
        stage.after { $0.jump(to: "50") }
        let call = try #require(stage.source.pendingCalls.first)
        stage.source.answer(call, with: .failure(.fatal(ListTrouble())))
        stage.settle()
        stage.after { $0.retry() }
        #expect(stage.ids == Array(0..<10) + Array(50..<60) && stage.list.status.refresh == .idle)
        #expect(stage.updates.last?.anchor.map { stage.ids[$0] } == 50)
    }

    @Test(arguments: [PaginatorListRefresh.firstPage, .keepingPlace, .stalePages], [false, true])
    func `a refresh of all that failed is over after another one, and does not come back`(
        _ refresh: PaginatorListRefresh, isOffline: Bool
    ) {
        let connectivity = ScriptedConnectivity()
        let stage = stage(.offset, connectivity: connectivity)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        fail(stage, "0") { $0.refresh() }
        #expect(stage.list.status.refresh.error != nil && stage.ids == Array(0..<40))
        if refresh == .stalePages { stage.paginator.invalidate(.all) }
        stage.after { $0.refresh(refresh) }
        #expect(stage.list.status.refresh == .idle)
        _ = stage.newKeys()
        if isOffline {
            for conditions in [.offline, []] as [PaginatorConditions] {
                connectivity.set(conditions)
                stage.settle()
            }
        } else {
            stage.after { $0.retry() }
        }
        #expect(stage.newKeys() == [] && stage.ids == Array(0..<40))
    }

    @Test(arguments: [25, 3], [true, false])
    func `the connection repeats a failed refresh of all in place for whoever has gone on, and a retry as it was`(
        _ first: Int, isOffline: Bool
    ) {
        let connectivity = ScriptedConnectivity()
        let stage = stage(.offset, connectivity: connectivity)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.after { $0.hint(visible: 0..<5) }
        fail(stage, "0") { $0.refresh() }
        stage.after { $0.hint(visible: first..<first + 5) }
        stage.clock.advance(by: .seconds(300))
        stage.table.pages.insert(3)
        if isOffline {
            for conditions in [.offline, []] as [PaginatorConditions] {
                connectivity.set(conditions)
                stage.settle()
            }
        } else {
            stage.after { $0.retry() }
        }
        let isInPlace = isOffline && first == 25
        #expect(stage.list.status.refresh == .idle && stage.list.snapshot.gaps == [])
        #expect(stage.newKeys().sorted() == (isInPlace ? ["0", "10", "20", "30"] : ["0"]))
        #expect(stage.ids == stage.firstRows(isInPlace ? 40 : 10))
        if isInPlace { #expect(stage.updates.last?.anchor.map { stage.ids[$0] } == 25) }
    }

    @Test func `a refresh of all that fails after the background is repeated where somebody looks`() throws {
        let connectivity = ScriptedConnectivity()
        let stage = stage(.offset, connectivity: connectivity)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.after { $0.hint(visible: 25..<30) }
        connectivity.set(.background)
        stage.settle()
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.refresh() }
        connectivity.set([])
        stage.settle()
        stage.table.pages.insert(3)
        _ = stage.newKeys()
        stage.updates = []
        let call = try #require(stage.source.pendingCalls.first)
        stage.source.answer(call, with: .failure(.fatal(ListTrouble())))
        stage.settle()
        #expect(stage.newKeys().sorted() == ["0", "10", "20", "30"] && stage.ids == stage.firstRows(40))
        #expect(stage.updates.last?.anchor.map { stage.ids[$0] } == 25)
        #expect(stage.updates.allSatisfy { $0.status.refresh.error == nil } && stage.list.status.refresh == .idle)
    }

    @Test func `in a chat whose newest page is partly visible, a failed refresh of all is repeated as it was`() throws {
        let (connectivity, count) = (ScriptedConnectivity(), Guarded(20))
        let stage = ListStage(pageSize: 4, connectivity: connectivity)
        stage.source.otherwise { request in
            let end = Int(request.key.dropFirst(2)) ?? count.withLock { $0 }
            let start = max(0, end - 4)
            let page = PaginatorPage(
                content: (start..<end).map { SampleItem(id: $0, text: "") }, key: request.key,
                prevKey: start > 0 ? "b:\(start)" : nil)
            return .result(.success(page)).insideFetch
        }
        stage.after { $0.loadNext() }
        stage.after { $0.loadPrevious() }
        let first = try #require(stage.ids.firstIndex(of: 14))
        stage.after { $0.hint(visible: first..<first + 5) }
        connectivity.set(.offline)
        stage.after { $0.refresh() }
        count.withLock { $0 = 23 }
        connectivity.set([])
        stage.settle()
        #expect(stage.ids.suffix(4) == [19, 20, 21, 22] && stage.list.snapshot.gaps == [])
    }

    @Test func `a list that begins again because a key has expired does so after its first page failed, too`() {
        let connectivity = ScriptedConnectivity()
        let stage = stage(.offset, connectivity: connectivity)
        stage.after { $0.loadNext() }
        stage.after { $0.hint(visible: 15..<20) }
        stage.source.script([.fail(.keyExpired(ListTrouble())).insideFetch], forKey: "20")
        fail(stage, "0") { $0.loadNext() }
        #expect(stage.list.status.refresh.error != nil)
        for conditions in [.offline, []] as [PaginatorConditions] {
            connectivity.set(conditions)
            stage.settle()
        }
        #expect(stage.newKeys() == ["0"] && stage.ids == Array(0..<10))
    }

    @Test func `a refresh of all that failed remains so while only other pages are loaded anew`() {
        let stage = stage(.offset)
        stage.after { $0.loadNext() }
        fail(stage, "0") { $0.refresh() }
        stage.after { $0.refresh(.page("10")) }
        #expect(stage.list.status.refresh.error != nil)
        stage.after { $0.retry() }
        #expect(stage.newKeys() == ["10", "0"] && stage.list.status.refresh == .idle)
    }

    @Test(arguments: ["50", "10"])
    func `a retry does not undo a jump that came after a refresh of all that failed`(_ key: String) {
        let stage = stage(.offset)
        stage.after { $0.loadNext() }
        fail(stage, "0") { $0.refresh() }
        stage.after { $0.jump(to: key) }
        let ids = stage.ids
        stage.after { $0.retry() }
        #expect(stage.ids == ids && ids.count == (key == "50" ? 30 : 20))
        #expect(stage.updates.last?.anchor.map { stage.ids[$0] } == Int(key))
    }

    @Test func `a refresh of all that failed remains so where only pages after a dropped start are loaded anew`() {
        let stage = ListStage(count: 60, pageSize: 10) { $0.windowItems = 20 }
        for _ in 0..<6 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(40..<60))
        fail(stage, "0") { $0.refresh() }
        stage.after { $0.refresh(.keepingPlace) }
        #expect(stage.list.status.refresh.error != nil && stage.newKeys().contains("0") == false)
        stage.after { $0.retry() }
        #expect(stage.ids.prefix(10).elementsEqual(0..<10) && stage.list.status.refresh == .idle)
    }

    @Test func `whoever goes to the start after a refresh of all that failed gets the newest rows by a retry`() {
        let stage = stage(.offset)
        fail(stage, "0") { $0.refresh() }
        stage.after { $0.jump(to: "0", placement: .start) }
        #expect(stage.list.status.refresh.error != nil)
        stage.after { $0.retry() }
        #expect(stage.newKeys() == ["0"] && stage.list.status.refresh == .idle)
    }
}
