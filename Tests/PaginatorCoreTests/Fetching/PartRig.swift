@testable import PaginatorCore
@testable import PaginatorTesting

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A paginator over a source that gives parts of its pages, each of 30 items. What it gives tells the version of the page
/// in its items' texts; the source's continuations are the numbers of the items before them.
///
/// `@unchecked Sendable`: everything runs on the thread of the test.
final class PartRig: @unchecked Sendable {
    struct Script: Sendable {
        var version = 1
        /// How many items each call gives; `nil` for as many as are asked for.
        var gives: Int?
        var hangs = false
        /// What it gave: where each call began, and behind which item it ended.
        var calls: [Range<Int>] = []
        var itemBytes = 100
        var forgetsContinuations = false
        var saysRevision = true
        var lifetime: Duration?
        /// What the table has no longer; what is behind moves up.
        var gone: Set<Int> = []
        /// Whether it mistakes the next page for the rest of this one, for ever.
        var isEndless = false
    }

    let clock = ManualPaginatorClock()
    let executor = SimulatedExecutor()
    let script = Guarded(Script())
    let source: ScriptedDataSource<SampleItem>
    let store: ScriptedStore<SampleItem>?
    let paginator: CallbackPaginator<SampleItem>

    init(
        hasStore: Bool = false, validator: AnyPageValidator<SampleItem> = .acceptAll,
        _ configure: (inout PaginatorConfig) -> Void = { _ in }
    ) {
        let (script, clock) = (script, clock)
        source = ScriptedDataSource(
            firstKey: "0", clock: clock, keepsAnswered: true,
            otherwise: { request in
                if script.withLock({ $0.hangs }) { return .hang }
                return .result(Self.answer(request, script, clock)).insideFetch
            })
        store = hasStore ? ScriptedStore(answersInside: true) : nil
        var config = PaginatorConfig()
        config.clock = clock
        config.executor = executor
        config.callbackExecutor = executor
        config.randomSeed = 1
        config.maxAttempts = 1
        configure(&config)
        paginator = CallbackPaginator(dataSource: source, validator: validator, store: store, config: config)
    }

    static let pageSize = 30

    static func items(_ range: Range<Int>, version: Int = 1) -> [SampleItem] {
        range.map { SampleItem(id: $0, text: "v\(version)") }
    }

    static func answer(
        _ request: SourceRequest, _ script: Guarded<Script>, _ clock: ManualPaginatorClock
    ) -> Result<PaginatorPage<SampleItem>, SourceError> {
        script.withLock { script in
            let start = request.continuation.flatMap { Int($0) } ?? 0
            if start > 0, script.forgetsContinuations { return .failure(.keyExpired(FetchRig.Outage())) }
            let wanted =
                switch request.part {
                case .items(let items): max(1, items - start)
                case .bytes(let bytes): max(1, bytes / script.itemBytes - start)
                default: pageSize
                }
            if script.calls.count == 40 { return .failure(.fatal(FetchRig.Outage())) }
            let end = min(script.isEndless ? .max : pageSize, start + (script.gives ?? wanted))
            script.calls.append(start..<end)
            return .success(page(start..<end, script, clock))
        }
    }

    private static func page(
        _ range: Range<Int>, _ script: Script, _ clock: ManualPaginatorClock
    ) -> PaginatorPage<SampleItem> {
        let isWhole = range.upperBound == pageSize && !script.isEndless
        let rows = items(0..<range.upperBound + script.gone.count, version: script.version)
        return PaginatorPage(
            content: Array(rows.filter { !script.gone.contains($0.id) }[range]), key: "0",
            expirationTime: script.lifetime.map { clock.wallTime.addingTimeInterval($0.inSeconds) },
            nextKey: isWhole ? "30" : nil, byteCount: range.count * script.itemBytes,
            revision: script.saysRevision ? "v\(script.version)" : nil, tags: ["v\(script.version)"],
            continuation: isWhole ? nil : String(range.upperBound))
    }

    func start(_ part: PagePart?, policy: FetchPolicy? = nil) -> Caller {
        var request = PageRequest(key: "0", pageSize: Self.pageSize, policy: policy)
        request.part = part
        let listener = RecordingListener<SampleItem>()
        return Caller(listener: listener, execution: paginator.fetch(request, listener: listener))
    }

    @discardableResult
    func fetch(_ part: PagePart?, policy: FetchPolicy? = nil) -> Caller {
        let caller = start(part, policy: policy)
        run()
        return caller
    }

    func run() {
        repeat {
            while executor.runOne(choose: { _ in 0 }) {}
            clock.advance(by: .zero)
        } while executor.count > 0
    }

    /// Answers the oldest pending call as the source would, and does what comes of it.
    func answer() {
        run()
        guard let call = source.pendingCalls.first else { return }
        source.answer(call, with: Self.answer(call.request, script, clock))
        run()
    }

    func fail(_ error: SourceError = .fatal(FetchRig.Outage())) {
        run()
        guard let call = source.pendingCalls.first else { return }
        source.answer(call, with: .failure(error))
        run()
    }

    /// Has the oldest pending call show its first items, up to one.
    func show(upTo end: Int, continuation: String? = nil, tags: [String] = []) {
        run()
        guard let call = source.pendingCalls.first else { return }
        let start = call.request.continuation.flatMap { Int($0) } ?? 0
        let (version, saysRevision) = script.withLock { ($0.version, $0.saysRevision) }
        call.request.preview(
            PaginatorPage(
                content: Self.items(start..<end, version: version), key: "0",
                revision: saysRevision ? "v\(version)" : nil, tags: tags, continuation: continuation ?? String(end)))
        run()
    }

    var calls: [Range<Int>] { script.withLock { $0.calls } }

    var cached: PaginatorPage<SampleItem>? { paginator.peek(key: "0", pageSize: Self.pageSize)?.page }

    var violations: [String] { paginator.engine.invariantViolations() }
}

extension Caller {
    /// How many items its page has.
    var count: Int? { listener.page?.content.count }
    var isPartial: Bool? { listener.fetched?.isPartial }
    /// How many items each preview had.
    var shown: [Int] { listener.previews.map(\.content.count) }
}
