import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Lists whose pages come in pieces: the first rows are seen early, and no row is seen twice or goes again.
@Suite struct ListPartialPageTests {
    private func hangingStage(_ configure: (inout PaginatorListConfig) -> Void = { _ in }) -> ListStage {
        let stage = ListStage(pageSize: 4, configure: configure)
        stage.source.otherwise { _ in .hang }
        return stage
    }

    private func show(_ stage: ListStage, _ ids: [Int], next: String? = nil, continuation: String = "") {
        guard let call = stage.source.pendingCalls.last else { return }
        call.request.preview(
            PaginatorPage(
                content: ids.map { SampleItem(id: $0, text: "early") }, key: call.request.key, nextKey: next,
                continuation: continuation))
        stage.settle()
    }

    private func answer(_ stage: ListStage, _ ids: [Int], next: String?, previous: String? = nil) {
        guard let call = stage.source.pendingCalls.last else { return }
        stage.source.answer(call, with: .success(stage.page(call.request.key, ids, next: next, previous: previous)))
        stage.settle()
    }

    @Test func `the first rows are there before the page, and are not there twice when it comes`() {
        let stage = hangingStage()
        stage.after { $0.loadNext() }
        show(stage, [0, 1])
        #expect(stage.ids == [0, 1])
        #expect(stage.list.status.isPartial && stage.list.status.refresh.isLoading)
        #expect(stage.list.status.hasNext, "that is not the end")
        show(stage, [0, 1, 2])
        #expect(stage.ids == [0, 1, 2])
        answer(stage, [0, 1, 2, 3], next: "4")
        #expect(stage.ids == [0, 1, 2, 3] && stage.list.snapshot.gaps == [])
        #expect(!stage.list.status.isPartial && !stage.list.status.refresh.isLoading)
        #expect(stage.newKeys() == ["0"])
        for update in stage.updates { #expect(update.difference.removals.isEmpty) }
    }

    @Test func `the next page does likewise, and what is asked for meanwhile waits for it`() {
        let stage = hangingStage()
        stage.after { $0.loadNext() }
        answer(stage, [0, 1, 2, 3], next: "4")
        stage.after { $0.loadNext() }
        show(stage, [4, 5])
        #expect(stage.ids == [0, 1, 2, 3, 4, 5] && stage.list.snapshot.gaps == [])
        #expect(stage.list.status.next.isLoading)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        answer(stage, [4, 5, 6, 7], next: "8", previous: "0")
        #expect(stage.ids == Array(0..<8) && stage.list.snapshot.gaps == [])
        #expect(stage.newKeys() == ["0", "4"])
    }

    @Test func `a row below all others does not come before the rest of the last page`() {
        let stage = hangingStage()
        stage.after { $0.loadNext() }
        show(stage, [0, 1])
        stage.after { $0.insertLive([SampleItem(id: 9, text: "live")], at: .tail) }
        #expect(stage.ids == [0, 1] && stage.list.status.newBelow == 1)
        answer(stage, [0, 1, 2, 3], next: nil)
        #expect(stage.ids == [0, 1, 2, 3, 9] && stage.list.status.newBelow == 0)
    }

    @Test func `hints ahead of rows that come early load nothing twice`() {
        let stage = hangingStage { ($0.prefetchDistance, $0.initialLoadSize) = (10, 8) }
        stage.after { $0.loadNext() }
        show(stage, [0, 1])
        stage.after { $0.hint(visible: 0..<2) }
        #expect(stage.newKeys() == ["0"])
        answer(stage, [0, 1, 2, 3], next: "4")
        #expect(stage.newKeys() == ["4"])
    }

    @Test func `a failure midway keeps the rows, says so, and a retry brings the rest`() {
        let stage = hangingStage()
        stage.after { $0.loadNext() }
        show(stage, [0, 1], continuation: "2")
        guard let call = stage.source.pendingCalls.last else { return }
        stage.source.answer(call, with: .failure(.fatal(ListTrouble())))
        stage.settle()
        #expect(stage.ids == [0, 1])
        #expect(stage.list.status.isPartial && stage.list.status.refresh.error?.code == .sourceFailed)
        #expect(stage.list.status.next != .endReached)
        stage.after { $0.retry() }
        #expect(stage.source.pendingCalls.last?.request.continuation == "2")
        answer(stage, [2, 3], next: "4")
        #expect(stage.ids == [0, 1, 2, 3] && !stage.list.status.isPartial)
        #expect(stage.list.status.refresh == .idle)
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["0", "0", "4"])
    }

    @Test(arguments: [false, true])
    func `a failure midway is over once the page is whole, whoever loaded its rest`(isRefresh: Bool) throws {
        let stage = hangingStage()
        stage.after { $0.loadNext() }
        show(stage, [0, 1])
        stage.source.answer(try #require(stage.source.pendingCalls.last), with: .failure(.fatal(ListTrouble())))
        stage.settle()
        #expect(stage.list.status.refresh.error?.code == .sourceFailed)
        stage.after { isRefresh ? $0.refresh(.keepingPlace) : $0.loadNext() }
        answer(stage, [0, 1, 2, 3], next: "4")
        #expect(stage.ids == [0, 1, 2, 3] && !stage.list.status.isPartial)
        #expect(stage.list.status.refresh == .idle)
    }

    @Test func `loading all waits for the rest of a page that is being refreshed`() throws {
        let stage = hangingStage()
        stage.after { $0.loadNext() }
        show(stage, [0, 1])
        stage.source.answer(try #require(stage.source.pendingCalls.last), with: .failure(.fatal(ListTrouble())))
        stage.settle()
        stage.after { $0.refresh(.keepingPlace) }
        let ends = Guarded<[PaginatorError?]>([])
        stage.list.loadAll { error in ends.withLock { $0.append(error) } }
        stage.settle()
        #expect(ends.withLock { $0.isEmpty })
        answer(stage, [0, 1, 2, 3], next: "4")
        answer(stage, [4, 5], next: nil, previous: "0")
        #expect(stage.ids == Array(0..<6))
        #expect(ends.withLock { $0.count == 1 && $0[0] == nil })
    }

    @Test(arguments: [false, true])
    func `loading all waits for the rest of a page that rows have moved to another key`(isFailing: Bool) throws {
        let stage = hangingStage()
        func fail() throws {
            stage.source.answer(try #require(stage.source.pendingCalls.last), with: .failure(.fatal(ListTrouble())))
            stage.settle()
        }
        stage.after { $0.loadNext() }
        answer(stage, [0, 1, 2, 3], next: "4")
        stage.after { $0.loadNext() }
        show(stage, [4, 5])
        try fail()
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.insertLive([SampleItem(id: 900, text: "live")]) }
        _ = stage.newKeys()
        let ends = Guarded<[PaginatorError.Code?]>([])
        stage.list.loadAll { error in ends.withLock { $0.append(error?.code) } }
        stage.settle()
        #expect(stage.newKeys() == ["5"] && ends.withLock { $0.isEmpty })
        if isFailing {
            try fail()
            #expect(stage.newKeys() == [], "it is not asked for again and again")
            #expect(ends.withLock { $0 } == [.sourceFailed])
        } else {
            answer(stage, [4, 5, 6, 7], next: nil, previous: "1")
            #expect(stage.ids == [900] + Array(0..<8))
            #expect(ends.withLock { $0 } == [nil])
        }
    }

    @Test func `the rows that a part lacks count as missing`() throws {
        let stage = hangingStage()
        stage.after { $0.loadNext() }
        let first = PaginatorPage(
            content: (0..<4).map { SampleItem(id: $0, text: "") }, key: "0", nextKey: "4", total: 100)
        stage.source.answer(try #require(stage.source.pendingCalls.last), with: .success(first))
        stage.settle()
        #expect(stage.list.status.placeholdersAfter == 96)
        stage.after { $0.loadNext() }
        show(stage, [4, 5], next: "8")
        #expect(stage.ids.count == 6 && stage.list.status.placeholdersAfter == 94)
        answer(stage, [4, 5, 6, 7], next: "8", previous: "0")
        #expect(stage.ids.count == 8 && stage.list.status.placeholdersAfter == 92)
    }

    @Test func `a gap behind a part is filled with the rest of its page first`() throws {
        let stage = ListStage(style: .cursor, pageSize: 4)
        stage.source.otherwise { _ in .hang }
        stage.after { $0.loadNext() }
        show(stage, [0, 1], next: "second")
        stage.source.answer(try #require(stage.source.pendingCalls.last), with: .failure(.fatal(ListTrouble())))
        stage.settle()
        stage.after { $0.jump(to: "third") }
        answer(stage, [8, 9, 10, 11], next: nil)
        #expect(stage.ids == [0, 1, 8, 9, 10, 11] && stage.list.snapshot.gaps == [2])
        stage.after { $0.fillGap(at: 2) }
        answer(stage, [0, 1, 2, 3], next: "second")
        #expect(stage.ids == Array(0..<4) + Array(8..<12) && stage.list.snapshot.gaps == [4])
        stage.after { $0.fillGap(at: 4) }
        #expect(stage.newKeys() == ["start", "third", "start", "second"])
    }

    @Test(arguments: [nil, "8"])
    func `who loads more after a failure midway gets the rest of the page first`(next: String?) {
        let stage = hangingStage()
        stage.after { $0.loadNext() }
        answer(stage, [0, 1, 2, 3], next: "4")
        stage.after { $0.loadNext() }
        show(stage, [4, 5], next: next)
        guard let call = stage.source.pendingCalls.last else { return }
        stage.source.answer(call, with: .failure(.fatal(ListTrouble())))
        stage.settle()
        #expect(stage.ids == Array(0..<6) && stage.list.status.next.error?.code == .sourceFailed)
        stage.after { $0.loadNext() }
        #expect(stage.source.pendingCalls.last?.request.continuation == nil, "the source cannot go on")
        show(stage, [4], next: next)
        #expect(stage.ids == Array(0..<6), "no row goes")
        answer(stage, [4, 5, 6, 7], next: "8", previous: "0")
        #expect(stage.ids == Array(0..<8) && stage.list.status.next == .idle)
        #expect(stage.newKeys() == ["0", "4", "4"])
    }

    @Test func `a refresh takes no row away before the new page is whole`() {
        let stage = hangingStage()
        stage.after { $0.loadNext() }
        answer(stage, [0, 1, 2, 3], next: "4")
        stage.after { $0.refresh() }
        show(stage, [9, 0])
        #expect(stage.ids == [0, 1, 2, 3])
        answer(stage, [9, 0, 1, 2], next: "4")
        #expect(stage.ids == [9, 0, 1, 2])
    }

    @Test func `a page above opens no gap`() {
        let stage = hangingStage { $0.initialKey = "4" }
        stage.after { $0.loadNext() }
        answer(stage, [4, 5, 6, 7], next: "8", previous: "0")
        stage.after { $0.loadPrevious() }
        show(stage, [0, 1])
        #expect(stage.ids == [4, 5, 6, 7] && stage.list.snapshot.gaps == [])
        answer(stage, [0, 1, 2, 3], next: "4")
        #expect(stage.ids == Array(0..<8) && stage.list.snapshot.gaps == [])
    }

    @Test func `a part that memory has is seen at once, and the rest is all that is loaded`() {
        let stage = hangingStage()
        var request = PageRequest(key: "0", pageSize: 4)
        request.part = .items(2)
        let listener = RecordingListener<SampleItem>()
        stage.paginator.fetch(request, listener: listener)
        stage.settle()
        guard let call = stage.source.pendingCalls.last else { return }
        let part = PaginatorPage(
            content: [0, 1].map { SampleItem(id: $0, text: "part") }, key: "0", continuation: "behind 1")
        stage.source.answer(call, with: .success(part))
        stage.settle()
        #expect(listener.fetched?.isPartial == true)
        stage.after { $0.loadNext() }
        #expect(stage.ids == [0, 1] && stage.list.status.isPartial)
        #expect(stage.source.pendingCalls.last?.request.continuation == "behind 1")
        answer(stage, [2, 3], next: "4")
        #expect(stage.ids == [0, 1, 2, 3] && !stage.list.status.isPartial)
    }

    @Test func `rows that came early can be edited, and stay as edited`() {
        let stage = hangingStage()
        stage.after { $0.loadNext() }
        show(stage, [0, 1, 2])
        let edits = stage.paginator.edits(id: { (item: SampleItem) in item.id })
        edits.remove(1)
        edits.update(2) { SampleItem(id: $0.id, text: "edited") }
        stage.settle()
        #expect(stage.ids == [0, 2])
        answer(stage, [0, 1, 2, 3], next: "4")
        #expect(stage.ids == [0, 2, 3])
        #expect(stage.list.snapshot.map(\.text)[1] == "edited")
    }

    @Test func `a page of which rows are shown is loaded for nobody once the list is reset`() {
        let stage = hangingStage()
        stage.after { $0.loadNext() }
        show(stage, [0, 1])
        #expect(stage.ids == [0, 1] && stage.source.pendingCalls.map(\.request.key) == ["0"])
        stage.after { $0.reset() }
        #expect(stage.source.pendingCalls.map(\.request.key) == [])
    }

    @Test func `the page above is loaded while the rest of the first page is on its way`() {
        let stage = hangingStage { $0.initialKey = "4" }
        stage.after { $0.loadNext() }
        show(stage, [4, 5])
        stage.after { $0.loadPrevious() }
        #expect(stage.newKeys() == ["4", "0"])
        answer(stage, [0, 1, 2, 3], next: "4")
        #expect(stage.ids == Array(0..<6) && stage.list.snapshot.gaps == [])
        answer(stage, [4, 5, 6, 7], next: "8", previous: "0")
        #expect(stage.ids == Array(0..<8) && stage.list.snapshot.gaps == [])
    }
}
