import PaginatorCore
import PaginatorTesting
import Testing

private struct Outage: Error {}

/// A source of 95 items with one flaw.
private func broken(_ flaw: String) -> any PaginatorDataSource<SampleItem> {
    var pages = SamplePages(count: 95)
    if flaw == "cycle" { pages.nextKeys["40"] = "10" }
    if flaw == "gap" { pages.nextKeys["40"] = "60" }
    if flaw == "endless" { pages.nextKeys["90"] = "0" }
    let table = pages
    let calls = Guarded(0)
    return ClosureDataSource<SampleItem>(
        firstKey: flaw == "first key" ? "" : "0",
        neighborKeys: { key, size in
            var keys = table.neighborKeys(of: key, pageSize: size)
            if flaw == "next computed wrong", key == "30" { keys?.next = "50" }
            if flaw == "previous computed wrong", key == "30" { keys?.previous = "10" }
            return keys
        }
    ) { request, completion in
        let number = calls.withLock { calls in
            calls += 1
            return calls
        }
        var answer = table.answer(to: request)
        if case .success(let page) = answer {
            let (content, next) = (page.content, page.nextKey)
            switch flaw {
            case "wrong key" where page.key == "30":
                answer = .success(PaginatorPage(content: content, key: "31", prevKey: page.prevKey, nextKey: next))
            case "circle back" where page.key == "20":
                answer = .success(PaginatorPage(content: content, key: "20", prevKey: "30", nextKey: next))
            case "empty previous key" where page.key == "0":
                answer = .success(PaginatorPage(content: content, key: "0", prevKey: "", nextKey: next))
            case "items come and go" where number % 3 == 0:
                answer = .success(
                    PaginatorPage(content: [], key: page.key, prevKey: page.prevKey, nextKey: next))
            case "next keys come and go" where number > 12:
                answer = .success(PaginatorPage(content: content, key: page.key, prevKey: page.prevKey))
            // As a source does that keeps the call it works on in one variable.
            case "mixes up calls" where number > 20:
                answer = .success(PaginatorPage(content: content, key: "0", prevKey: nil, nextKey: next))
            case "the first items again":
                let first = Array(table.items.prefix(content.count))
                answer = .success(PaginatorPage(content: first, key: page.key, prevKey: page.prevKey, nextKey: next))
            case "mixes up items" where number > 12:
                let other = Array(table.items.suffix(content.count))
                answer = .success(PaginatorPage(content: other, key: page.key, prevKey: page.prevKey, nextKey: next))
            case "skips a page back" where page.key == "30":
                answer = .success(PaginatorPage(content: content, key: "30", prevKey: "10", nextKey: next))
            case "one item a page" where request.pageSize == 1:
                answer = .failure(.fatal(Outage()))
            default: break
            }
        }
        if flaw == "mute" || flaw == "mute for unknown keys" && !answer.isSuccess { return .none }
        let given = answer
        if flaw == "answers the cancel", number % 2 == 1 {
            return SourceCancellation { for _ in 0..<2 { completion(given) } }
        }
        completion(given)
        if flaw == "twice" { completion(given) }
        return .none
    }
}

/// A source whose keys its own rule refuses.
private struct MisruledSource: PaginatorDataSource {
    let server = SampleServer(SamplePages(count: 95, style: .cursor))
    var firstKey: String { server.firstKey }
    var keyRule: KeyRule? { .offset }

    func fetch(
        _ request: SourceRequest,
        completion: @escaping @Sendable (Result<PaginatorPage<SampleItem>, SourceError>) -> Void
    ) -> SourceCancellation { server.fetch(request, completion: completion) }
}

/// A source that records the keys for which it is asked, and accepts only numbers.
private struct NumberedSource: PaginatorDataSource {
    let asked: Guarded<[String]>
    let firstKey = "0"
    let keyRule: KeyRule? = KeyRule { Int($0) == nil ? "the key must be a number" : nil }

    func fetch(
        _ request: SourceRequest,
        completion: @escaping @Sendable (Result<PaginatorPage<SampleItem>, SourceError>) -> Void
    ) -> SourceCancellation {
        asked.withLock { $0.append(request.key) }
        completion(SamplePages(count: 95).answer(to: request))
        return .none
    }
}

/// A call that ends when its handle is released, as of a publisher.
private final class Subscription: Sendable {
    private let completion: Guarded<ClosureDataSource<SampleItem>.Completion?>

    init(_ completion: @escaping ClosureDataSource<SampleItem>.Completion) { self.completion = Guarded(completion) }

    func answer(_ answer: Result<PaginatorPage<SampleItem>, SourceError>) { completion.replace(with: nil)?(answer) }
}

@Suite struct DataSourceContractTests {
    @Test(
        arguments: [
            ("first key", "first key"), ("answers once", "twice"), ("answers once", "mute"), ("same key", "wrong key"),
            ("forward", "cycle"), ("forward", "gap"), ("forward", "endless"), ("backward", "circle back"),
            ("backward", "empty previous key"), ("same again", "items come and go"),
            ("same again", "next keys come and go"), ("neighbor keys", "next computed wrong"),
            ("neighbor keys", "previous computed wrong"), ("parallel", "mixes up calls"),
            ("cancel", "answers the cancel"), ("cancel", "mute"), ("unknown keys", "mute for unknown keys"),
            ("page sizes", "one item a page"), ("forward", "the first items again"), ("same again", "mixes up items"),
            ("parallel", "mixes up items"), ("backward", "skips a page back"),
        ])
    func `each case finds a source that breaks it`(_ name: String, _ flaw: String) {
        let failures = FailureList()
        Contract.dataSource(itemCount: 95, limit: .milliseconds(20)) { broken(flaw) }
            .check(name, report: failures.report)
        #expect(!failures.all.isEmpty)
    }

    @Test func `items that are not identifiable are counted on the way back`() {
        let failures = FailureList()
        let source = broken("skips a page back")
        Contract.dataSource {
            ClosureDataSource<String>(firstKey: "0") { request, completion in
                source.fetch(request) { result in
                    completion(
                        result.map { page in
                            PaginatorPage(
                                content: page.content.map(\.text), key: page.key, prevKey: page.prevKey,
                                nextKey: page.nextKey)
                        })
                }
            }
        }.check("backward", report: failures.report)
        #expect(failures.all == ["backward: the way back has 85 items of 95"])
    }

    @Test(arguments: ["first key", "forward", "backward"])
    func `a source whose keys its own rule refuses is found`(_ name: String) {
        let failures = FailureList()
        Contract.dataSource { MisruledSource() }.check(name, report: failures.report)
        #expect(failures.all.contains { $0.contains("the key must be a whole number from 0") })
    }

    @Test func `a source is asked only for those unknown keys that its own rule accepts`() {
        let asked = Guarded<[String]>([])
        Contract.dataSource { NumberedSource(asked: asked) }.check("unknown keys", report: toTesting)
        #expect(asked.withLock { $0 } == ["-1"])
    }

    @Test(arguments: Contract.dataSource { ArrayDataSource<SampleItem>([]) }.cases)
    func `the handle of a call is kept until its answer`(_ name: String) {
        let pages = SamplePages(count: 95)
        Contract.dataSource(itemCount: 95) {
            ClosureDataSource<SampleItem>(firstKey: "0") { request, completion in
                let call = Subscription(completion)
                QueueExecutor.work.run { [weak call] in call?.answer(pages.answer(to: request)) }
                return SourceCancellation { withExtendedLifetime(call) {} }
            }
        }.check(name, report: toTesting)
    }

    @Test func `no call is cancelled twice or after its answer`() {
        let (calls, wrong) = (Guarded(0), Guarded(0))
        Contract.dataSource {
            ClosureDataSource<SampleItem>(firstKey: "0") { request, completion in
                let number = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                // The first call of a round is cancelled, the next one fetches the page.
                let isAnswered = number % 2 == 0
                if isAnswered { completion(SamplePages(count: 95).answer(to: request)) }
                let cancels = Guarded(isAnswered ? 1 : 0)
                return SourceCancellation {
                    let count = cancels.withLock { cancels in
                        cancels += 1
                        return cancels
                    }
                    if count > 1 { wrong.withLock { $0 += 1 } }
                }
            }
        }.check("cancel", report: toTesting)
        #expect(calls.withLock { $0 } == 40 && wrong.withLock { $0 } == 0)
    }

    @Test func `a source that refuses large pages keeps the contract up to its greatest size`() {
        let failures = FailureList()
        for maxPageSize in [100, 1_000] {
            Contract.dataSource(maxPageSize: maxPageSize) {
                ClosureDataSource<SampleItem>(firstKey: "0") { request in
                    guard request.pageSize <= 100 else { throw Outage() }
                    return try SamplePages(count: 95).answer(to: request).get()
                }
            }.check("page sizes", report: failures.report)
            #expect(failures.all.isEmpty == (maxPageSize == 100))
        }
    }

    @Test(arguments: [5, 0])
    func `no case asks for more items than the greatest size, or for none`(_ maxPageSize: Int) async {
        await Contract.dataSource(maxPageSize: maxPageSize) {
            ClosureDataSource<SampleItem>(firstKey: "0") { request in
                guard (1...max(1, maxPageSize)).contains(request.pageSize) else { throw Outage() }
                return try SamplePages(count: 95).answer(to: request).get()
            }
        }.checkAll(report: toTesting)
    }

    @Test(arguments: Contract.dataSource { ArrayDataSource<SampleItem>([]) }.cases)
    func `every built-in source keeps the contract`(_ name: String) async {
        let items = SamplePages(count: 95).items
        let contracts: [Contract] = [
            Contract.dataSource(itemCount: 95) { broken("nothing") },
            Contract.dataSource(itemCount: 95) { ArrayDataSource(items) },
            Contract.dataSource(itemCount: 0) { ArrayDataSource<SampleItem>([]) },
            Contract.dataSource(pageSize: 95, itemCount: 95) { ArrayDataSource(items) },
            Contract.dataSource(itemCount: 95) {
                ClosureDataSource(firstKey: "0") { request in
                    try SamplePages(count: 95).answer(to: request).get()
                }
            },
            Contract.dataSource(itemCount: 95) {
                ClosureDataSource<SampleItem>(firstKey: "0") { _ in throw Outage() }.fallback(
                    to: ArrayDataSource(items))
            },
            Contract.dataSource(itemCount: 95) { Self.mediator(over: items) },
        ]
        for contract in contracts { await contract.check(name, report: toTesting) }
    }

    @Test func `a source with more pages than are fetched keeps the contract, and one with too many items does not`() {
        let items = SamplePages(count: 1_000).items
        Contract.dataSource(itemCount: 1_000) { ArrayDataSource(items) }.check("forward", report: toTesting)
        let failures = FailureList()
        Contract.dataSource(itemCount: 400) { ArrayDataSource(items) }.check("forward", report: failures.report)
        #expect(failures.all.count == 1)
    }

    @Test(arguments: Contract.dataSource { ArrayDataSource<SampleItem>([]) }.cases)
    func `the greatest number of pages may be as large or small as a number can be`(_ name: String) {
        let items = SamplePages(count: 95).items
        for maxPages in [Int.max, .min] {
            // Without a page there is no item to count.
            let itemCount = maxPages > 0 ? items.count : nil
            Contract.dataSource(itemCount: itemCount, maxPages: maxPages) { ArrayDataSource(items) }
                .check(name, report: toTesting)
        }
    }

    @Test(arguments: Contract.dataSource { ArrayDataSource<SampleItem>([]) }.cases)
    func `the kit's own sources keep the contract`(_ name: String) {
        for style in SamplePages.Style.allCases {
            let pages = SamplePages(count: 95, style: style)
            let makers: [@Sendable () -> any PaginatorDataSource<SampleItem>] = [
                { SampleServer(pages) }, { ScriptedDataSource(serving: pages) },
                { ScriptedDataSource(serving: SampleServer(pages)) },
                { ScriptedDataSource(recording: SampleServer(pages)) },
                { SampleServer(pages).faulty(FaultPlan(), clock: ManualPaginatorClock()) },
            ]
            for make in makers { Contract.dataSource(itemCount: 95, make: make).check(name, report: toTesting) }
        }
    }

    /// A local table that is filled from a remote source as it is read.
    private static func mediator(over items: [SampleItem]) -> any PaginatorDataSource<SampleItem> {
        let table = Guarded<[SampleItem]>([])
        let local = ClosureDataSource<SampleItem>(firstKey: "0") { request in
            let rows = table.withLock { $0 }
            guard let start = Int(request.key), start >= 0 else { throw SourceError.keyExpired(Outage()) }
            let content = Array(rows.dropFirst(start).prefix(request.pageSize))
            let isFull = content.count == request.pageSize
            return PaginatorPage(
                content: content, key: request.key,
                prevKey: start > 0 ? String(max(0, start - request.pageSize)) : nil,
                nextKey: isFull && (rows.count > start + content.count || rows.count < items.count)
                    ? String(start + request.pageSize) : nil)
        }
        return MediatorDataSource(local: local, remote: ArrayDataSource(items)) { page, _, isRefresh, completion in
            table.withLock { rows in
                if isRefresh { rows = [] }
                let known = Set(rows.map(\.id))
                rows += page.content.filter { !known.contains($0.id) }
            }
            completion(.success(()))
        }
    }
}

extension Result {
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
