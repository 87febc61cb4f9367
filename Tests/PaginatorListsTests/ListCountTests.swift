import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// How much there is, what is missing, and loading until there is enough.
@Suite struct ListCountTests {
    /// A source of a hundred items by offset, which tells how many it has.
    private func makeStage(
        _ count: Int = 100, style: SamplePages.Style = .offset,
        _ configure: (inout PaginatorListConfig) -> Void = { _ in }
    ) -> ListStage {
        let stage = ListStage(count: count, style: style, pageSize: 10, configure: configure)
        let table = stage.table
        stage.source.otherwise { request in
            SourceStep.result(
                table.pages.answer(to: request).map { page in
                    PaginatorPage(
                        content: page.content, key: page.key, prevKey: page.prevKey, nextKey: page.nextKey,
                        total: table.pages.items.count)
                }
            ).insideFetch
        }
        return stage
    }

    /// Rows, and those that are known to be missing around them.
    private func height(_ stage: ListStage) -> Int {
        stage.list.status.placeholdersBefore + stage.ids.count + stage.list.status.placeholdersAfter
    }

    @Test func `the total and what is missing on both sides are told`() {
        let stage = makeStage { $0.initialKey = "40" }
        #expect(stage.list.status.total == nil && !stage.list.status.hasNext && !stage.list.status.hasPrevious)
        stage.after { $0.loadNext() }
        #expect(stage.list.status.total == 100 && stage.list.status.hasNext && stage.list.status.hasPrevious)
        #expect(stage.list.status.placeholdersBefore == 40 && stage.list.status.placeholdersAfter == 50)
        for _ in 0..<4 { stage.after { $0.loadPrevious() } }
        #expect(stage.list.status.placeholdersBefore == 0 && !stage.list.status.hasPrevious)
        #expect(height(stage) == 100)
        stage.loadToTheEnd()
        #expect(stage.list.status.placeholdersAfter == 0 && !stage.list.status.hasNext && height(stage) == 100)
        stage.after { $0.reset() }
        #expect(stage.list.status.total == nil && stage.list.status.placeholdersAfter == 0)
    }

    @Test func `rows that came and went since are counted`() {
        let stage = makeStage()
        stage.after { $0.loadNext() }
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.edits.remove(3) }
        #expect(stage.list.status.total == 99 && height(stage) == 99)
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.insertLive([SampleItem(id: 700, text: "")]) }
        #expect(stage.list.status.total == 100)
        stage.table.pages.remove(0..<20)
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.refresh(.all) }
        #expect(stage.list.status.total == 80 && height(stage) == 80)
    }

    @Test(arguments: [SamplePages.Style.offset, .cursor])
    func `a total beyond all bounds is no reason to stop`(_ style: SamplePages.Style) {
        let stage = ListStage(style: style, pageSize: 10)
        let table = stage.table
        stage.source.otherwise { request in
            SourceStep.result(
                table.pages.answer(to: request).map { page in
                    PaginatorPage(
                        content: page.content, key: page.key, prevKey: page.prevKey, nextKey: page.nextKey,
                        total: request.key == table.pages.firstKey ? .max : .min)
                }
            ).insideFetch
        }
        stage.after { $0.loadNext() }
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.insertLive([SampleItem(id: 700, text: "")]) }
        #expect(stage.ids.first == 700 && stage.list.status.total ?? 0 > 1_000_000)
        stage.after { $0.loadNext() }
        stage.after { $0.edits.remove(3) }
        #expect(stage.list.status.total == 0)
    }

    @Test func `a first load that goes on to a number of items begins at the first of them`() {
        let stage = ListStage(pageSize: 30) {
            $0.windowItems = 80
            $0.initialLoadSize = 70
        }
        stage.after { $0.loadNext() }
        #expect(stage.ids == Array(0..<90))
    }

    @Test func `a window tells what it has dropped`() {
        let stage = makeStage { $0.windowItems = 20 }
        for _ in 0..<6 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(40..<60))
        #expect(stage.list.status.placeholdersBefore == 40 && height(stage) == 100)
    }

    @Test func `where keys mean nothing what follows is told from the start on`() {
        let stage = makeStage(style: .cursor)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        #expect(stage.list.status.placeholdersBefore == 0 && stage.list.status.placeholdersAfter == 80)
    }

    @Test func `where keys mean nothing no more rows are said to follow than the total tells of`() {
        let all = makeStage(25, style: .cursor)
        all.loadToTheEnd()
        #expect(all.ids.count == 25 && all.list.status.placeholdersAfter == 0)
        let middle = makeStage(style: .cursor) { $0.initialKey = "after:39" }
        middle.after { $0.loadNext() }
        #expect(middle.ids.first == 40)
        #expect(middle.list.status.placeholdersBefore == 0 && middle.list.status.placeholdersAfter == 0)
        // More rows than the source says that it has.
        let wrong = ListStage(style: .cursor, pageSize: 10)
        let page = PaginatorPage(
            content: (0..<10).map { SampleItem(id: $0, text: "") }, key: "start", nextKey: "after:9", total: 5)
        wrong.source.script([.page(page).insideFetch], forKey: "start")
        wrong.after { $0.loadNext() }
        #expect(wrong.list.status.total == 5 && wrong.list.status.placeholdersAfter == 0)
    }

    @Test func `a source that tells no total has no placeholders`() {
        let stage = ListStage(pageSize: 10) { $0.initialKey = "40" }
        stage.after { $0.loadNext() }
        #expect(stage.list.status.total == nil && height(stage) == 10)
    }

    @Test(arguments: [0, 5, 17, 30, 55, 73, 99])
    func `a jump by position lands on that item`(_ number: Int) {
        let stage = makeStage { $0.prefetchDistance = 3 }
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.after { $0.jump(to: String(number)) }
        #expect(stage.updates.last?.anchor.map { stage.ids[$0] } == number)
        #expect(stage.complaints == [])
    }

    // MARK: - Loading all

    private func errors(
        _ stage: ListStage, limit: Int = .max, _ then: (PaginatorExecution) -> Void = { _ in }
    )
        -> [PaginatorError.Code?]
    {
        let ended = Guarded<[PaginatorError.Code?]>([])
        let execution = stage.list.loadAll(limit: limit) { error in ended.withLock { $0.append(error?.code) } }
        then(execution)
        stage.settle()
        return ended.withLock { $0 }
    }

    @Test(arguments: [nil, 20])
    func `all is loaded, one page after the other`(_ window: Int?) {
        let stage = makeStage { $0.windowItems = window }
        #expect(errors(stage) == [nil])
        #expect(stage.newKeys() == (0..<10).map { "\($0 * 10)" })
        #expect(stage.ids == Array((window.map { 100 - $0 } ?? 0)..<100) && stage.list.status.next == .endReached)
        #expect(errors(stage) == [nil] && stage.newKeys() == [])
    }

    @Test(arguments: [nil, 20])
    func `no more is loaded than is enough`(_ window: Int?) {
        let stage = makeStage { $0.windowItems = window }
        #expect(errors(stage, limit: 35) == [nil])
        #expect(stage.newKeys() == ["0", "10", "20", "30"] && stage.list.status.hasNext)
        #expect(errors(stage, limit: 30) == [nil] && stage.newKeys() == [])
    }

    @Test func `a thousand pages are no deeper than one`() {
        let stage = ListStage(count: 3_000, pageSize: 3)
        #expect(errors(stage) == [nil] && stage.ids.count == 3_000)
    }

    @Test func `a page that fails ends it, and it can go on`() {
        let stage = makeStage()
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "20")
        #expect(errors(stage) == [.sourceFailed] && stage.ids.count == 20)
        #expect(stage.list.status.next.error?.code == .sourceFailed)
        #expect(errors(stage) == [nil] && stage.ids.count == 100)
    }

    @Test func `empty pages are passed, up to a limit`() {
        let stage = makeStage { $0.maxEmptyPages = 3 }
        for key in ["10", "20", "30"] { stage.table.pages.shortPages[key] = 0 }
        #expect(errors(stage) == [nil] && stage.ids.count == 70)
        let other = makeStage { $0.maxEmptyPages = 3 }
        for key in ["10", "20", "30", "40"] { other.table.pages.shortPages[key] = 0 }
        #expect(errors(other) == [nil] && other.ids.count == 10 && other.list.status.hasNext)
    }

    @Test func `it ends when it is cancelled, and when the list goes elsewhere`() {
        let acts: [(PaginatorList<SampleItem, Int>, PaginatorExecution) -> Void] = [
            { $1.cancel() }, { list, _ in list.cancelLoads() }, { list, _ in list.reset() },
            { list, _ in list.show(scope: "other") },
        ]
        for act in acts {
            let stage = makeStage()
            stage.source.script([.hang], forKey: "20")
            let ended = errors(stage) { execution in
                while !stage.source.keys.contains("20") { _ = stage.executor.runOne { _ in 0 } }
                act(stage.list, execution)
            }
            #expect(ended == [.cancelled])
            #expect(!stage.source.keys.contains("30"))
        }
    }

    @Test func `a refresh meanwhile goes first`() {
        let stage = makeStage()
        let ended = errors(stage) { _ in
            while stage.ids.count < 20 { _ = stage.executor.runOne { _ in 0 } }
            stage.list.refresh()
        }
        #expect(ended == [nil] && stage.ids == Array(0..<100) && stage.complaints == [])
    }

    @Test func `it ends when the paginator does`() {
        let stage = makeStage()
        stage.source.script([.hang], forKey: "10")
        let ended = errors(stage) { _ in
            while !stage.source.keys.contains("10") { _ = stage.executor.runOne { _ in 0 } }
            stage.paginator.shutdown()
        }
        #expect(ended.count == 1 && ended != [nil])
    }

    @Test(arguments: [false, true])
    func `a list that could not begin with as much as it is told goes on once it can`(_ isRetried: Bool) {
        let stage = makeStage { $0.initialLoadSize = 35 }
        stage.source.script([SourceStep.fail(.fatal(ListTrouble())).insideFetch], forKey: "10")
        stage.after { $0.loadNext() }
        #expect(stage.ids == Array(0..<10))
        #expect(stage.list.status.next.error != nil)
        stage.after { isRetried ? $0.retry() : $0.loadNext() }
        #expect(stage.newKeys() == ["0", "10", "10", "20", "30"] && stage.ids == Array(0..<40))
    }

    @Test func `a list begins with as much as it is told`() {
        let stage = makeStage { $0.initialLoadSize = 25 }
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["0", "10", "20"] && stage.ids == Array(0..<30))
        stage.after { $0.refresh(.all) }
        #expect(stage.newKeys() == ["0", "10", "20"] && stage.ids == Array(0..<30))
        stage.after { $0.show(scope: "other", initialKey: "90") }
        #expect(stage.newKeys() == ["90"] && stage.ids == Array(90..<100))
    }

    @Test func `what is over cannot be cancelled`() {
        let stage = makeStage()
        let ends = Guarded<[PaginatorError?]>([])
        let execution = stage.list.loadAll(limit: 20) { error in ends.withLock { $0.append(error) } }
        stage.settle()
        #expect(ends.withLock { $0.count } == 1 && stage.ids.count == 20)
        #expect(!execution.cancel())
        stage.settle()
        #expect(ends.withLock { $0.count } == 1)
    }

    @Test func `nothing more is loaded where nothing is wanted, whatever is under way`() {
        let stage = makeStage()
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.loadNext() }
        let ends = Guarded<[PaginatorError?]>([])
        stage.after { $0.loadAll(limit: 0) { error in ends.withLock { $0.append(error) } } }
        #expect(ends.withLock { $0.count } == 1 && stage.newKeys() == ["0"])
    }

    @Test func `a window holds again at the next hint after all was loaded`() {
        let stage = makeStage { $0.windowItems = 20 }
        stage.after { $0.loadNext() }
        stage.after { $0.hint(visible: 0..<5) }
        stage.after { $0.loadAll() }
        #expect(stage.ids == Array(0..<100))
        stage.after { $0.hint(visible: 0..<5) }
        #expect(stage.ids == Array(0..<20))
        #expect(stage.paginator.engine.memory.pinnedUsage.pages == 2)
        for _ in 0..<8 {
            stage.after { $0.hint(visible: stage.ids.count - 5..<stage.ids.count) }
            stage.after { $0.loadNext() }
            #expect(stage.complaints == [])
        }
        #expect(stage.ids == Array(80..<100))
    }

    @Test func `a hint while all is loaded does not throw away what has come`() {
        let stage = makeStage { $0.windowItems = 20 }
        stage.after { $0.loadNext() }
        stage.after { $0.hint(visible: 0..<5) }
        let ends = Guarded(0)
        stage.list.loadAll { _ in ends.withLock { $0 += 1 } }
        for _ in 0..<400 {
            _ = stage.executor.runOne(choose: { _ in 0 })
            stage.list.hint(visible: 0..<5)
        }
        stage.settle()
        #expect(ends.withLock { $0 } == 1)
        #expect(Set(stage.source.keys).count == 10 && stage.source.keys.count == 10)
    }

    @Test func `rows that come while all is loaded, or after it, throw away nothing until the next hint`() {
        let stage = makeStage(style: .cursor) {
            $0.windowItems = 20
            $0.policy = .networkOnly
        }
        stage.after { $0.loadNext() }
        stage.after { $0.hint(visible: 0..<5) }
        let ends = Guarded(0)
        stage.list.loadAll { _ in ends.withLock { $0 += 1 } }
        for number in 0..<400 {
            _ = stage.executor.runOne(choose: { _ in 0 })
            stage.list.insertLive([SampleItem(id: 1_000 + number, text: "")])
        }
        stage.settle()
        #expect(ends.withLock { $0 } == 1)
        #expect(stage.newKeys().count == 10 && stage.ids.suffix(100).elementsEqual(0..<100))
        stage.after { $0.hint(visible: 0..<5) }
        #expect(stage.ids.count < 40)
    }

    @Test(arguments: [SamplePages.Style.cursor, .offset])
    func `rows that came and went since are counted, whatever keys are`(_ style: SamplePages.Style) {
        let stage = makeStage(style: style) { $0.windowItems = 20 }
        stage.after { $0.loadNext() }
        for _ in 0..<4 {
            stage.after { $0.hint(visible: $0.snapshot.count - 2..<$0.snapshot.count) }
            stage.after { $0.loadNext() }
        }
        #expect(!stage.ids.contains(3) && stage.list.status.total == 100)
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.edits.remove(stage.ids[0]) }
        #expect(stage.list.status.total == 99)
        stage.after { $0.edits.insert(SampleItem(id: 500, text: ""), at: .after(stage.ids[3])) }
        #expect(stage.list.status.total == 100)
        let removal = stage.list.edits.begin(stage.ids[1]) { _ in nil }
        stage.settle()
        #expect(stage.list.status.total == 100, "it is not committed")
        removal.commit()
        stage.settle()
        #expect(stage.list.status.total == 99)
        stage.after { $0.edits.remove(3) }
        #expect(stage.list.status.total == 98, "the window has dropped its page")
        stage.after { $0.edits.remove(777) }
        #expect(stage.list.status.total == 98, "it may be of another list")
        stage.table.pages.remove(0..<20)
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.refresh(.all) }
        #expect(stage.list.status.total == 80, "the source knows what it has")
    }

    @Test(arguments: [SamplePages.Style.cursor, .offset])
    func `a total is right after any number of edits, also where its page is older than some`(
        _ style: SamplePages.Style
    ) {
        let stage = makeStage(1_000, style: style)
        for _ in 0..<40 { stage.after { $0.loadNext() } }
        for id in 0..<300 {
            stage.clock.advance(by: .milliseconds(1))
            stage.after { $0.edits.remove(id) }
        }
        #expect(stage.list.status.total == 700)
        stage.source.script([.hang])
        stage.list.refresh(.page(stage.table.pages.firstKey))
        stage.settle()
        let call = stage.source.calls.last { $0.isPending }
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.edits.remove(399) }
        #expect(stage.list.status.total == 699)
        guard let call else { return #expect(Bool(false), "nothing was asked") }
        let page = PaginatorPage(
            content: (300..<310).map { SampleItem(id: $0, text: "") }, key: call.request.key,
            nextKey: call.request.key == "0" ? "10" : nil, total: 650)
        stage.source.answer(call, with: .success(page))
        stage.settle()
        #expect(stage.list.status.total == 649, "650, and one went since")
    }

    @Test func `page numbers tell how much lies before the page that is jumped to`() {
        let stage = makeStage(95, style: .number) { $0.addressing = .pageNumber() }
        stage.after { $0.loadNext() }
        #expect(stage.list.status.placeholdersBefore == 0 && stage.list.status.placeholdersAfter == 85)
        stage.after { $0.jump(to: String(1 + 57 / 10)) }
        #expect(stage.ids == Array(0..<10) + Array(50..<60) && stage.list.snapshot.gaps == [10])
        let far = makeStage(95, style: .number) {
            $0.addressing = .pageNumber()
            $0.initialKey = "6"
        }
        far.after { $0.loadNext() }
        #expect(far.ids == Array(50..<60))
        #expect(far.list.status.placeholdersBefore == 50 && far.list.status.placeholdersAfter == 35)
        for _ in 0..<5 { far.after { $0.loadPrevious() } }
        far.loadToTheEnd()
        #expect(far.ids == Array(0..<95) && height(far) == 95 && far.list.status.placeholdersAfter == 0)
    }
}
