import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import StorageTesting
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a store tells of itself, as the inspector shows it.
@Suite("The state of a store")
struct StoreStateTests {
    private let file = ScriptedPageFile()
    private let executor = SimulatedExecutor()
    private let clock = ManualPaginatorClock()

    private func store() -> PageFileStore<SampleItem> {
        var config = WriteBehindConfig()
        config.simulate(on: executor)
        let store = PageFileStore(file: file, codec: CompactPageCodec<SampleItem>(), config: config)
        store.attach(to: StoreEnvironment(evictionStrategy: .lru(maxPages: 1_000), clock: clock))
        executor.runAll()
        return store
    }

    private func count(_ name: String, in store: PageFileStore<SampleItem>) -> Int? {
        guard case .fields(let fields) = store.state,
            case .count(let count)? = fields.first(where: { $0.name == name })?.value
        else { return nil }
        return count
    }

    @Test func `After a restart it tells soon how much the file holds, though nothing was written yet`() {
        do {
            let first = store()
            for key in ["a", "b", "c"] {
                let items = [SampleItem(id: 1, text: key), SampleItem(id: 2, text: key)]
                let page = StoredPage(page: PaginatorPage(content: items, key: key), fetchedAt: clock.wallTime)
                first.apply([.save(PageIdentity(key: key, pageSize: 10), page)]) { _ in }
            }
            first.flush { _ in }
            executor.runAll()
        }
        executor.runAll()
        let second = store()
        #expect(count("pages", in: second) == nil, "nobody has looked yet")
        clock.advance(by: .milliseconds(50))
        executor.runAll()
        #expect(count("pages", in: second) == 3 && count("items", in: second) == 6)
        #expect(count("bytes", in: second) ?? 0 > 0 && count("commits", in: second) == 0)
    }
}
