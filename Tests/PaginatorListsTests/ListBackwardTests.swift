import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// A list that begins at its newest end and loads older pages before it, as a chat does.
@Suite struct ListBackwardTests {
    /// How a server names its pages. Rows are numbers, the oldest first.
    enum Form: CaseIterable, Sendable {
        /// The newest page has a name, and each older one is named by the number of rows before it ends. No page says what
        /// follows it.
        case ends
        /// A page is named by the row before or after which it lies, and says so in both directions.
        case rows
    }

    /// `@unchecked Sendable`: everything runs on the thread of the test.
    private final class Chat: @unchecked Sendable {
        let form: Form
        var rows = Array(0..<100)
        var calls: [String] = []
        let executor = SimulatedExecutor()
        private(set) var paginator: CallbackPaginator<SampleItem>?

        init(_ form: Form) {
            self.form = form
            let clock = ManualPaginatorClock()
            let source = ScriptedDataSource<SampleItem>(
                firstKey: "newest", clock: clock,
                otherwise: { [unowned self] in .result(.success(answer(to: $0.key))).insideFetch })
            var config = DefaultPaginatorConfig()
            (config.executor, config.callbackExecutor, config.clock, config.randomSeed) = (executor, executor, clock, 1)
            paginator = CallbackPaginator(dataSource: source, config: config)
        }

        private func answer(to key: String) -> PaginatorPage<SampleItem> {
            calls.append(key)
            let number = Int(key.filter(\.isNumber)) ?? 0
            let range: Range<Int> =
                switch form {
                case _ where key == "newest": max(0, rows.count - 10)..<rows.count
                case .ends: max(0, number - 10)..<min(number, rows.count)
                case .rows where key.hasPrefix("before"):
                    max(0, place(of: number) - 10)..<place(of: number)
                case .rows: min(place(of: number) + 1, rows.count)..<min(place(of: number) + 11, rows.count)
                }
            let shown = rows[range]
            let (previous, next): (String?, String?) =
                switch form {
                case .ends: (range.lowerBound > 0 ? "\(range.lowerBound)" : nil, nil)
                case .rows:
                    (
                        range.lowerBound > 0 ? shown.first.map { "before \($0)" } : nil,
                        range.upperBound < rows.count ? shown.last.map { "after \($0)" } : nil
                    )
                }
            return PaginatorPage(
                content: shown.map { SampleItem(id: $0, text: "") }, key: key, prevKey: previous, nextKey: next)
        }

        private func place(of row: Int) -> Int { rows.firstIndex(of: row) ?? rows.count }

        func makeList() throws -> PaginatorList<SampleItem, Int> {
            var config = PaginatorListConfig()
            (config.pageSize, config.prefetchDistance) = (10, 0)
            return PaginatorList(try #require(paginator), id: \.id, config: config)
        }

        func settle() {
            while executor.runOne(choose: { _ in 0 }) {}
        }
    }

    private func ids(_ list: PaginatorList<SampleItem, Int>) -> [Int] { list.snapshot.map(\.id) }

    private func loaded(_ chat: Chat, pages: Int) throws -> PaginatorList<SampleItem, Int> {
        let list = try chat.makeList()
        for _ in 0..<pages {
            list.loadPrevious()
            chat.settle()
        }
        return list
    }

    @Test(arguments: Form.allCases) func `pages that lie before each other have no gap between them`(
        _ form: Form
    ) throws {
        let chat = Chat(form)
        let list = try loaded(chat, pages: 4)
        #expect(ids(list) == Array(60..<100))
        #expect(list.snapshot.gaps.isEmpty && !list.status.isPartial)
        #expect(chat.calls.count == 4)
        list.refresh(.keepingPlace)
        chat.settle()
        #expect(ids(list) == Array(60..<100))
        #expect(list.snapshot.gaps.isEmpty)
    }

    @Test(arguments: Form.allCases) func `a later list over the same pages has no gap and asks for nothing`(
        _ form: Form
    ) throws {
        let chat = Chat(form)
        _ = try loaded(chat, pages: 3)
        chat.calls = []
        let list = try loaded(chat, pages: 3)
        #expect(ids(list) == Array(70..<100))
        #expect(list.snapshot.gaps.isEmpty)
        #expect(chat.calls.isEmpty)
    }

    @Test(arguments: Form.allCases) func `older pages reach the start`(_ form: Form) throws {
        let chat = Chat(form)
        let list = try loaded(chat, pages: 12)
        #expect(ids(list) == Array(0..<100))
        #expect(list.snapshot.gaps.isEmpty)
        #expect(list.status.previous == .endReached)
    }

    @Test(arguments: Form.allCases) func `rows that came while the list was there are missed by nobody`(
        _ form: Form
    ) throws {
        let chat = Chat(form)
        let list = try loaded(chat, pages: 3)
        chat.rows += Array(100..<125)
        list.refresh(.page("newest"))
        chat.settle()
        // The newest page has moved on: what lies between is not there, and the list says so.
        if ids(list) != Array(70..<125) { #expect(!list.snapshot.gaps.isEmpty) }
        for _ in 0..<10 {
            guard let gap = list.snapshot.gaps.first else { break }
            list.fillGap(at: gap)
            chat.settle()
        }
        #expect(ids(list) == Array(70..<125))
        #expect(list.snapshot.gaps.isEmpty)
    }

    @Test(arguments: [[40], [40, 70], [10], [10, 65], [65, 10, 40]])
    func `messages that are jumped to lie among the others in their order, and what is missing can be loaded`(
        _ ends: [Int]
    ) throws {
        let chat = Chat(.ends)
        let list = try loaded(chat, pages: 1)
        for end in ends {
            list.jump(to: String(end))
            chat.settle()
            #expect(ids(list) == ids(list).sorted())
            #expect(ids(list).contains(end - 1))
        }
        for _ in 0..<10 {
            guard let gap = list.snapshot.gaps.first else { break }
            list.fillGap(at: gap)
            chat.settle()
        }
        #expect(ids(list) == Array(((ends.min() ?? 0) - 10)..<100))
        #expect(list.snapshot.gaps.isEmpty)
    }

    @Test func `a jump in a chat goes before its newest page, which leads only backward`() throws {
        let chat = Chat(.rows)
        let list = try loaded(chat, pages: 1)
        list.jump(to: "before 40")
        chat.settle()
        #expect(ids(list) == Array(30..<40) + Array(90..<100))
    }

    /// A list that shows the page of an old message alone.
    private func jumpedBack(_ chat: Chat) throws -> PaginatorList<SampleItem, Int> {
        let list = try chat.makeList()
        list.jump(to: chat.form == .rows ? "before 40" : "40")
        chat.settle()
        #expect(ids(list) == Array(30..<40))
        return list
    }

    @Test(arguments: Form.allCases) func `whoever goes to the newest messages sees none of older ones below them`(
        _ form: Form
    ) throws {
        let chat = Chat(form)
        let list = try jumpedBack(chat)
        chat.rows += Array(100..<200)
        for id in 100..<200 { list.insertLive([SampleItem(id: id, text: "")], at: .tail) }
        chat.settle()
        list.jump(to: "newest")
        chat.settle()
        #expect(ids(list) == Array(30..<40) + Array(190..<200))
        #expect(list.snapshot.gaps == [10] && list.status.newBelow == 0)
    }

    @Test(arguments: Form.allCases) func `the newest messages are at the end also for whoever goes to the start`(
        _ form: Form
    ) throws {
        let chat = Chat(form)
        let list = try jumpedBack(chat)
        list.jump(to: "newest", placement: .start)
        chat.settle()
        #expect(ids(list) == Array(30..<40) + Array(90..<100))
        list.loadPrevious()
        chat.settle()
        #expect(ids(list) == Array(20..<40) + Array(90..<100))
    }

    @Test func `a cached page that was the last one is followed by a gap where rows have come since`() {
        // Numbered pages, the oldest first, of a list that knows nothing about its keys.
        let stage = ListStage(count: 25, style: .number, pageSize: 10)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.clock.advance(by: .seconds(600))
        stage.table.pages.insert(10, at: 25)
        let list = stage.makeOtherList { $0.initialKey = "4" }
        list.loadNext()
        stage.settle()
        list.loadPrevious()
        stage.settle()
        #expect(ids(list) == Array(20..<25) + Array(30..<35))
        #expect(list.snapshot.gaps == [5] && list.status.isPartial)
        list.fillGap(at: 5, fromEnd: true)
        stage.settle()
        #expect(ids(list) == Array(20..<35) && list.snapshot.gaps.isEmpty)
    }

    @Test func `a list that asks the caches alone has no gap that it could not fill`() {
        let stage = ListStage(count: 25, style: .number, pageSize: 10)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.clock.advance(by: .seconds(600))
        stage.table.pages.insert(10, at: 25)
        stage.paginator.prefetch(keys: ["4"], pageSize: 10)
        stage.settle()
        let list = stage.makeOtherList { ($0.initialKey, $0.policy) = ("4", .cacheOnly) }
        list.loadNext()
        stage.settle()
        list.loadPrevious()
        stage.settle()
        #expect(ids(list) == Array(20..<25) + Array(30..<35) && list.snapshot.gaps.isEmpty)
    }

    @Test func `a full cached page joins a newer page behind it without a request`() {
        let stage = ListStage(count: 30, style: .number, pageSize: 10)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.clock.advance(by: .seconds(600))
        stage.table.pages.insert(5, at: 30)
        let list = stage.makeOtherList { $0.initialKey = "4" }
        list.loadNext()
        stage.settle()
        _ = stage.newKeys()
        list.loadPrevious()
        stage.settle()
        #expect(ids(list) == Array(20..<35) && list.snapshot.gaps.isEmpty)
        #expect(stage.newKeys() == [])
    }

    @Test func `a gap is not closed from its end by a cached page that was the last one`() {
        let stage = ListStage(count: 25, style: .number, pageSize: 10)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.clock.advance(by: .seconds(600))
        stage.table.pages.insert(10, at: 25)
        let list = stage.makeOtherList()
        for key in ["1", "4"] {
            list.jump(to: key)
            stage.settle()
        }
        #expect(ids(list) == Array(0..<10) + Array(30..<35))
        list.fillGap(at: 10, fromEnd: true)
        stage.settle()
        #expect(list.snapshot.gaps.contains(15) && !ids(list).contains(25))
        for _ in 0..<6 {
            guard let gap = list.snapshot.gaps.last else { break }
            list.fillGap(at: gap, fromEnd: true)
            stage.settle()
        }
        #expect(ids(list) == Array(0..<35) && list.snapshot.gaps.isEmpty)
    }

    @Test func `a source that sends fewer rows than asked for leaves no gap that cannot be filled`() {
        let stage = ListStage(style: .cursor, pageSize: 10)
        let newest = stage.table.pages.firstKey
        for page in [
            stage.page(newest, [8, 9], previous: "8"), stage.page("8", [6, 7], previous: "6"),
            stage.page("6", [4, 5], previous: "4"), stage.page("4", [2, 3], previous: "2"),
        ] { stage.source.script(Array(repeating: SourceStep.page(page).insideFetch, count: 2), forKey: page.key) }
        for _ in 0..<4 { stage.after { $0.loadPrevious() } }
        #expect(stage.ids == Array(2..<10) && stage.list.snapshot.gaps.isEmpty)
        stage.clock.advance(by: .seconds(600))
        stage.paginator.clear(key: newest)
        stage.settle()
        let list = stage.makeOtherList()
        for _ in 0..<4 {
            list.loadPrevious()
            stage.settle()
            for gap in list.snapshot.gaps { list.fillGap(at: gap, fromEnd: true) }
            stage.settle()
        }
        #expect(ids(list) == Array(2..<10) && list.snapshot.gaps.isEmpty)
    }

    @Test func `the first page is not taken for the one that a key once named`() throws {
        // Page 2 says that the first page precedes it; since then rows have come there.
        let stage = ListStage(style: .cursor, pageSize: 2)
        let first = stage.table.pages.firstKey
        stage.source.script([SourceStep.page(stage.page("b", [3, 4], previous: first)).insideFetch], forKey: "b")
        stage.source.script([SourceStep.page(stage.page(first, [8, 9], next: "after 9")).insideFetch], forKey: first)
        stage.after { $0.jump(to: "b") }
        stage.after { $0.loadPrevious() }
        #expect(stage.ids == [8, 9, 3, 4])
        #expect(stage.list.snapshot.gaps == [2])
    }

    @Test func `a row that was added inside a page pushes others out of it, which the key of the page before hides`() {
        // Each cursor names the item before its page.
        let stage = ListStage(style: .cursor, pageSize: 3)
        for page in [
            stage.page(stage.table.pages.firstKey, [0, 1, 2], next: "after 2"),
            stage.page("after 3", [4, 5, 6], previous: "after 0"),
            stage.page("after 0", [1, 2, 19], next: "after 19", previous: stage.table.pages.firstKey),
            stage.page("after 19", [3, 4, 5], next: "after 5", previous: "after 1"),
        ] { stage.source.script([SourceStep.page(page).insideFetch], forKey: page.key) }
        stage.after { $0.loadNext() }
        stage.after { $0.jump(to: "after 3", placement: .end) }
        stage.after { $0.insertLive([SampleItem(id: 19, text: "")], at: .after(2)) }
        stage.after { $0.fillGap(at: 4, fromEnd: true) }
        #expect(stage.ids == [0, 1, 2, 19, 4, 5, 6] && stage.list.snapshot.gaps == [4])
        stage.after { $0.fillGap(at: 4) }
        #expect(stage.ids == [0, 1, 2, 19, 3, 4, 5, 6] && stage.list.snapshot.gaps == [])
    }

    /// - Parameter isPlaced: whether the list has the item that the row was added after.
    @Test(arguments: [true, false])
    func `a row that was added before the first item of a page pushes others out of it`(isPlaced: Bool) {
        // Each cursor names the item before its page.
        let stage = ListStage(style: .cursor, pageSize: 3)
        let firstKey = stage.table.pages.firstKey
        for page in [
            stage.page(firstKey, [0, 1, 2], next: "after 2"),
            stage.page("after 5", [6, 7, 8], previous: "after 2"),
            stage.page("after 2", [19, 3, 4], next: "after 4", previous: firstKey),
            stage.page("after 4", [5, 6, 7], next: "after 7", previous: "after 19"),
        ] { stage.source.script([SourceStep.page(page).insideFetch], forKey: page.key) }
        if isPlaced { stage.after { $0.loadNext() } }
        stage.after { $0.jump(to: "after 5", placement: .end) }
        stage.after { $0.insertLive([SampleItem(id: 19, text: "")], at: .after(2)) }
        stage.after { list in
            if isPlaced { list.fillGap(at: 4) } else { list.loadPrevious() }
        }
        let above = isPlaced ? [0, 1, 2] : []
        #expect(stage.ids == above + [19, 3, 4, 6, 7, 8] && stage.list.snapshot.gaps == [above.count + 3])
        stage.after { $0.fillGap(at: above.count + 3) }
        #expect(stage.ids == above + [19, 3, 4, 5, 6, 7, 8] && stage.list.snapshot.gaps == [])
    }

    @Test func `rows that were added above a page that is loaded backward open no gap below it`() {
        let stage = ListStage(style: .cursor, pageSize: 3)
        for page in [
            stage.page("before 7", [4, 5, 6], previous: "before 4"), stage.page("before 4", [21, 20, 3]),
        ] { stage.source.script([SourceStep.page(page).insideFetch], forKey: page.key) }
        stage.after { $0.jump(to: "before 7") }
        stage.after { $0.insertLive([SampleItem(id: 20, text: ""), SampleItem(id: 21, text: "")]) }
        stage.after { $0.loadPrevious() }
        #expect(stage.ids == [21, 20, 3, 4, 5, 6] && stage.list.snapshot.gaps == [])
    }

    @Test func `an observer that fills each gap comes to an end where none can be filled`() throws {
        let stage = ListStage(style: .cursor, pageSize: 2)
        // Both lead past each other, whatever is asked for.
        for _ in 0..<100 {
            stage.source.script(
                [SourceStep.page(stage.page("b", [3, 4], next: "b", previous: "b")).insideFetch], forKey: "b")
            stage.source.script(
                [SourceStep.page(stage.page("d", [7, 8], next: "d", previous: "d")).insideFetch], forKey: "d")
        }
        stage.after { $0.jump(to: "b") }
        stage.after { $0.jump(to: "d") }
        #expect(stage.list.snapshot.gaps == [2])
        let before = stage.source.keys.count
        for _ in 0..<20 { stage.after { $0.fillGap(at: 2) } }
        #expect(stage.source.keys.count - before <= 2)
        #expect(stage.list.snapshot.gaps == [2])
    }
}
