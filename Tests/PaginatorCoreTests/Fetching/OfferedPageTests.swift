import PaginatorTesting
import Testing

@testable import PaginatorCore

/// The page that a source is offered, to say that it has not changed.
@Suite struct OfferedPageTests {
    /// The version of the page that each call of the source was offered.
    private func offered(_ rig: FetchRig) -> [Int?] { rig.script.withLock { $0.offered } }

    @Test func `a page that nobody has is not offered`() {
        let rig = FetchRig()
        rig.fetch("1")
        #expect(offered(rig) == [nil])
    }

    @Test func `the stale page in memory is offered`() {
        let rig = FetchRig()
        rig.script.withLock { $0.lifetime = .seconds(10) }
        rig.fetch("1")
        rig.advance(.seconds(10))
        #expect(rig.fetch("1").version == 2)
        #expect(offered(rig) == [nil, 1])
    }

    @Test func `the stale page on disk is offered`() {
        let rig = FetchRig(hasStore: true)
        let page = rig.page("1", version: 70, lifetime: .zero)
        rig.store?.seed(page, for: rig.identity("1"), fetchedAt: rig.wallTime(before: .seconds(5)))
        #expect(rig.fetch("1").version == 1)
        #expect(offered(rig) == [70])
    }

    @Test func `the stale page on disk is offered, even if memory loses it while the load waits for its turn`() {
        let rig = FetchRig(hasStore: true) { $0.maxParallelCalls = 1 }
        let page = rig.page("1", version: 70, lifetime: .zero)
        rig.store?.seed(page, for: rig.identity("1"), fetchedAt: rig.wallTime(before: .seconds(5)))
        rig.hangSource()
        rig.fetch("2")
        rig.fetch("1")
        rig.paginator.trim(toFraction: 0)
        #expect(rig.cached("1") == nil)
        rig.answer("2")
        #expect(rig.source.keys == ["2", "1"])
        #expect(offered(rig) == [nil, 70])
    }

    @Test func `a refresh is offered the page in memory`() {
        let rig = FetchRig()
        rig.fetch("1")
        #expect(rig.refresh("1").version == 2)
        #expect(offered(rig) == [nil, 1])
    }

    @Test func `a cleared page is not offered`() {
        let rig = FetchRig()
        rig.fetch("1")
        rig.paginator.clear(key: "1")
        rig.fetch("1")
        #expect(offered(rig) == [nil, nil])
    }

    @Test func `a page that a validator wants loaded again is not offered`() {
        let verdicts = Guarded<[PageVerdict]>([.accept, .dropAndReload, .accept])
        let validator: AnyPageValidator<SampleItem> = .closure { _, context in
            context.origin == .source ? verdicts.withLock { $0.removeFirst() } : .accept
        }
        let rig = FetchRig(validator: validator)
        rig.fetch("1")
        #expect(rig.refresh("1").version == 3)
        #expect(offered(rig) == [nil, 1, nil])
    }

    @Test func `the offered page has the committed edits and no revision`() throws {
        let known = Guarded<[PaginatorPage<SampleItem>?]>([])
        let source = ClosureDataSource<SampleItem>(firstKey: "1") { request, completion in
            #expect(request.cachedPage(of: Int.self) == nil, "of another item type")
            known.withLock { $0.append(request.cachedPage()) }
            completion(.success(PaginatorPage(content: [SampleItem(id: 1, text: "old")], key: "1", revision: "r1")))
            return .none
        }
        let executor = SimulatedExecutor()
        var config = PaginatorConfig()
        config.executor = executor
        config.callbackExecutor = executor
        let paginator = CallbackPaginator(dataSource: source, config: config)
        func refresh() {
            paginator.refresh(PageRequest(key: "1", pageSize: 10))
            while executor.runOne(choose: { _ in 0 }) {}
        }
        refresh()
        refresh()
        paginator.edits(id: \.id).update(1) { SampleItem(id: $0.id, text: "new") }
        refresh()
        let pages = known.withLock { $0 }
        #expect(pages.map { $0?.revision } == [nil, "r1", nil])
        #expect(pages.map { $0?.content.map(\.text) } == [nil, ["old"], ["new"]])
    }
}
