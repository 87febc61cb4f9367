import Foundation
import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import StorageTesting
import Testing

/// What a store does with a file that others write, too.
@Suite("A shared page file")
struct SharedPageFileTests {
    /// A file that others write, too, and the clock of its user.
    private final class SharedFile: SharedPageFile, PaginatorClock {
        private let file = ScriptedPageFile()
        private let clock = ManualPaginatorClock()
        private let isLocked = Guarded(false)
        let readsWithLock = Guarded(0)

        func read(_ identity: PageIdentity) throws(PaginatorError) -> PageRecord? { try file.read(identity) }
        func recover() throws(PaginatorError) -> [RecordFacts] { try file.recover() }
        func changesOfOthers() throws(PaginatorError) -> [RecordFacts] { [] }

        func commit(_ changes: [RecordChange], durably: Bool) throws(PaginatorError) {
            try file.commit(changes, durably: durably)
        }

        func commit(
            _ changes: [RecordChange], durably: Bool, victims: (PageUsage, [RecordFacts]) -> [PageIdentity]
        ) throws(PaginatorError) {
            try file.commit(changes, durably: durably)
            isLocked.withLock { $0 = true }
            let newcomer = RecordFacts(
                identity: PageIdentity(key: "other", pageSize: 10), bytes: 1, items: 1, uses: 0, savedAt: Date(),
                saveOrder: 100, useOrder: 0)
            _ = victims(PageUsage(pages: file.count + 1), [newcomer])
            isLocked.withLock { $0 = false }
        }

        private func noteRead() {
            if isLocked.withLock({ $0 }) { readsWithLock.withLock { $0 += 1 } }
        }

        var now: PaginatorInstant {
            noteRead()
            return clock.now
        }

        var wallTime: Date {
            noteRead()
            return clock.wallTime
        }

        func makeTimer(_ handler: @escaping @Sendable () -> Void) -> any PaginatorTimer { clock.makeTimer(handler) }
    }

    @Test func `The clock is not asked while a shared file, which asks for victims, holds its lock`() {
        let shared = SharedFile()
        let executor = SimulatedExecutor()
        var config = WriteBehindConfig()
        config.simulate(on: executor)
        let store = PageFileStore(
            file: shared, codec: CompactPageCodec<Int>(), evictionStrategy: .lru(maxPages: 1_000), config: config)
        store.attach(to: StoreEnvironment(clock: shared))
        let page = PaginatorPage(content: [1], key: "own")
        store.apply([.save(PageIdentity(key: "own", pageSize: 10), StoredPage(page: page, fetchedAt: Date()))]) { _ in }
        store.flush { _ in }
        executor.runAll()
        #expect(store.statistics.commits > 0)
        #expect(shared.readsWithLock.withLock { $0 } == 0)
    }
}
