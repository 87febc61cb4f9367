@testable import PaginatorCore
@testable import PaginatorTesting

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A paginator on doubles. Nothing happens but what the test lets happen, on the test's own thread: ``run()`` does all
/// work and all callbacks, ``work`` and ``callbacks`` do them apart.
///
/// The source gives each page the number of its call, from 1, as the id of its one item: a page's *version*. Keys that
/// are whole numbers have the neighbors that numbers have, from 0 to 99.
final class FetchRig {
    struct Script: Sendable {
        /// How long pages of the source stay fresh; `nil` for ever.
        var lifetime: Duration?
        var hangs = false
        var failure: SourceError?
        var lastVersion = 0
        /// The versions of the pages that the source was offered, by call.
        var offered: [Int?] = []
    }

    struct Outage: Error {}

    static let quiet = ["paginator: mode=running, waiting=0"]

    let clock = ManualPaginatorClock()
    let work = SimulatedExecutor()
    let callbacks = SimulatedExecutor()
    let script = Guarded(Script())
    let source: ScriptedDataSource<SampleItem>
    let store: ScriptedStore<SampleItem>?
    let observer: RecordingObserver?
    let connectivity = ScriptedConnectivity()
    let journal = CallbackJournal()
    private var held: CallbackPaginator<SampleItem>?

    init(
        hasStore: Bool = false,
        isObserved: Bool = true,
        computesNeighbors: Bool = false,
        validator: AnyPageValidator<SampleItem> = .acceptAll,
        _ configure: (inout PaginatorConfig) -> Void = { _ in },
        over dataSource: (ScriptedDataSource<SampleItem>) -> any PaginatorDataSource<SampleItem> = { $0 }
    ) {
        let script = script
        let clock = clock
        source = ScriptedDataSource<SampleItem>(
            firstKey: "0", clock: clock, keepsAnswered: true,
            neighborKeys: { key, _ in computesNeighbors ? FetchRig.neighbors(of: key) : nil },
            otherwise: { request in FetchRig.step(request, script, clock) })
        store = hasStore ? ScriptedStore(answersInside: true) : nil
        observer = isObserved ? RecordingObserver() : nil
        var config = PaginatorConfig()
        config.clock = clock
        config.executor = work
        config.callbackExecutor = callbacks
        config.observer = observer
        config.connectivity = connectivity
        config.randomSeed = 1
        configure(&config)
        held = CallbackPaginator(dataSource: dataSource(source), validator: validator, store: store, config: config)
    }

    /// Work that waits holds its executor, which holds the work: it is done, so that nothing is left.
    deinit {
        release()
        run()
    }

    var paginator: CallbackPaginator<SampleItem> { held! }

    /// Lets go of the paginator.
    func release() { held = nil }

    /// Does everything that is to be done now.
    func run() {
        repeat {
            work.runAll()
            callbacks.runAll()
            // Waits for timers that were armed too late, which the clock fires on a queue of its own.
            clock.advance(by: .zero)
        } while work.count > 0 || callbacks.count > 0
    }

    /// Lets time pass, and does what comes of it.
    func advance(_ duration: Duration) {
        run()
        clock.advance(by: duration)
        run()
    }

    /// Makes the source keep its answers until ``answer(_:)``.
    func hangSource() { script.withLock { $0.hangs = true } }

    /// Makes the source fail; `nil` ends that.
    func failSource(_ failure: SourceError?) { script.withLock { $0.failure = failure } }

    /// Answers the oldest pending call of a key with its next version, and does what comes of it.
    @discardableResult
    func answer(_ key: String) -> Bool {
        run()
        guard let call = source.pendingCalls.first(where: { $0.request.key.hasSameBytes(as: key) }) else {
            return false
        }
        source.answer(call, with: .success(Self.nextPage(key, script, clock)))
        run()
        return true
    }

    /// Makes the oldest pending call of a key fail, and does what comes of it.
    @discardableResult
    func fail(_ key: String, _ error: SourceError = .fatal(Outage())) -> Bool {
        run()
        guard let call = source.pendingCalls.first(where: { $0.request.key.hasSameBytes(as: key) }) else {
            return false
        }
        source.answer(call, with: .failure(error))
        run()
        return true
    }

    /// Makes a page as the source would.
    func page(
        _ key: String, version: Int, lifetime: Duration? = nil, nextKey: String? = nil
    ) -> PaginatorPage<SampleItem> {
        Self.page(key, version, lifetime, clock, nextKey: nextKey)
    }

    /// The wall-clock time some time before now.
    func wallTime(before age: Duration) -> Date { clock.wallTime.addingTimeInterval(-age.inSeconds) }

    /// The version of the page in memory.
    func cached(_ key: String, pageSize: Int = 10, scope: String = "") -> Int? {
        paginator.peek(key: key, pageSize: pageSize, scope: scope)?.page.version
    }

    func identity(_ key: String, scope: String = "") -> PageIdentity {
        PageIdentity(key: key, pageSize: 10, scope: scope)
    }

    /// The machine's own description of its state.
    var state: [String] { paginator.engine.driver.withMachine { $0.describe() } }

    static func neighbors(of key: String) -> NeighborKeys {
        guard let number = Int(key) else { return NeighborKeys(previous: nil, next: nil) }
        return NeighborKeys(
            previous: number > 0 ? String(number - 1) : nil, next: number < 99 ? String(number + 1) : nil)
    }

    private static func step(
        _ request: SourceRequest, _ script: Guarded<Script>, _ clock: ManualPaginatorClock
    ) -> SourceStep<SampleItem> {
        let offered = request.cachedPage(of: SampleItem.self)?.version
        let now = script.withLock { script in
            script.offered.append(offered)
            return script
        }
        if now.hangs { return .hang }
        if let failure = now.failure { return .fail(failure).insideFetch }
        return .page(nextPage(request.key, script, clock)).insideFetch
    }

    private static func nextPage(
        _ key: String, _ script: Guarded<Script>, _ clock: ManualPaginatorClock
    ) -> PaginatorPage<SampleItem> {
        let (version, lifetime) = script.withLock { script in
            script.lastVersion += 1
            return (script.lastVersion, script.lifetime)
        }
        return page(key, version, lifetime, clock)
    }

    private static func page(
        _ key: String, _ version: Int, _ lifetime: Duration?, _ clock: ManualPaginatorClock, nextKey: String? = nil
    ) -> PaginatorPage<SampleItem> {
        let neighbors = neighbors(of: key)
        return PaginatorPage(
            content: [SampleItem(id: version, text: key)], key: key,
            expirationTime: lifetime.map { clock.wallTime.addingTimeInterval($0.inSeconds) },
            prevKey: neighbors.previous, nextKey: nextKey ?? neighbors.next)
    }
}

extension PaginatorPage<SampleItem> {
    var version: Int? { content.first?.id }
}
