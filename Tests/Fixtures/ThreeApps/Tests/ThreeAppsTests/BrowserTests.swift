import Foundation
import PaginatorCore
import PaginatorLists
import PaginatorSQLiteStore
import PaginatorTesting
import Testing

@testable import Browser

/// The screen's view model over a source that the test scripts, in virtual time.
@MainActor @Suite(.timeLimit(.minutes(1))) struct BrowserTests {
    private let clock = ManualPaginatorClock()
    private let executor = SimulatedExecutor()
    private let connectivity = ScriptedConnectivity()
    private let table = Table("abc", perLetter: 40)
    private let source: ScriptedDataSource<Repository>

    init() {
        let table = table
        source = ScriptedDataSource(
            firstKey: "1", clock: clock, executor: executor, otherwise: { .page(table.page($0)) })
    }

    private func paginator(
        _ source: ScriptedDataSource<Repository>? = nil, store: (any PaginatorStore<Repository>)? = nil
    ) -> CallbackPaginator<Repository> {
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock)
        config.connectivity = connectivity
        return CallbackPaginator(dataSource: source ?? self.source, store: store, config: config)
    }

    /// A screen whose server accepts every star, unless the test says otherwise.
    private func browser(
        _ paginator: CallbackPaginator<Repository>? = nil, place: SavedPlace? = nil,
        setStar: @escaping (Bool, Repository) async throws -> Void = { _, _ in }
    ) -> RepositoryBrowser {
        executor.immediately { RepositoryBrowser(paginator ?? self.paginator(), place: place, setStar: setStar) }
    }

    private func driver(_ browser: RepositoryBrowser) -> ScrollDriver<Repository, Repository.ID> {
        ScrollDriver(browser.list, screenSize: 8, clock: clock, executor: executor)
    }

    private func type(_ texts: String..., into browser: RepositoryBrowser) {
        for text in texts { executor.immediately { browser.search = text } }
    }

    private func wait(_ duration: Duration) { clock.advance(by: duration) }

    private func show(_ positions: Range<Int>, of browser: RepositoryBrowser) {
        executor.immediately { browser.rowsDidAppear(positions.compactMap { browser.sections.place(of: $0) }) }
    }

    /// Awaits something of the screen while the executor works for it.
    private func finish<Result>(_ work: @escaping @MainActor () async -> Result) async throws -> Result {
        var result: Result?
        Task { result = await work() }
        try await executor.settle { result != nil }
        return try #require(result)
    }

    @Test func `a search burst asks for the last text alone`() {
        let browser = browser()
        type("b", "b-", "b-1", into: browser)
        #expect(browser.repositories.count == 30, "what was shown stays while the search is on its way")
        wait(.milliseconds(300))
        #expect(source.calls.map(\.request.scope) == ["", "b-1"])
        #expect(browser.repositories.map(\.name) == ["b-1"] + (10..<20).map { "b-\($0)" })
        #expect(browser.status.total == 11)
    }

    @Test func `a late answer of an earlier search is not shown`() {
        let table = table
        source.otherwise { .page(table.page($0)).after($0.scope == "a" ? .seconds(5) : .seconds(1)) }
        let browser = browser()
        wait(.seconds(1))
        type("a", into: browser)
        wait(.milliseconds(300))
        type("b", into: browser)
        wait(.milliseconds(1_300))
        wait(.seconds(1))
        #expect(browser.repositories.first?.name == "b-0")
        wait(.seconds(10))
        #expect(browser.repositories.first?.name == "b-0")
        #expect(source.calls.map(\.request.scope) == ["", "a", "b"])
    }

    @Test func `rows load ahead of what is on the screen, up to the end`() {
        let browser = browser()
        #expect(browser.rowCount == 120, "with rows for what is not loaded")
        show(20..<28, of: browser)
        #expect(browser.repositories.count == 60)
        driver(browser).scroll(to: 119)
        #expect(browser.status.next == .endReached)
        #expect(browser.repositories.map(\.id) == Array(0..<120))
    }

    @Test func `a footer tells that a page failed, and its button loads it`() {
        struct Outage: Error {}
        let browser = browser()
        source.script([.fail(.fatal(Outage())), .fail(.fatal(Outage()))], forKey: "2")
        show(20..<28, of: browser)
        show(22..<30, of: browser)
        #expect(browser.status.next.error?.code == .sourceFailed)
        #expect(browser.repositories.count == 30)
        executor.immediately { browser.retry() }
        #expect(browser.repositories.count == 60)
    }

    @Test func `sections follow the list as pages come`() {
        let browser = browser()
        #expect(browser.sections.sections.map(\.key) == ["a"])
        driver(browser).scroll(to: 119)
        #expect(browser.sections.sections.map(\.key) == ["a", "b", "c"])
        #expect(browser.sections.sections.map(\.count) == [40, 40, 40])
        #expect(browser.sections[1].map(\.name) == (0..<40).map { "b-\($0)" })
    }

    @Test func `a star shows at once and goes when the server refuses it`() async throws {
        struct Refusal: LocalizedError { var errorDescription: String? { "no stars today" } }
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
        let browser = browser { _, _ in for await accepts in answers { if accepts { return } else { throw Refusal() } }
        }
        executor.immediately { browser.toggleStar(7) }
        #expect(browser.repositories[7] == Repository(id: 7, name: "a-7", stars: 1, isStarred: true))
        #expect(browser.repositories.isPending(at: 7))
        answer.yield(false)
        try await executor.settle { browser.refusal == "no stars today" && !browser.repositories[7].isStarred }
        #expect(browser.repositories[7].stars == 0)

        executor.immediately { browser.toggleStar(8) }
        answer.yield(true)
        try await executor.settle { !browser.repositories.isPending(at: 8) }
        #expect(browser.repositories[8].isStarred)
    }

    @Test func `a refresh shows what is new, and moves rows without duplicates`() async throws {
        let browser = browser()
        driver(browser).scroll(to: 50)
        table.change { rows in
            rows.insert(Repository(id: 1_000, name: "a-new"), at: 0)
            rows.swapAt(3, 20)
            rows.remove(at: 10)
        }
        try await finish { await browser.refresh() }
        driver(browser).scroll(to: 119)
        #expect(browser.repositories.map(\.id) == table.find("", page: 1, size: 1_000).items.map(\.id))
        #expect(Set(browser.repositories.ids).count == 120)
    }

    @Test func `a start without a connection shows what is on disk, and its age`() async throws {
        let folder = Folder()
        func store() throws -> SQLitePageStore<Repository> { try SQLitePageStore(path: folder.path + "/pages.sqlite") }
        do {
            let browser = browser(paginator(store: try store()))
            try await executor.settle { browser.repositories.count == 30 }
            _ = try await finish { await browser.didEnterBackground() }
        }
        connectivity.set(.offline)
        wait(.seconds(2 * 3_600))
        let unused = ScriptedDataSource<Repository>(firstKey: "1") { message, _, _ in Issue.record("\(message)") }
        let browser = browser(paginator(unused, store: try store()))
        try await executor.settle { browser.repositories.count == 30 }
        #expect(browser.banner(at: clock.wallTime) == "Offline, saved 2 hours ago")
        #expect(browser.rowCount == 120)
    }

    @Test func `a relaunch comes back to the row that was looked at, though rows came above it`() async throws {
        let before = browser()
        driver(before).scroll(to: 70)
        let saved = try JSONEncoder().encode(try await finish { await before.didEnterBackground() })
        table.change { $0.insert(contentsOf: (0..<5).map { Repository(id: 1_000 + $0, name: "a-new-\($0)") }, at: 0) }

        let after = browser(place: try JSONDecoder().decode(SavedPlace.self, from: saved))
        let anchor = try #require(after.anchor)
        let position = try #require(after.sections.position(of: anchor))
        #expect(after.repositories[position].id == 70)
    }
}
