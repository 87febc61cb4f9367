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

/// An item may do anything in its `deinit`, such as ask the store what it has done so far.
@Suite("A user's deinit that asks the store", .serialized)
struct StoreDeinitTests {
    /// An item that says when it goes.
    private final class Item: Sendable {
        static let onEnd = Guarded<(@Sendable () -> Void)?>(nil)

        deinit { Item.onEnd.withLock { $0 }?() }
    }

    private struct Codec: PageCodec {
        let tag = PageCodecTag(name: "count", version: 1)
        func encode(_ items: [Item]) -> [UInt8] { [UInt8(items.count)] }
        func decode(_ bytes: [UInt8]) -> [Item] { (0..<Int(bytes.first ?? 0)).map { _ in Item() } }
    }

    private struct Rig {
        let file = ScriptedPageFile()
        let executor = SimulatedExecutor()
        let store: PageFileStore<Item>

        init(_ change: (inout WriteBehindConfig) -> Void = { _ in }) {
            var config = WriteBehindConfig()
            config.executor = executor
            change(&config)
            store = PageFileStore(
                file: file, codec: Codec(), evictionStrategy: .lru(maxPages: 1_000), config: config)
            store.attach(to: StoreEnvironment(clock: ManualPaginatorClock()))
            executor.runAll()
        }

        func apply(_ changes: StoreChange<Item>...) {
            store.apply(changes) { _ in }
            executor.runAll()
        }

        func save(_ key: String) {
            let page = PaginatorPage(content: [Item()], key: key)
            apply(.save(PageIdentity(key: key, pageSize: 1), StoredPage(page: page, fetchedAt: Date())))
        }

        func flush() {
            store.flush { _ in }
            executor.runAll()
        }

        /// Counts the items that go, each of which asks the store.
        func counting(_ body: () -> Void) -> Int {
            let asked = Guarded(0)
            Item.onEnd.withLock { hook in
                hook = { [weak store] in
                    guard let store else { return }
                    _ = (store.statistics, store.pendingChanges)
                    store.load(PageIdentity(key: "none", pageSize: 1)) { _ in }
                    asked.withLock { $0 += 1 }
                }
            }
            defer { Item.onEnd.withLock { $0 = nil } }
            body()
            return asked.withLock { $0 }
        }
    }

    @Test func `An item of a page that was saved twice goes when the second one is written, and may ask the store`() {
        let rig = Rig()
        let asked = rig.counting {
            rig.save("a")
            rig.save("a")
            rig.flush()
        }
        #expect(asked == 2)
        #expect(rig.store.pendingChanges == 0)
        #expect(rig.file.count == 1)
    }

    @Test func `Items that are dropped because the store has been failing may ask the store`() {
        let rig = Rig { $0.maxPendingChanges = 4 }
        rig.file.fail(with: StoreFailure(.full, operation: "test", message: "No room."))
        let asked = rig.counting {
            for key in ["a", "b", "c", "d"] { rig.save(key) }
            rig.flush()
        }
        #expect(asked >= 2)
    }

    @Test func `Items that are dropped by the bound of last resort may ask the store`() {
        let rig = Rig()
        let asked = rig.counting {
            rig.save("a")
            rig.store.apply((0..<16_384).map { .invalidate(.key("other \($0)")) }) { _ in }
            rig.executor.runAll()
        }
        #expect(asked == 1)
    }

    @Test func `An item that a load found goes after the answer, and may ask the store`() {
        let rig = Rig()
        rig.save("a")
        rig.flush()
        let asked = rig.counting {
            rig.store.load(PageIdentity(key: "a", pageSize: 1)) { _ in }
            rig.executor.runAll()
        }
        #expect(asked == 1)
    }
}
