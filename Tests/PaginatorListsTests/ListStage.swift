import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// A list over a paginator with a scripted source, all on the thread of the test: work runs when ``settle()`` is called.
///
/// `@unchecked Sendable`: everything runs on the thread of the test.
final class ListStage: @unchecked Sendable {
    let executor: SimulatedExecutor
    let clock = ManualPaginatorClock()
    let source: ScriptedDataSource<SampleItem>
    let paginator: CallbackPaginator<SampleItem>
    let list: PaginatorList<SampleItem, Int>
    /// What the source serves; change it to play a table that shifts.
    let table: Table
    var updates: [PaginatorListUpdate<SampleItem, Int>] = []

    /// `@unchecked Sendable`: everything runs on the thread of the test.
    final class Table: @unchecked Sendable {
        var pages: SamplePages
        /// What it serves in other scopes than that of ``pages``.
        var scopes: [String: SamplePages] = [:]
        /// Whether its pages name only the pages after them, and tell the total.
        let isOneWay: Bool

        init(_ pages: SamplePages, isOneWay: Bool = false) {
            self.pages = pages
            self.isOneWay = isOneWay
        }

        func answer(to request: SourceRequest) -> Result<PaginatorPage<SampleItem>, SourceError> {
            let table = scopes[request.scope] ?? pages
            let answer = table.answer(to: request)
            guard isOneWay else { return answer }
            return answer.map {
                PaginatorPage(content: $0.content, key: $0.key, nextKey: $0.nextKey, total: table.items.count)
            }
        }
    }

    init(
        count: Int = 100, style: SamplePages.Style = .offset, isOneWay: Bool = false, pageSize: Int = 2,
        memoryPages: Int = 200, store: ScriptedStore<SampleItem>? = nil, connectivity: ScriptedConnectivity? = nil,
        waitsForConnectivity: Bool = false, defaultPolicy: FetchPolicy = .cacheFirst,
        executor: SimulatedExecutor = SimulatedExecutor(), configure: (inout PaginatorListConfig) -> Void = { _ in }
    ) {
        self.executor = executor
        let table = Table(SamplePages(count: count, style: style), isOneWay: isOneWay)
        self.table = table
        source = ScriptedDataSource(
            firstKey: table.pages.firstKey, clock: clock,
            otherwise: { request in .result(table.answer(to: request)).insideFetch })
        var config = DefaultPaginatorConfig()
        config.executor = executor
        config.callbackExecutor = executor
        config.clock = clock
        config.randomSeed = 1
        config.maxAttempts = 1
        config.defaultPolicy = defaultPolicy
        config.connectivity = connectivity
        if waitsForConnectivity {
            var scheduling = PaginatorSchedulerConfig()
            scheduling.waitsForConnectivity = true
            config.scheduler = PaginatorScheduler(
                config: scheduling, connectivity: connectivity, clock: clock, randomSeed: 1, executor: executor)
        }
        config.inMemoryEvictionStrategy = .lru(maxPages: memoryPages)
        paginator = CallbackPaginator(dataSource: source, store: store, config: config)
        var listConfig = PaginatorListConfig()
        listConfig.pageSize = pageSize
        listConfig.prefetchDistance = 0
        if style == .offset { listConfig.addressing = .offset }
        configure(&listConfig)
        list = PaginatorList(paginator, id: \.id, config: listConfig)
        list.observe { [unowned self] update in updates.append(update) }
    }

    /// Runs everything that waits, in order.
    func settle() {
        while executor.runOne(choose: { _ in 0 }) {}
    }

    /// Does something and runs what comes of it.
    func after(_ body: (PaginatorList<SampleItem, Int>) -> Void) {
        body(list)
        settle()
    }

    /// Lets the source answer a call that hangs, the oldest one or that of a key, with what it serves now.
    func answer(_ key: String? = nil) throws {
        let call = try #require(source.pendingCalls.first { key == nil || $0.request.key == key })
        source.answer(call, with: table.answer(to: call.request))
        settle()
    }

    /// Inserts rows at the head of the server's table, which tells the list of them.
    func insertLive(_ count: Int) {
        table.pages.insert(count)
        let rows = Array(table.pages.items.prefix(count).reversed())
        after { $0.insertLive(rows) }
    }

    /// The identities shown.
    var ids: [Int] { list.snapshot.map(\.id) }

    /// The keys that the source was asked for, since this was last read.
    func newKeys() -> [String] {
        defer { keysRead = source.keys.count }
        return Array(source.keys[keysRead...])
    }

    private var keysRead = 0

    func page(
        _ key: String, _ ids: [Int], next: String? = nil, previous: String? = nil, text: String = ""
    )
        -> PaginatorPage<SampleItem>
    {
        PaginatorPage(content: ids.map { SampleItem(id: $0, text: text) }, key: key, prevKey: previous, nextKey: next)
    }
}

struct ListTrouble: Error {}

extension PaginatorListDifference {
    /// What changed between any two snapshots.
    init<ID>(from old: PaginatorListSnapshot<T, ID>, to new: PaginatorListSnapshot<T, ID>) {
        self.init(from: old.rows, to: new.rows, touches: nil)
    }
}
