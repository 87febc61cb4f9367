import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a list knows of the age of its rows reaches the screen: one property says stale, failed, offline, and since when.
@Suite struct ListFreshnessStatusTests {
    /// A stage whose source's pages expire a minute after they came.
    private func makeStage(
        store: ScriptedStore<SampleItem>? = nil, connectivity: ScriptedConnectivity? = nil,
        configure: (inout PaginatorListConfig) -> Void = { _ in }
    ) -> ListStage {
        let stage = ListStage(store: store, connectivity: connectivity, configure: configure)
        let (table, clock) = (stage.table, stage.clock)
        stage.source.otherwise { request in
            let answer = table.pages.answer(to: request).map { page in
                PaginatorPage(
                    content: page.content, key: page.key, expirationTime: clock.wallTime + 60, prevKey: page.prevKey,
                    nextKey: page.nextKey)
            }
            return .result(answer).insideFetch
        }
        return stage
    }

    private func advance(_ stage: ListStage, _ duration: Duration) {
        stage.clock.advance(by: duration)
        stage.settle()
    }

    private func failing(_ stage: ListStage, _ keys: String...) {
        for key in keys { stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: key) }
    }

    private func freshness(_ stage: ListStage) -> PaginatorListFreshness? { stage.updates.last?.status.freshness }

    @Test func `rows become stale by themselves when their page expires, and are fresh after a refresh`() {
        let stage = makeStage()
        #expect(stage.list.status.freshness == nil)
        stage.after { $0.loadNext() }
        let start = stage.clock.wallTime
        #expect(freshness(stage) == .fresh(savedAt: start))
        advance(stage, .seconds(59))
        #expect(freshness(stage) == .fresh(savedAt: start))
        advance(stage, .seconds(1))
        #expect(freshness(stage) == .stale(savedAt: start))
        #expect(stage.list.status.freshness == .stale(savedAt: start))
        stage.after { $0.refresh(.stalePages) }
        #expect(freshness(stage) == .fresh(savedAt: start + 60))
        advance(stage, .seconds(60))
        #expect(freshness(stage) == .stale(savedAt: start + 60), "it goes stale again")
    }

    @Test func `offline after a relaunch, saved two hours ago`() {
        let store = ScriptedStore<SampleItem>(answersInside: true)
        let before = makeStage(store: store)
        before.after { $0.loadNext() }
        let savedAt = before.clock.wallTime
        let connectivity = ScriptedConnectivity(.offline)
        let stage = makeStage(store: store, connectivity: connectivity) { $0.policy = .staleWhileRevalidate }
        stage.clock.advance(by: .hours(2))
        stage.after { $0.loadNext() }
        #expect(stage.ids == [0, 1] && freshness(stage) == .offline(savedAt: savedAt))
        connectivity.set([])
        stage.settle()
        #expect(freshness(stage) == .fresh(savedAt: stage.clock.wallTime), "what waited for the connection has come")
        connectivity.set(.offline)
        stage.settle()
        #expect(freshness(stage) == .offline(savedAt: stage.clock.wallTime), "told, though no row has changed")
    }

    @Test(arguments: [FetchPolicy.staleWhileRevalidate, .cacheFirst, .networkFirst])
    func `a renewal that fails is told, until one succeeds`(_ policy: FetchPolicy) {
        let store = ScriptedStore<SampleItem>(answersInside: true)
        let before = makeStage(store: store)
        before.after { $0.loadNext() }
        let savedAt = before.clock.wallTime
        let stage = makeStage(store: store) { $0.policy = policy }
        stage.clock.advance(by: .hours(1))
        failing(stage, "0")
        stage.after { $0.loadNext() }
        guard case .failed(let error, savedAt: savedAt) = freshness(stage) else {
            Issue.record("\(String(describing: freshness(stage)))")
            return
        }
        #expect(stage.ids == [0, 1] && error.code == .sourceFailed && error.underlying is ListTrouble)
        stage.after { $0.retry() }
        #expect(freshness(stage) == .fresh(savedAt: stage.clock.wallTime))
    }

    @Test func `while the renewal runs the old rows are stale`() {
        let stage = makeStage { $0.policy = .staleWhileRevalidate }
        stage.after { $0.loadNext() }
        let savedAt = stage.clock.wallTime
        advance(stage, .seconds(100))
        stage.after { $0.reset() }
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.loadNext() }
        #expect(stage.ids == [0, 1] && freshness(stage) == .stale(savedAt: savedAt))
    }

    /// Marks the page "0", whose tag is "t", stale.
    private static let invalidations: [@Sendable (CallbackPaginator<SampleItem>) -> Void] = [
        { $0.invalidate(.all) }, { $0.invalidate(.key("0")) }, { $0.invalidate(tags: ["t"]) },
    ]

    private func tagged(_ text: String = "") -> PaginatorPage<SampleItem> {
        PaginatorPage(content: [SampleItem(id: 0, text: text)], key: "0", tags: ["t"])
    }

    @Test(arguments: invalidations.indices)
    func `what the source is asked for after an invalidation is fresh, though it was wanted before`(_ index: Int) {
        let connectivity = ScriptedConnectivity(.offline)
        let stage = ListStage(connectivity: connectivity, waitsForConnectivity: true)
        let page = tagged()
        stage.source.otherwise { _ in .result(.success(page)).insideFetch }
        stage.after { $0.loadNext() }
        #expect(stage.source.keys.isEmpty)
        Self.invalidations[index](stage.paginator)
        stage.settle()
        connectivity.set([])
        stage.settle()
        #expect(stage.source.keys == ["0"] && stage.ids == [0])
        #expect(freshness(stage) == .fresh(savedAt: stage.clock.wallTime))
    }

    @Test(arguments: invalidations.indices)
    func `a page that stands in for a failed refresh is stale when it was invalidated meanwhile`(_ index: Int) throws {
        let stage = ListStage()
        let page = tagged()
        stage.source.otherwise { _ in .result(.success(page)).insideFetch }
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.refresh(.firstPage) }
        try stage.paginator.prime(tagged("newer"), pageSize: 2)
        stage.settle()
        Self.invalidations[index](stage.paginator)
        stage.settle()
        stage.source.answer(try #require(stage.source.pendingCalls.first), with: .failure(.fatal(ListTrouble())))
        stage.settle()
        #expect(stage.list.snapshot.map(\.text) == ["newer"])
        #expect(freshness(stage) == .stale(savedAt: stage.clock.wallTime))
    }

    @Test func `a page saved before the clock was set back is stale, and shown while the source fails`() {
        let store = ScriptedStore<SampleItem>(answersInside: true)
        let before = makeStage(store: store)
        before.clock.advance(by: .hours(24))
        before.after { $0.loadNext() }
        let stage = makeStage(store: store)
        failing(stage, "0")
        stage.after { $0.loadNext() }
        #expect(stage.source.keys == ["0"] && stage.ids == [0, 1])
        guard case .failed = freshness(stage) else {
            Issue.record("\(String(describing: freshness(stage)))")
            return
        }
        stage.after { $0.retry() }
        #expect(freshness(stage) == .fresh(savedAt: stage.clock.wallTime))
    }

    @Test func `an invalidation is told at once`() {
        let stage = makeStage()
        stage.after { $0.loadNext() }
        let savedAt = stage.clock.wallTime
        stage.paginator.invalidate(.key("0"))
        stage.settle()
        #expect(freshness(stage) == .stale(savedAt: savedAt))
    }

    @Test func `what somebody looks at counts, and nobody is told twice`() {
        let stage = makeStage()
        stage.after { $0.loadNext() }
        let start = stage.clock.wallTime
        advance(stage, .seconds(50))
        stage.after { $0.loadNext() }
        #expect(freshness(stage) == .fresh(savedAt: start), "without a hint it is the first page")
        stage.after { $0.hint(visible: 2..<4) }
        #expect(freshness(stage) == .fresh(savedAt: start + 50))
        advance(stage, .seconds(20))
        #expect(freshness(stage) == .fresh(savedAt: start + 50))
        stage.after { $0.hint(visible: 1..<3) }
        #expect(freshness(stage) == .stale(savedAt: start), "the oldest page counts")
        stage.updates = []
        stage.after { $0.hint(visible: 1..<3) }
        advance(stage, .seconds(10))
        #expect(stage.updates.isEmpty)
    }

    @Test func `a gap among the rows that somebody looks at is told`() {
        let stage = makeStage()
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.after { $0.jump(to: "20") }
        #expect(stage.list.snapshot.gaps == [4])
        #expect(!stage.list.status.isPartial, "a jump looks at its page")
        stage.after { $0.hint(visible: 3..<5) }
        #expect(stage.updates.last?.status.isPartial == true)
        stage.after { $0.hint(visible: 0..<2) }
        #expect(stage.updates.last?.status.isPartial == false)
    }

    @Test func `a listener is told of a failed renewal under the same policy`() {
        let stage = makeStage()
        stage.after { $0.loadNext() }
        advance(stage, .seconds(100))
        failing(stage, "0")
        let listener = RecordingListener<SampleItem>()
        stage.paginator.fetch(
            PageRequest(key: "0", pageSize: 2, policy: .staleWhileRevalidate), listener: listener)
        stage.settle()
        #expect(listener.previews.map(\.content.count) == [2])
        #expect(listener.fetched?.isStale == true && listener.fetched?.refreshError?.code == .sourceFailed)
    }

    @Test func `notices are told apart by what they say, and keys by their bytes`() {
        let notices: [PaginatorListNotice] = [
            .shifted(items: 3), .shifted(items: 4), .repeatedKey("k"), .restarted, .gapOpened,
        ]
        #expect(PaginatorListNotice.repeatedKey("\u{e9}") != .repeatedKey("e\u{301}"))
        #expect(Set(notices + notices).count == 5)
    }
}
