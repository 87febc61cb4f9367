import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@testable import PaginatorUI

/// A list over a server whose rows a test puts in any order; everything runs when the test says so.
@MainActor
struct ShelfStage {
    let executor = SimulatedExecutor()
    let shelf: Shelf
    let plan = FaultPlan()
    let clock = ManualPaginatorClock()
    let paginator: CallbackPaginator<SampleItem>
    let list: PaginatorList<SampleItem, Int>

    init(
        _ ids: some Sequence<Int>, alwaysHasPrevious: Bool = false, tellsTotal: Bool = false,
        _ configure: (inout PaginatorListConfig) -> Void = { _ in }
    ) {
        let shelf = Shelf(ids, alwaysHasPrevious: alwaysHasPrevious, tellsTotal: tellsTotal)
        self.shelf = shelf
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock)
        config.maxAttempts = 1
        var listConfig = PaginatorListConfig()
        listConfig.pageSize = 10
        listConfig.prefetchDistance = 0
        configure(&listConfig)
        paginator = CallbackPaginator(dataSource: shelf.source.faulty(plan, clock: clock), config: config)
        list = PaginatorList(paginator, config: listConfig)
    }

    /// Loads pages at the end until there are that many items.
    func load(_ count: Int) {
        while list.snapshot.count < count { run { list.loadNext() } }
    }

    func run(_ body: () -> Void = {}) { executor.immediately(body) }
}

/// A view that does what SwiftUI does: it is made anew after each change, and tells of each row alone.
@MainActor final class FakeSwiftUIView {
    let memory = ScreenMemory<SampleItem, Int>()
    private let stage: ShelfStage
    private(set) var anchor: Int?

    init(_ stage: ShelfStage) {
        self.stage = stage
        stage.list.observe(onMain: { [weak self] in self?.anchor = $0.anchor })
    }

    /// A view that has gone from the first rows of 100 to the end, and is at row 89 when the last page comes.
    static func onItsWayToTheEnd() -> FakeSwiftUIView {
        let stage = ShelfStage(0..<100)
        stage.load(10)
        let view = FakeSwiftUIView(stage)
        view.follow(followsEnd: true)
        _ = view.memory.takeScroll()
        view.appear(0..<6)
        stage.run { _ = view.memory.go(to: .end, of: stage.list, lastKey: "80") }
        view.follow(followsEnd: true)
        #expect(view.memory.takeScroll() == .goToEnd && view.memory.lastID == 89)
        view.disappear(0..<6)
        view.appear(84..<90)
        return view
    }

    func follow(followsEnd: Bool = false) {
        _ = memory.follow(stage.list.snapshot, stage.list.status, anchor: anchor, followsEnd: followsEnd)
    }

    func appear(_ ids: Range<Int>) { stage.run { for id in ids { memory.didAppear(id, in: stage.list) } } }

    func disappear(_ ids: Range<Int>) { stage.run { for id in ids { memory.didDisappear(id, in: stage.list) } } }
}

/// A server's rows, paged by offset.
final class Shelf: Sendable {
    private let items: Guarded<[SampleItem]>
    // What the server leaves out of the pages that it has cut.
    private let count = Guarded(0)
    private let hidden = Guarded<Range<Int>>(0..<0)
    // As servers do that let clients ask for what is newer than the first page.
    private let alwaysHasPrevious: Bool

    private let tellsTotal: Bool

    init(_ ids: some Sequence<Int>, alwaysHasPrevious: Bool = false, tellsTotal: Bool = false) {
        self.tellsTotal = tellsTotal
        self.alwaysHasPrevious = alwaysHasPrevious
        items = Guarded(ids.map { SampleItem(id: $0, text: "\($0)") })
    }

    /// How many pages were asked for.
    var calls: Int { count.withLock { $0 } }

    var ids: [Int] { items.withLock { $0.map(\.id) } }

    func change(_ change: (inout [SampleItem]) -> Void) { items.withLock { change(&$0) } }

    func hide(_ ids: Range<Int>) { hidden.withLock { $0 = ids } }

    func put(_ ids: some Sequence<Int>) { change { $0 = ids.map { SampleItem(id: $0, text: "\($0)") } } }

    var source: ScriptedDataSource<SampleItem> {
        ScriptedDataSource(otherwise: { [self] request in .result(.success(page(request))).insideFetch })
    }

    private func page(_ request: SourceRequest) -> PaginatorPage<SampleItem> {
        count.withLock { $0 += 1 }
        let items = items.withLock { $0 }
        guard request.key != "newer" else { return PaginatorPage(content: [], key: request.key) }
        let start = min(Int(request.key) ?? 0, items.count)
        let end = min(start + request.pageSize, items.count)
        let hidden = hidden.withLock { $0 }
        return PaginatorPage(
            content: items[start..<end].filter { !hidden.contains($0.id) }, key: request.key,
            prevKey: start > 0 ? String(max(0, start - request.pageSize)) : alwaysHasPrevious ? "newer" : nil,
            nextKey: end < items.count ? String(end) : nil, total: tellsTotal ? items.count : nil)
    }
}
