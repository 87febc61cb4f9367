import Foundation
import PaginatorCore
import PaginatorTesting

/// What an item of the simulated source says of itself, so that every page tells where it came from.
struct SimulatedItem: Sendable {
    let key: String
    let scope: String
    let pageSize: Int
    /// The number of the source call, or of the put, that made the page.
    let made: Int
    /// What the validator says of it.
    let verdict: PageVerdict
}

/// A paginator in a simulated world: virtual time, one thread, one seed.
///
/// The world does one random thing after another, and checks after each what must always hold. It keeps a simple model
/// beside the paginator: which calls of the source and which epochs there were, and what each fetch has been told.
///
/// `@unchecked Sendable`: everything runs on the thread of the test.
final class FetchWorld: @unchecked Sendable {
    struct Fetch {
        let request: PageRequest
        let startedAt: Int
        let wallTime: Date
        let isRefresh: Bool
        var execution: PaginatorExecution?
        /// When the page was cleared last while the fetch had no answer yet.
        var clearedAt = 0
        var previews = 0
        var ends: [Result<FetchedPage<SimulatedItem>, PaginatorError>] = []
        /// Whether `cancel` said that it ended the fetch.
        var isCancelled = false
    }

    struct Call {
        let request: SourceRequest
        let startedAt: Int
        let completion: @Sendable (Result<PaginatorPage<SimulatedItem>, SourceError>) -> Void
        var isAnswered = false
        var isCancelled = false
        var isWanted: Bool { !isAnswered && !isCancelled }
    }

    struct AroundFetch {
        let request: AroundRequest
        var execution: PaginatorExecution?
        var distances: [Int] = []
        var ends: [Result<AroundSummary, PaginatorError>] = []
        var isCancelled = false
    }

    static let keys = ["0", "1", "2", "3", "caf\u{e9}", "cafe\u{301}"]
    static let pageLimit = 4

    static let identities = keys.flatMap { key in
        [10, 20].flatMap { size in
            ["", "other"].map { PageIdentity(key: key, pageSize: size, scope: $0) }
        }
    }

    let seed: UInt64
    var random: SeededRandom
    let clock = ManualPaginatorClock()
    let executor = SimulatedExecutor()
    let connectivity = ManualConnectivity()
    let store: SimulatedStore?
    var paginator: CallbackPaginator<SimulatedItem>?
    weak var weakPaginator: CallbackPaginator<SimulatedItem>?

    /// Counts everything that happens; comparing two numbers tells what came first.
    var step = 0
    var fetches: [Fetch] = []
    var arounds: [AroundFetch] = []
    var calls: [Call] = []
    var executions: [PaginatorExecution] = []
    /// When the pages of an identity were last cleared.
    var cleared: [PageIdentity: Int] = [:]
    /// When an epoch of an identity last began, by whatever call.
    var epochs: [PageIdentity: Int] = [:]
    /// When there was no load of an identity last.
    var quiet: [PageIdentity: Int] = [:]
    var invalidated: [PageIdentity: Int] = [:]
    var isSuspended = false
    var callDepth = 0
    var failures: [String] = []
    var reentrantCalls = 0

    init(seed: UInt64) {
        self.seed = seed
        random = SeededRandom(seed: seed)
        store = seed % 3 == 0 ? nil : SimulatedStore()
        store?.world = self
        var config = DefaultPaginatorConfig()
        config.clock = clock
        config.executor = executor
        config.callbackExecutor = executor
        config.connectivity = connectivity
        config.randomSeed = seed
        config.inMemoryEvictionStrategy = .lru(maxPages: Self.pageLimit)
        config.maxParallelCalls = 2
        config.attemptTimeout = .seconds(5)
        config.fetchTimeout = .seconds(20)
        config.errorStrategy = seed % 2 == 0 ? .standard : .neverServeCached
        let source = SimulatedSource(world: self)
        let paginator = CallbackPaginator<SimulatedItem>(
            dataSource: source, validator: .closure { page, _ in page.content.first?.verdict ?? .accept },
            store: store, config: config)
        self.paginator = paginator
        weakPaginator = paginator
    }

    func fail(_ message: String) {
        if failures.count < 5 { failures.append("step \(step): \(message)") }
    }

    /// Runs `body` as one call of the paginator's user, inside which no callback may run.
    func call<R>(_ body: () -> R) -> R {
        callDepth += 1
        defer { callDepth -= 1 }
        return body()
    }

    func identity() -> PageIdentity {
        PageIdentity(
            key: Self.keys[random.number(in: 0..<Self.keys.count)], pageSize: random.chance(0.1) ? 20 : 10,
            scope: random.chance(0.15) ? "other" : "")
    }

    func request() -> PageRequest {
        let identity = identity()
        var request = PageRequest(key: identity.key, pageSize: identity.pageSize, scope: identity.scope)
        request.priority = FetchPriority.allCases[random.number(in: 0..<3)]
        let policies: [FetchPolicy?] = [
            nil, .cacheFirst, .cacheOnly, .networkOnly, .networkFirst, .networkFirst(fallbackAfter: .seconds(2)),
            .staleWhileRevalidate,
        ]
        request.policy = policies[random.number(in: 0..<policies.count)]
        if random.chance(0.1) { request.lane = FetchLane("search", debounce: .milliseconds(300)) }
        if random.chance(0.1) { request.timeout = .seconds(random.number(in: 1..<4)) }
        return request
    }
}
