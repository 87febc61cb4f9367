import Foundation
import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import StorageTesting
import Testing

/// What is removed from a file that has no space for a long transaction.
@Suite("A nearly full file")
struct NearlyFullFileTests {
    /// Has space for the removal of a few records at once, and of a few more until a failure lets it make room.
    private final class NarrowFile: PageFile {
        let pages = ScriptedPageFile()
        let space = Guarded(8)
        private let written = Guarded(0)

        func read(_ identity: PageIdentity) throws(PaginatorError) -> PageRecord? { try pages.read(identity) }

        func recover() throws(PaginatorError) -> [RecordFacts] { try pages.recover() }

        func commit(_ changes: [RecordChange], durably: Bool) throws(PaginatorError) {
            let removed = try pages.recover().count { facts in
                changes.contains {
                    if case .remove(let selection) = $0 { selection.contains(facts.identity) } else { false }
                }
            }
            let most = space.withLock { $0 }
            let hasRoom = written.withLock { written in
                let fits = removed <= most && written + removed <= 20
                written = fits ? written + removed : 0
                return fits
            }
            guard hasRoom else {
                throw PaginatorError(store: StoreFailure(.full, operation: "test", message: "No room."), "No room.")
            }
            try pages.commit(changes, durably: durably)
        }
    }

    private let file = NarrowFile()
    private let executor = SimulatedExecutor()
    private let clock = ManualPaginatorClock()

    private func store(_ strategy: EvictionStrategy = .lru(maxPages: 1_000)) -> PageFileStore<SampleItem> {
        var config = WriteBehindConfig()
        config.simulate(on: executor)
        let store = PageFileStore(file: file, codec: CompactPageCodec<SampleItem>(), config: config)
        store.attach(to: StoreEnvironment(evictionStrategy: strategy, clock: clock))
        return store
    }

    private func id(_ key: String) -> PageIdentity { PageIdentity(key: key, pageSize: 10) }

    private func save(_ key: String) -> StoreChange<SampleItem> {
        let page = PaginatorPage(content: [SampleItem(id: 1, text: key)], key: key)
        return .save(id(key), StoredPage(page: page, fetchedAt: clock.wallTime))
    }

    /// Applies the changes, and says whether a flush of them succeeds at once.
    private func write(_ changes: [StoreChange<SampleItem>], to store: PageFileStore<SampleItem>) -> Bool {
        let hasSucceeded = Guarded(false)
        store.apply(changes) { _ in }
        store.flush { result in
            if case .success = result { hasSucceeded.withLock { $0 = true } }
        }
        executor.runAll()
        return hasSucceeded.withLock { $0 }
    }

    private var hundred: [StoreChange<SampleItem>] { (0..<100).map { save("\($0)") } }

    @Test func `A lowered limit is brought about step by step, and pages are saved as before`() {
        #expect(write(hundred, to: store()))
        let limited = store(.lru(maxPages: 10))
        #expect(write([save("new")], to: limited))
        #expect(file.pages.count == 10)
        #expect(file.pages.durableRecord(id("new")) != nil)
        #expect(limited.statistics.evictions == 91)
        #expect(limited.statistics.failedCommits == 0)
    }

    @Test func `Many pages that expire at once go step by step, and one that is saved again meanwhile stays`() {
        let store = store(.lru(maxPages: 1_000).and(.timeToLive(.days(10))))
        #expect(write(hundred, to: store))
        clock.advance(by: .days(11))
        #expect(write([save("7"), save("new")], to: store))
        #expect(file.pages.count == 2)
        #expect(file.pages.durableRecord(id("7")) != nil)
    }

    @Test func `Pages that expire at once leave nothing in the file, one that was just saved included`() {
        #expect(write(hundred, to: store()))
        #expect(write([save("new")], to: store(.timeToLive(.zero))))
        #expect(file.pages.count == 0)
    }

    @Test(arguments: [PageSelection.all, .scope("")])
    func `A clear succeeds, and what is saved after it stays`(_ selection: PageSelection) {
        let store = store()
        #expect(write(hundred, to: store))
        #expect(write([.remove(selection), save("7")], to: store))
        #expect(file.pages.count == 1)
        #expect(file.pages.durableRecord(id("7")) != nil)
        #expect(store.statistics.failedCommits == 0)
        #expect(store.statistics.evictions == 0)
    }

    @Test func `A clear that finds no space at all is made when there is some again`() {
        let store = store()
        #expect(write(hundred, to: store))
        file.space.withLock { $0 = 0 }
        #expect(!write([.remove(.all), save("7")], to: store))
        #expect(file.pages.count == 100)
        #expect(store.statistics.failedCommits == 1)
        file.space.withLock { $0 = 8 }
        #expect(write([], to: store))
        #expect(file.pages.count == 1)
        #expect(file.pages.durableRecord(id("7")) != nil)
    }
}
