import Foundation
import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import StorageTesting
import Testing

/// When changes reach the file.
@Suite("When a store writes")
struct StoreTimingTests {
    private let file = ScriptedPageFile()
    private let executor = SimulatedExecutor()

    private func store(_ clock: any PaginatorClock, maxBatchChanges: Int = 256) -> PageFileStore<SampleItem> {
        var config = WriteBehindConfig()
        config.maxBatchChanges = maxBatchChanges
        config.executor = executor
        let store = PageFileStore(file: file, codec: CompactPageCodec<SampleItem>(), config: config)
        store.attach(to: StoreEnvironment(evictionStrategy: .lru(maxPages: 1_000), clock: clock))
        executor.runAll()
        return store
    }

    private func id(_ key: String) -> PageIdentity { PageIdentity(key: key, pageSize: 10) }

    private func save(_ key: String, in store: PageFileStore<SampleItem>) {
        let page = StoredPage(
            page: PaginatorPage(content: [SampleItem(id: 1, text: key)], key: key), fetchedAt: Date())
        store.apply([.save(id(key), page)]) { _ in }
    }

    private func flush(_ store: PageFileStore<SampleItem>) {
        store.flush { _ in }
        executor.runAll()
    }

    @Test(arguments: [StoreFailure.Kind.full, .busy])
    func `After failures and a flush that succeeds, a change waits no longer than usual`(_ kind: StoreFailure.Kind) {
        let clock = ManualPaginatorClock()
        let store = store(clock)
        save("a", in: store)
        file.fail(with: StoreFailure(kind, operation: "test", message: "Not now."))
        for _ in 0..<8 { flush(store) }
        file.fail(with: nil)
        flush(store)
        #expect(file.count == 1)
        // A kill from here on loses no more than the last 50 ms.
        save("b", in: store)
        executor.runAll()
        clock.advance(by: .milliseconds(50))
        executor.runAll()
        #expect(file.count == 2)
    }

    @Test func `A commit begins at once when as many changes wait as it may have`() {
        let store = store(ManualPaginatorClock(), maxBatchChanges: 3)
        for key in ["a", "b"] { save(key, in: store) }
        executor.runAll()
        #expect(file.commits.all == 0)
        save("c", in: store)
        executor.runAll()
        #expect(file.commits.all == 1 && file.count == 3)
    }

    @Test(arguments: [3, Int.max])
    func `A released store waits for its busy file, but not forever`(_ failures: Int) {
        let clock = ManualPaginatorClock()
        let flushed = Guarded<Bool?>(nil)
        weak var held: ScriptedPageFile?
        func use() {
            let file = ScriptedPageFile()
            held = file
            var config = WriteBehindConfig()
            config.executor = executor
            let store = PageFileStore(file: file, codec: CompactPageCodec<SampleItem>(), config: config)
            store.attach(to: StoreEnvironment(evictionStrategy: .lru(maxPages: 1_000), clock: clock))
            file.fail(with: StoreFailure(.busy, operation: "test", message: "Not now."), next: failures)
            save("a", in: store)
            store.flush { result in
                if case .success = result { flushed.withLock { $0 = true } } else { flushed.withLock { $0 = false } }
            }
            executor.runAll()
        }
        use()
        for _ in 0..<40 {
            executor.runAll()
            clock.advance(by: .seconds(1))
        }
        executor.runAll()
        #expect(flushed.withLock { $0 } == (failures == 3))
        #expect(held == nil)
    }

    /// A clock whose timer is slow to be armed for the first time.
    private struct SlowClock: PaginatorClock {
        final class Timer: PaginatorTimer {
            let clock: SlowClock
            init(_ clock: SlowClock) { self.clock = clock }

            func arm(at deadline: PaginatorInstant) {
                let isFirst = clock.state.update { state in
                    state.calls += 1
                    return state.calls == 1
                }
                if isFirst { clock.state.block { $0.mayGoOn } }
                clock.state.update { $0.deadline = deadline }
            }

            func disarm() { clock.state.update { $0.deadline = nil } }
        }

        struct State: Sendable {
            var calls = 0
            var mayGoOn = false
            var deadline: PaginatorInstant?
        }

        let state = Handshake(State())
        var now: PaginatorInstant { .zero }
        var wallTime: Date { Date(timeIntervalSince1970: 1_767_225_600) }
        func makeTimer(_ handler: @escaping @Sendable () -> Void) -> any PaginatorTimer { Timer(self) }
    }

    @Test func `What two threads arm at once leaves a timer, so no pause is lost`() {
        let clock = SlowClock()
        var config = WriteBehindConfig()
        config.executor = executor
        let store = PageFileStore(file: file, codec: CompactPageCodec<SampleItem>(), config: config)
        let isDone = Handshake(false)
        // This thread's call arms 50 ms, slowly.
        Thread.detachNewThread {
            store.attach(to: StoreEnvironment(evictionStrategy: .lru(maxPages: 1_000), clock: clock))
            isDone.update { $0 = true }
        }
        clock.state.block { $0.calls == 1 }
        // Meanwhile a flush fails, and arms the pause after a failure.
        save("a", in: store)
        file.fail(with: StoreFailure(.full, operation: "test", message: "No room."))
        flush(store)
        clock.state.update { $0.mayGoOn = true }
        isDone.block { $0 }
        executor.runAll()
        // It may come early, and is set anew then.
        #expect(clock.state.read { $0.deadline ?? .distantFuture } <= PaginatorInstant.zero.advanced(by: .seconds(1)))
    }

    /// Threads that are held up as it pleases the system: any job that waits may be the next.
    private final class AnyOrderExecutor: WorkExecutor {
        private let jobs = Handshake<[@Sendable () -> Void]>([])

        func run(_ work: @escaping @Sendable () -> Void) { jobs.update { $0.append(work) } }

        func runAll(_ random: inout SeededRandom) {
            while true {
                let pick = random.next()
                let job = jobs.update { $0.isEmpty ? nil : $0.remove(at: Int(pick % UInt64($0.count))) }
                guard let job else { return }
                job()
            }
        }
    }

    @Test(arguments: UInt64(0)..<200)
    func `A flush that a new file has answered comes after the report that the old one is gone`(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let executor = AnyOrderExecutor()
        let told = Handshake<[String]>([])
        var config = WriteBehindConfig()
        config.executor = executor
        let store = PageFileStore(file: file, codec: CompactPageCodec<SampleItem>(), config: config)
        store.attach(
            to: StoreEnvironment(evictionStrategy: nil) { event in
                if let error = event.error { told.update { $0.append("\(error.storeKind)") } }
            })
        executor.runAll(&random)
        file.fail(with: StoreFailure(.replaced, operation: "test", message: "It has gone."), next: 1)
        save("a", in: store)
        store.flush { _ in told.update { $0.append("flushed") } }
        executor.runAll(&random)
        #expect(told.read { $0 }.first == "replaced")
        #expect(told.read { $0 }.last == "flushed")
    }

    @Test func `A store keeps nothing of a paginator that is gone, but for the first one's clock`() {
        final class Mark: Sendable {}
        struct MarkedClock: PaginatorClock {
            let mark: Mark
            var now: PaginatorInstant { .zero }
            var wallTime: Date { Date(timeIntervalSince1970: 1_767_225_600) }
            func makeTimer(_ handler: @escaping @Sendable () -> Void) -> any PaginatorTimer {
                ManualPaginatorClock().makeTimer(handler)
            }
        }
        let store = store(ManualPaginatorClock())
        weak var gone: Mark?
        func use() {
            let mark = Mark()
            gone = mark
            var config = DefaultPaginatorConfig()
            config.clock = MarkedClock(mark: mark)
            _ = CallbackPaginator(
                dataSource: ArrayDataSource([SampleItem(id: 1, text: "")]), store: store, config: config)
        }
        use()
        while gone != nil, executor.runAll() > 0 {}
        // Another one comes.
        let next = CallbackPaginator(dataSource: ArrayDataSource([SampleItem(id: 1, text: "")]), store: store)
        executor.runAll()
        #expect(gone == nil)
        withExtendedLifetime(next) {}
    }
}
