import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Lists with a window over sources whose pages lead in one direction alone, as those of most cursor APIs do.
@Suite struct ListOneWayTests {
    /// `@unchecked Sendable`: everything runs on the thread of the test.
    private final class Feed: @unchecked Sendable {
        let isChat: Bool
        /// In the order of the list.
        var rows = Array(0..<100)
        let clock = ManualPaginatorClock()
        let executor = SimulatedExecutor()
        private var paginator: CallbackPaginator<SampleItem>?

        /// A feed leads forward from its first page, a chat backward from its last one.
        init(isChat: Bool = false) {
            self.isChat = isChat
            let source = ScriptedDataSource<SampleItem>(
                firstKey: "first", clock: clock,
                otherwise: { [unowned self] in .result(.success(answer(to: $0.key))).insideFetch })
            var config = DefaultPaginatorConfig()
            (config.executor, config.callbackExecutor, config.clock, config.randomSeed) = (executor, executor, clock, 1)
            paginator = CallbackPaginator(dataSource: source, config: config)
        }

        private func answer(to key: String) -> PaginatorPage<SampleItem> {
            let place = Int(key).flatMap { rows.firstIndex(of: $0) }
            let shown =
                isChat
                ? rows[..<(place ?? rows.count)].suffix(10) : rows[(place.map { $0 + 1 } ?? 0)...].prefix(10)
            let last = isChat ? shown.startIndex == 0 : shown.endIndex == rows.count
            let key2 = last ? nil : (isChat ? shown.first : shown.last).map { "\($0)" }
            return PaginatorPage(
                content: shown.map { SampleItem(id: $0, text: "") }, key: key, prevKey: isChat ? key2 : nil,
                nextKey: isChat ? nil : key2)
        }

        func makeList() throws -> PaginatorList<SampleItem, Int> {
            var config = PaginatorListConfig()
            (config.pageSize, config.prefetchDistance, config.windowItems) = (10, 0, 40)
            return PaginatorList(try #require(paginator), id: \.id, config: config)
        }

        func settle(_ call: () -> Void = {}) {
            call()
            while executor.runOne(choose: { _ in 0 }) {}
            clock.advance(by: .seconds(1))
        }
    }

    private func ids(_ list: PaginatorList<SampleItem, Int>) -> [Int] { list.snapshot.map(\.id) }

    @Test func `a start that the window dropped from before a gap comes back`() throws {
        let feed = Feed()
        let list = try feed.makeList()
        feed.settle { list.loadNext() }
        feed.settle { list.loadNext() }
        feed.settle { list.loadNext() }
        feed.rows = Array(100..<115) + feed.rows
        feed.settle { list.refresh(.firstPage) }
        #expect(ids(list).prefix(10) == Array(100..<110)[...])
        #expect(list.snapshot.gaps == [10])
        while !ids(list).contains(59) {
            feed.settle { list.hint(visible: ids(list).count - 5..<ids(list).count) }
            feed.settle { list.loadNext() }
        }
        #expect(!ids(list).contains(100), "the window has dropped the start")
        #expect(list.status.previous != .endReached)
        while !ids(list).contains(100) {
            let before = ids(list)
            feed.settle { list.hint(visible: 0..<5) }
            feed.settle { list.loadPrevious() }
            guard ids(list) != before else { break }
        }
        #expect(ids(list).first == 100)
        #expect(list.snapshot.gaps == [10])
    }

    @Test func `a newest page that the window dropped from behind a gap comes back`() throws {
        let chat = Feed(isChat: true)
        let list = try chat.makeList()
        chat.settle { list.loadPrevious() }
        chat.settle { list.loadPrevious() }
        chat.rows += Array(100..<125)
        chat.settle { list.refresh(.page("first")) }
        #expect(ids(list).suffix(10) == Array(115..<125)[...])
        #expect(list.snapshot.gaps.count == 1)
        while !ids(list).contains(40) {
            chat.settle { list.hint(visible: 0..<5) }
            chat.settle { list.loadPrevious() }
        }
        #expect(!ids(list).contains(124), "the window has dropped the newest page")
        #expect(list.status.next != .endReached)
        while !ids(list).contains(124) {
            let before = ids(list)
            chat.settle { list.hint(visible: ids(list).count - 5..<ids(list).count) }
            chat.settle { list.loadNext() }
            guard ids(list) != before else { break }
        }
        #expect(ids(list).last == 124)
    }

    @Test func `a jump to the first page that the window dropped goes to the start`() throws {
        let feed = Feed()
        let list = try feed.makeList()
        for _ in 0..<7 {
            feed.settle { list.loadNext() }
            feed.settle { list.hint(visible: ids(list).count - 5..<ids(list).count) }
        }
        #expect(ids(list).first != 0)
        feed.settle { list.jump(to: "first") }
        #expect(ids(list).first == 0)
        #expect(ids(list) == ids(list).sorted())
        #expect(list.snapshot.gaps.count == 1)
    }

    @Test(arguments: [false, true])
    func `what the window has dropped beyond the page of a jump comes back`(isChat: Bool) throws {
        let feed = Feed(isChat: isChat)
        let list = try feed.makeList()
        for _ in 0..<7 {
            feed.settle { isChat ? list.loadPrevious() : list.loadNext() }
            feed.settle { list.hint(visible: isChat ? 0..<5 : ids(list).count - 5..<ids(list).count) }
        }
        #expect(ids(list) == Array(30..<70))
        feed.settle { list.jump(to: isChat ? "90" : "9") }
        #expect(ids(list).contains(isChat ? 80 : 10))
        #expect((isChat ? list.status.next : list.status.previous) != .endReached)
        feed.settle { isChat ? list.loadNext() : list.loadPrevious() }
        #expect(isChat ? ids(list).last == 99 : ids(list).first == 0)
        #expect(ids(list) == ids(list).sorted() && list.snapshot.gaps.count == 1)
    }

    @Test func `a page before one that is minutes older leaves a gap where rows may have come`() {
        let stage = ListStage(count: 200, pageSize: 10) { $0.initialKey = "50" }
        stage.settle()
        stage.after { $0.loadNext() }
        #expect(stage.ids.first == 50)
        stage.clock.advance(by: .seconds(600))
        stage.table.pages.insert(100)
        stage.after { $0.loadPrevious() }
        let newest = Array(stage.ids.prefix(10))
        #expect(newest == Array(stage.firstRows(50).suffix(10)))
        #expect(stage.list.snapshot.gaps == [10], "a hundred rows lie between")
    }

    @Test func `a page behind the former last one is not taken for the next`() {
        let stage = ListStage(style: .cursor, pageSize: 10)
        let first = stage.table.pages.firstKey
        for page in [
            stage.page(first, [0, 1], next: "two"), stage.page("two", [2, 3], previous: first),
            stage.page("three", [10, 11], previous: "two"),
        ] { stage.source.script([SourceStep.page(page).insideFetch], forKey: page.key) }
        stage.after { $0.loadNext() }
        stage.after { $0.loadNext() }
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.jump(to: "three") }
        #expect(stage.ids == [0, 1, 2, 3, 10, 11])
        #expect(stage.list.snapshot.gaps == [4], "the page of the key two has grown")
    }
}
