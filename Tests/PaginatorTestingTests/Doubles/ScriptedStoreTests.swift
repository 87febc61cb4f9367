import PaginatorCore
import PaginatorTesting
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct ScriptedStoreTests {
    private let executor = SimulatedExecutor()
    private let clock = ManualPaginatorClock()
    private let identity = PageIdentity(key: "0", pageSize: 1)

    private func page(_ number: Int) -> PaginatorPage<Int> { PaginatorPage(content: [number], key: "0") }

    @Test func `calls that are not carried out yet are waited for`() async throws {
        let store = ScriptedStore<Int>(executor: executor)
        store.apply([.save(identity, StoredPage(page: page(1), fetchedAt: clock.wallTime))]) { _ in }
        store.load(identity) { _ in }
        store.flush { _ in }
        #expect(store.calls.count == 3)
        // A wait whose condition holds ends without an error, also in a task that is cancelled.
        let early = Task { try await store.waitForCalls(1) }
        early.cancel()
        await #expect(throws: CancellationError.self) { try await early.value }
        executor.runAll()
        try await store.waitForCalls(3)
        #expect(store.pages.count == 1)
    }

    @Test func `pages that were there first count for the strategy of the paginator, and the oldest goes`() {
        let store = ScriptedStore<Int>(executor: executor)
        for key in [2, 0, 1] {
            let fetchedAt = clock.wallTime.addingTimeInterval(Double(key))
            store.seed(page(key), for: PageIdentity(key: "\(key)", pageSize: 1), fetchedAt: fetchedAt)
        }
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock)
        config.storeEvictionStrategy = .fifo(maxPages: 2)
        let paginator = CallbackPaginator(dataSource: ArrayDataSource([1]), store: store, config: config)
        executor.runAll()
        #expect(Set(store.pages.keys.map(\.key)) == ["1", "2"])
        withExtendedLifetime(paginator) {}
    }

    @Test func `a held load is answered with what the store had when it was carried out`() async throws {
        let store = ScriptedStore<Int>()
        store.seed(page(1), for: identity, fetchedAt: clock.wallTime)
        store.holdLoads()
        let loaded = Guarded<[Int]?>(nil)
        store.load(identity) { result in
            if case .success(let found) = result { loaded.withLock { $0 = found?.page.content } }
        }
        try await store.waitForCalls(1)
        store.seed(page(2), for: identity, fetchedAt: clock.wallTime)
        store.answerLoads()
        #expect(loaded.withLock { $0 } == [1])
    }
}
