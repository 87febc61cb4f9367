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

/// What a strategy knows of the reads before a restart.
@Suite("Reads before a restart")
struct RestoredUsesTests {
    private let file = ScriptedPageFile()
    private let executor = SimulatedExecutor()
    private let clock = ManualPaginatorClock()

    private func id(_ key: String) -> PageIdentity { PageIdentity(key: key, pageSize: 10) }

    private func store(_ strategy: EvictionStrategy) -> PageFileStore<SampleItem> {
        var config = WriteBehindConfig()
        config.simulate(on: executor)
        let store = PageFileStore(
            file: file, codec: CompactPageCodec<SampleItem>(), evictionStrategy: strategy, config: config)
        store.attach(to: StoreEnvironment(clock: clock))
        return store
    }

    private func flush(_ store: PageFileStore<SampleItem>) {
        store.flush { _ in }
        executor.runAll()
    }

    @Test func `A page that was read twice outlasts one that was read once and last`() throws {
        do {
            let first = store(.lfu(maxPages: 10))
            for key in ["twice", "last"] {
                let page = PaginatorPage(content: [SampleItem(id: 1, text: key)], key: key)
                first.apply([.save(id(key), StoredPage(page: page, fetchedAt: clock.wallTime))]) { _ in }
            }
            flush(first)
            for key in ["twice", "twice", "last"] {
                first.load(id(key)) { _ in }
                executor.runAll()
                flush(first)
            }
        }
        executor.runAll()
        #expect(file.count == 2)
        // The next version of the app keeps less.
        flush(store(.lfu(maxPages: 1)))
        executor.runAll()
        #expect(try file.read(id("twice")) != nil)
        #expect(try file.read(id("last")) == nil)
    }
}
