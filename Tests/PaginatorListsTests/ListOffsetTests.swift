import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Lists over a source that is addressed by offset, while rows come and go: no row is missing, whatever moved the keys.
@Suite struct ListOffsetTests {
    /// Scrolls to the end, filling gaps on the way, and says what is shown then.
    private func walkToEnd(_ stage: ListStage) -> [Int] {
        for _ in 0..<60 {
            if let gap = stage.list.snapshot.gaps.first {
                stage.after { $0.fillGap(at: gap) }
            } else if case .idle = stage.list.status.next {
                stage.after { $0.loadNext() }
            } else {
                break
            }
        }
        return stage.ids
    }

    private func loaded(pages: Int, count: Int = 60, window: Int? = nil) -> ListStage {
        let stage = ListStage(count: count, pageSize: 10) { $0.windowItems = window }
        for _ in 0..<pages { stage.after { $0.loadNext() } }
        _ = stage.newKeys()
        return stage
    }

    private func insertAtHead(_ stage: ListStage, live isLive: Bool) {
        stage.table.pages.insert(1)
        let item = stage.table.pages.items[0]
        stage.after { list in
            if isLive { list.insertLive([item]) } else { list.edits.insert(item) }
        }
    }

    private func table(_ stage: ListStage) -> [Int] { stage.table.pages.items.map(\.id) }

    // MARK: - The first page

    @Test(arguments: [true, false], [1, 3])
    func `the first page is asked for by the source's first key`(isLive: Bool, rows: Int) {
        let stage = loaded(pages: 3)
        for _ in 0..<rows { insertAtHead(stage, live: isLive) }
        stage.after { $0.refresh(.firstPage) }
        #expect(stage.newKeys() == ["0"])
        #expect(walkToEnd(stage) == table(stage))
    }

    @Test(arguments: [true, false], [1, 3])
    func `a refresh that keeps the place leaves no hole between its pages`(isLive: Bool, rows: Int) {
        let stage = loaded(pages: 3)
        for _ in 0..<rows { insertAtHead(stage, live: isLive) }
        stage.after { $0.refresh(.keepingPlace) }
        #expect(stage.newKeys().sorted() == ["0", "10", "20"])
        #expect(stage.ids == Array(table(stage).prefix(30)))
        #expect(stage.list.snapshot.gaps == [])
        #expect(walkToEnd(stage) == table(stage))
    }

    @Test func `a bookmark names the first page by the source's first key`() throws {
        let stage = loaded(pages: 1)
        insertAtHead(stage, live: true)
        let bookmark = Guarded<PaginatorListBookmark?>(nil)
        stage.list.bookmark { made in bookmark.withLock { $0 = made } }
        stage.settle()
        #expect(try #require(bookmark.withLock { $0 }).keys == ["0"])
    }

    @Test func `a refresh after deletes keeps the place and leaves no hole`() {
        let stage = loaded(pages: 3)
        stage.table.pages.remove(3..<5)
        stage.list.edits.remove(3)
        stage.after { $0.edits.remove(4) }
        stage.after { $0.refresh(.keepingPlace) }
        #expect(stage.list.snapshot.gaps == [])
        #expect(walkToEnd(stage) == table(stage))
    }

    @Test(arguments: [PaginatorListRefresh.all, .firstPage, .keepingPlace])
    func `a live row that the server has deleted again leaves no hole`(refresh: PaginatorListRefresh) {
        let stage = loaded(pages: 2)
        insertAtHead(stage, live: true)
        insertAtHead(stage, live: true)
        stage.table.pages.remove(0..<2)
        stage.after { $0.refresh(refresh) }
        #expect(stage.ids.first == 0)
        #expect(stage.list.snapshot.gaps == [])
        #expect(walkToEnd(stage) == table(stage))
    }

    @Test(arguments: [1, 2])
    func `a live row inside a page that a refresh lacks moves the following keys back`(pages: Int) {
        let stage = loaded(pages: pages)
        stage.after { $0.insertLive([SampleItem(id: 1_000, text: "")], at: .after(3)) }
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.refresh(.page("0")) }
        #expect(stage.ids == Array(0..<10 * pages) && stage.list.snapshot.gaps == [])
        #expect(walkToEnd(stage) == table(stage))
    }

    // MARK: - Keys that pages went by before

    @Test func `what follows a last page whose rows were all deleted is loaded`() {
        let stage = loaded(pages: 2)
        stage.table.pages.remove(10..<20)
        stage.after { list in for id in 10..<20 { list.edits.remove(id) } }
        stage.after { $0.loadNext() }
        #expect(walkToEnd(stage) == table(stage))
    }

    // MARK: - Pages that the window has dropped

    @Test func `a delete on a page dropped at the start moves the next key`() {
        let stage = loaded(pages: 4, window: 20)
        #expect(stage.ids == Array(20..<40))
        stage.table.pages.remove(3..<4)
        stage.after { $0.edits.remove(3) }
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["39"])
        #expect(stage.ids.last == 49)
        for _ in 0..<5 { stage.after { $0.loadPrevious() } }
        #expect(stage.ids.first == 0)
        #expect(stage.ids == Array(table(stage).prefix(stage.ids.count)))
    }

    @Test func `a delete on a page dropped at the end moves the keys behind it`() {
        let stage = loaded(pages: 5, window: 20)
        for _ in 0..<4 { stage.after { $0.loadPrevious() } }
        #expect(stage.ids == Array(0..<20))
        stage.table.pages.remove(25..<27)
        stage.list.edits.remove(25)
        stage.after { $0.edits.remove(26) }
        var seen = stage.ids
        for _ in 0..<8 {
            stage.after { $0.loadNext() }
            seen += stage.ids.filter { !seen.contains($0) }
        }
        #expect(seen == table(stage))
    }

    @Test func `an insert behind an item of a dropped page moves the next key`() {
        let stage = loaded(pages: 4, window: 20)
        stage.table.pages.insert(1, at: 4)
        stage.after { $0.edits.insert(SampleItem(id: 60, text: ""), at: .after(3)) }
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["41"])
    }

    // MARK: - While a page is in flight

    /// Loads a second page during whose flight something happens, before or after the server makes its answer.
    private func stage(
        isAnswerOlder: Bool, window: Int? = nil, _ change: (ListStage) -> Void
    ) throws -> ListStage {
        let stage = loaded(pages: 1)
        stage.source.script([.hang], forKey: "10")
        stage.after { $0.loadNext() }
        let older = stage.table.pages.page(key: "10", pageSize: 10)
        change(stage)
        let newer = stage.table.pages.page(key: "10", pageSize: 10)
        let call = try #require(stage.source.pendingCalls.first)
        stage.source.answer(call, with: .success(try #require(isAnswerOlder ? older : newer)))
        stage.settle()
        return stage
    }

    @Test(arguments: [true, false])
    func `a delete committed while the next page is in flight skips no item`(isAnswerOlder: Bool) throws {
        let stage = try stage(isAnswerOlder: isAnswerOlder) { stage in
            stage.table.pages.remove(3..<4)
            stage.after { $0.edits.remove(3) }
        }
        #expect(stage.list.snapshot.gaps == [])
        stage.after { $0.loadNext() }
        #expect(stage.ids == Array(table(stage).prefix(stage.ids.count)))
        #expect(walkToEnd(stage) == table(stage))
    }

    @Test(arguments: [true, false], [true, false])
    func `a row that comes while the next page is in flight opens no gap and skips no item`(
        isAnswerOlder: Bool, isLive: Bool
    ) throws {
        let stage = try stage(isAnswerOlder: isAnswerOlder) { stage in
            insertAtHead(stage, live: isLive)
            insertAtHead(stage, live: isLive)
        }
        #expect(stage.list.snapshot.gaps == [])
        #expect(stage.ids == Array(table(stage).prefix(stage.ids.count)))
        #expect(walkToEnd(stage) == table(stage))
    }

    @Test(arguments: [true, false])
    func `a delete and an insert while the next page is in flight skip no item`(isAnswerOlder: Bool) throws {
        let stage = try stage(isAnswerOlder: isAnswerOlder) { stage in
            insertAtHead(stage, live: true)
            stage.table.pages.remove(4..<5)
            stage.after { $0.edits.remove(3) }
        }
        #expect(walkToEnd(stage) == table(stage))
    }

    @Test(arguments: [true, false])
    func `a delete committed while pages are refreshed skips no item`(isAnswerOlder: Bool) throws {
        let stage = loaded(pages: 3)
        stage.source.script([.hang], forKey: "0")
        stage.source.script([.hang], forKey: "10")
        stage.source.script([.hang], forKey: "20")
        stage.after { $0.refresh(.keepingPlace) }
        let older = stage.table.pages
        stage.table.pages.remove(13..<14)
        stage.after { $0.edits.remove(13) }
        for call in stage.source.pendingCalls {
            let pages = isAnswerOlder ? older : stage.table.pages
            let answer = try #require(pages.page(key: call.request.key, pageSize: 10))
            stage.source.answer(call, with: .success(answer))
            stage.settle()
        }
        #expect(walkToEnd(stage) == table(stage))
    }

    // MARK: - Many rows at once

    @Test(arguments: [2..<12, 0..<10, 5..<15, 8..<18, 2..<22, 10..<30, 0..<30], [0, 1, 5])
    func `deletes of a page's worth of rows cut nothing off`(_ gone: Range<Int>, batch: Int) {
        let stage = loaded(pages: 3)
        stage.table.pages.remove(gone)
        for id in gone { stage.list.edits.remove(id) }
        stage.settle()
        for _ in 0..<batch { stage.after { $0.loadNext() } }
        #expect(walkToEnd(stage) == table(stage))
    }

    @Test func `deletes of a page's worth of rows cut nothing off above`() {
        let stage = ListStage(count: 90, pageSize: 10) { $0.initialKey = "60" }
        stage.after { $0.loadNext() }
        for _ in 0..<2 { stage.after { $0.loadPrevious() } }
        stage.table.pages.remove(42..<52)
        for id in 42..<52 { stage.list.edits.remove(id) }
        stage.settle()
        for _ in 0..<8 { stage.after { $0.loadPrevious() } }
        #expect(walkToEnd(stage) == table(stage))
    }

    @Test(arguments: [2..<4, 0..<1, 0..<9, 9..<10])
    func `rows that somebody else deleted on the first page leave nothing out once it is refreshed`(_ gone: Range<Int>)
    {
        let stage = loaded(pages: 3)
        stage.table.pages.remove(gone)
        stage.after { $0.refresh(.firstPage) }
        #expect(walkToEnd(stage) == table(stage))
        // And once more, from there.
        stage.table.pages.remove(1..<3)
        stage.after { $0.refresh(.firstPage) }
        #expect(walkToEnd(stage) == table(stage))
    }

    @Test func `rows deleted by the user and by somebody else above leave nothing out after a refresh`() {
        let stage = loaded(pages: 3)
        stage.table.pages.remove(2..<4)
        stage.after { $0.edits.remove(2) }
        stage.after { $0.refresh(.firstPage) }
        #expect(walkToEnd(stage) == table(stage))
    }

    // MARK: - Lists made later

    @Test(arguments: [1..<2, 9..<12, 2..<14, 25..<26])
    func `a list made after deletes leaves out no row behind the pages that the caches have of before`(
        _ gone: Range<Int>
    ) {
        let stage = loaded(pages: 2)
        stage.table.pages.remove(gone)
        for id in gone { stage.list.edits.remove(id) }
        stage.settle()
        let other = stage.makeOtherList { $0.addressing = .offset }
        for _ in 0..<30 {
            if let gap = other.snapshot.gaps.first { other.fillGap(at: gap) } else { other.loadNext() }
            stage.settle()
        }
        #expect(other.snapshot.map(\.id) == table(stage))
        #expect(other.snapshot.gaps == [])
    }

    @Test func `deletes in one scope cost a new list of another scope no request`() throws {
        let stage = ListStage(count: 100, pageSize: 10)
        for _ in 0..<4 { stage.after { $0.loadNext() } }
        for index in 0..<3 {
            let start = 1_000 + index * 10
            try stage.paginator.prime(
                stage.page("\(index * 10)", Array(start..<start + 10), next: index < 2 ? "\(index * 10 + 10)" : nil),
                pageSize: 10, scope: "b")
        }
        stage.settle()
        stage.clock.advance(by: .seconds(1))
        for id in 0..<12 { stage.after { $0.edits.remove(id) } }
        _ = stage.newKeys()
        let list = stage.makeOtherList {
            $0.scope = "b"
            $0.addressing = .offset
        }
        for _ in 0..<4 {
            list.loadNext()
            stage.settle()
        }
        #expect(list.snapshot.map(\.id) == Array(1_000..<1_030))
        #expect(stage.newKeys() == [])
    }

    @Test func `a list made later leaves out no row of a scope whose page was on its way during a delete`() throws {
        let stage = ListStage(count: 40, pageSize: 10)
        stage.after { $0.loadNext() }
        let old = stage.table.pages
        stage.table.scopes["mine"] = old
        stage.source.script([.hang], forKey: "0")
        stage.paginator.fetch(key: "0", pageSize: 10, scope: "mine") { _ in }
        stage.settle()
        stage.clock.advance(by: .seconds(1))
        stage.table.pages.remove(7..<8)
        stage.table.scopes["mine"] = stage.table.pages
        stage.after { $0.edits.remove(7) }
        let call = try #require(stage.source.pendingCalls.first)
        stage.source.answer(call, with: old.answer(to: call.request))
        stage.settle()
        let list = stage.makeOtherList {
            $0.scope = "mine"
            $0.addressing = .offset
        }
        for _ in 0..<8 {
            if let gap = list.snapshot.gaps.first { list.fillGap(at: gap) } else { list.loadNext() }
            stage.settle()
        }
        #expect(list.snapshot.map(\.id) == table(stage))
    }

    @Test func `a list made later leaves out no row of a scope that only the store has`() {
        let store = ScriptedStore<SampleItem>(answersInside: true)
        let stage = ListStage(count: 40, pageSize: 10, store: store)
        stage.after { $0.loadNext() }
        stage.table.scopes["mine"] = stage.table.pages
        store.seed(
            stage.page("0", Array(0..<10), next: "10"), for: PageIdentity(key: "0", pageSize: 10, scope: "mine"),
            fetchedAt: stage.clock.wallTime)
        stage.clock.advance(by: .seconds(1))
        stage.table.pages.remove(7..<8)
        stage.table.scopes["mine"] = stage.table.pages
        stage.after { $0.edits.remove(7) }
        let list = stage.makeOtherList {
            $0.scope = "mine"
            $0.addressing = .offset
        }
        for _ in 0..<8 {
            if let gap = list.snapshot.gaps.first { list.fillGap(at: gap) } else { list.loadNext() }
            stage.settle()
        }
        #expect(list.snapshot.map(\.id) == table(stage))
    }

    @Test func `a live row asks the source no second time for the page that is on its way`() {
        let stage = ListStage(count: 100, pageSize: 10) { $0.prefetchDistance = 5 }
        stage.after { $0.loadNext() }
        let next = stage.page("10", Array(10..<20), next: "20")
        stage.source.script([.page(next).after(.seconds(2)), .page(next).after(.seconds(2))], forKey: "10")
        stage.after { $0.hint(visible: 5..<10) }
        stage.clock.advance(by: .seconds(1))
        stage.settle()
        stage.after { $0.insertLive([SampleItem(id: -1, text: "")]) }
        stage.after { $0.loadNext() }
        stage.clock.advance(by: .seconds(1))
        stage.settle()
        #expect(stage.newKeys().count { $0 == "10" } == 1)
        #expect(stage.ids == [-1] + Array(0..<20))
    }

    @Test(arguments: [false, true])
    func `rows that come or go below cost no request for a page above that memory has`(_ deletes: Bool) {
        let stage = ListStage(count: 100, pageSize: 10) {
            $0.initialKey = "40"
            $0.addressing = .offset
        }
        stage.after { $0.loadNext() }
        stage.after { $0.loadNext() }
        stage.paginator.prefetch(keys: ["30"], pageSize: 10)
        stage.settle()
        _ = stage.newKeys()
        stage.after {
            if deletes { $0.edits.remove(55) } else { $0.insertLive([SampleItem(id: -1, text: "")], at: .tail) }
        }
        stage.after { $0.loadPrevious() }
        #expect(stage.ids.first == 30)
        #expect(stage.newKeys() == [])
    }
}
