import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorUI

/// What a background task of the system is told, and when.
@Suite struct BackgroundPrefetchTests {
    /// A store that keeps nothing, and answers a flush as it is told; without an answer it is silent.
    private final class Store: PaginatorStore {
        let flushed: Result<Void, PaginatorError>?

        init(_ flushed: Result<Void, PaginatorError>?) { self.flushed = flushed }

        func load(
            _ identity: PageIdentity,
            completion: @escaping @Sendable (Result<StoredPage<Int>?, PaginatorError>) -> Void
        ) {
            completion(.success(nil))
        }

        func apply(
            _ changes: [StoreChange<Int>], accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
        ) {
            accepted(.success(()))
        }

        func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
            if let flushed { completion(flushed) }
        }
    }

    private final class Stage {
        let executor = SimulatedExecutor()
        let clock = ManualPaginatorClock()
        let connectivity = ScriptedConnectivity()
        let paginator: CallbackPaginator<Int>
        let ends = Guarded<[Bool]>([])
        private let execution = Guarded<PaginatorExecution?>(nil)

        init(
            _ conditions: PaginatorConditions, flush: Result<Void, PaginatorError>? = .success(()), hangs: Bool = false
        ) {
            connectivity.set(conditions)
            var config = DefaultPaginatorConfig()
            config.simulate(on: executor, clock: clock)
            config.connectivity = connectivity
            paginator = CallbackPaginator(
                dataSource: ClosureDataSource<Int>(firstKey: "a") { request, completion in
                    if !hangs { completion(.success(PaginatorPage(content: [1], key: request.key))) }
                    return SourceCancellation {}
                }, store: Store(flush), config: config)
        }

        /// Begins the work of a task; returns what the system calls when the time is over.
        func begin(allowing conditions: PaginatorConditions = []) -> @Sendable () -> Void {
            var request = PrefetchRequest(keys: ["a"], pageSize: 10)
            request.allows = conditions
            let (_, expire) = paginator.prefetch(request) { [ends] success in ends.withLock { $0.append(success) } }
            run()
            return expire
        }

        func run(_ duration: Duration = .zero) {
            executor.runAll()
            clock.advance(by: duration)
            executor.runAll()
        }

        var isCached: Bool { paginator.peek(key: "a", pageSize: 10) != nil }
        var told: [Bool] { ends.withLock { $0 } }
    }

    @Test func `in the background it loads, flushes and ends with success`() {
        let stage = Stage(.background)
        _ = stage.begin()
        #expect(stage.told == [true])
        #expect(stage.isCached)
    }

    @Test(arguments: [PaginatorConditions.weakLink, .lowPower, .offline])
    func `where conditions hold it back it ends at once`(conditions: PaginatorConditions) {
        let stage = Stage([.background, conditions])
        _ = stage.begin()
        #expect(stage.told == [true])
        #expect(!stage.isCached)
    }

    @Test func `on a link that costs money it loads where it may`() {
        let stage = Stage([.background, .weakLink])
        _ = stage.begin(allowing: .weakLink)
        #expect(stage.told == [true])
        #expect(stage.isCached)
    }

    @Test func `a flush that fails is no success`() {
        let stage = Stage(.background, flush: .failure(PaginatorError(.storeFailed, "The disk is full.")))
        _ = stage.begin()
        #expect(stage.told == [false])
    }

    @Test func `when the time is over it ends without success, once`() {
        let stage = Stage(.background, hangs: true)
        let expire = stage.begin()
        #expect(stage.told == [])
        expire()
        stage.run()
        #expect(stage.told == [false])
        stage.run(.seconds(60))
        #expect(stage.told == [false])
    }

    @Test func `when the time is over a silent store is waited for no longer than a second`() {
        let stage = Stage(.background, flush: nil)
        let expire = stage.begin()
        #expect(stage.told == [])
        expire()
        stage.run(.milliseconds(999))
        #expect(stage.told == [])
        stage.run(.milliseconds(1))
        #expect(stage.told == [false])
        stage.run(.seconds(60))
        #expect(stage.told == [false])
    }

    @Test func `an end of the time after the end of the work changes nothing`() {
        let stage = Stage(.background)
        let expire = stage.begin()
        expire()
        stage.run(.seconds(60))
        #expect(stage.told == [true])
    }
}
