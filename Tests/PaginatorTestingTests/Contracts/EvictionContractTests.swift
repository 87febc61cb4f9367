import PaginatorTesting
import Testing

@testable import PaginatorCore

/// First in, first out, with one flaw.
private struct BrokenStrategy: PaginatorEvictionStrategy {
    private final class Shared: Sendable {
        let pages = Guarded<[PageHandle]>([])
    }

    let flaw: String
    private let maxPages = 20
    private var own: [PageHandle] = []
    private var bytes = 0
    private let shared = Shared()

    init(_ flaw: String) { self.flaw = flaw }

    private var sharesPages: Bool { flaw.hasPrefix("a reference") }

    private var pages: [PageHandle] {
        get { sharesPages ? shared.pages.withLock { $0 } : own }
        set {
            if sharesPages {
                shared.pages.withLock { $0 = newValue }
            } else {
                own = newValue
            }
        }
    }

    mutating func inserted(_ page: PageHandle, _ facts: PageFacts) {
        pages.append(page)
        bytes &+= facts.bytes
    }

    mutating func used(_ page: PageHandle) {}

    mutating func removed(_ page: PageHandle) {
        if flaw != "remembers what has gone" { pages.removeAll { $0 == page } }
    }

    mutating func victim(in usage: PageUsage) -> PageHandle? {
        switch flaw {
        case "names what never came": return PageHandle(index: 0)
        case "never content": return pages.first
        case "too many" where usage.pages <= maxPages + 5: return nil
        case "sums overflow" where bytes < 0: return PageHandle(index: -1)
        case "nothing when demanded" where usage == .beyondLimits: return nil
        case "a reference, without a limit": return usage == .beyondLimits ? pages.first : nil
        case "wrong limit": return usage.items > 20_000_000 ? pages.first : nil
        case "one twice" where usage.pages > maxPages: return own.first ?? PageHandle(index: 0)
        default: return usage.pages > maxPages ? pages.first : nil
        }
    }

    func admits(_ facts: PageFacts) -> Bool { flaw == "changes its mind" ? own.isEmpty : true }

    var lifetime: Duration? { flaw == "changes its lifetime" ? .seconds(own.count + 1) : nil }
}

/// A built-in strategy run by an evictor, as the contract sees strategies.
private struct BuiltIn: PaginatorEvictionStrategy {
    private let strategy: EvictionStrategy
    private var evictor: PaginatorEvictor
    /// The evictor's handles by those of the contract, and the other way round.
    private var inner: [PageHandle: PageHandle] = [:]
    private var outer: [PageHandle: PageHandle] = [:]

    init(_ strategy: EvictionStrategy) {
        self.strategy = strategy
        evictor = PaginatorEvictor(strategy: strategy)
    }

    mutating func inserted(_ page: PageHandle, _ facts: PageFacts) {
        guard let handle = evictor.insert(facts, at: .zero) else { return }
        (inner[page], outer[handle]) = (handle, page)
    }

    mutating func used(_ page: PageHandle) {
        if let handle = inner[page] { evictor.use(handle) }
    }

    mutating func removed(_ page: PageHandle) {
        guard let handle = inner.removeValue(forKey: page) else { return }
        outer[handle] = nil
        evictor.remove(handle)
    }

    mutating func victim(in usage: PageUsage) -> PageHandle? {
        let handle =
            usage == .beyondLimits ? evictor.nextVictim(above: PageUsage()) : evictor.nextVictim(in: usage)?.page
        return handle.flatMap { outer[$0] }
    }

    func admits(_ facts: PageFacts) -> Bool { strategy.orders.allSatisfy { $0.admits(facts) } }

    var lifetime: Duration? { strategy.lifetime }
}

@Suite struct EvictionContractTests {
    private static let twenty = PageUsage(pages: 20, items: .max, bytes: .max)

    @Test(
        arguments: [
            ("victims are there", "remembers what has gone"), ("empty", "names what never came"),
            ("ends", "never content"), ("limit", "too many"),
            ("value", "a reference"), ("extreme costs", "sums overflow"), ("steady", "changes its lifetime"),
            ("steady", "changes its mind"), ("demanded", "nothing when demanded"),
        ])
    func `each case finds a strategy that breaks it`(_ name: String, _ flaw: String) {
        let failures = FailureList()
        Contract.eviction(limit: Self.twenty) { BrokenStrategy(flaw) }.check(name, report: failures.report)
        #expect(!failures.all.isEmpty)
    }

    @Test(arguments: [PageUsage(pages: 5), PageUsage(items: 50)])
    func `a strategy that gives away what it should keep is told of`(_ keeps: PageUsage) {
        let failures = FailureList()
        Contract.eviction(limit: Self.twenty, keeps: keeps) { BrokenStrategy("nothing") }
            .check("demanded", report: failures.report)
        #expect(failures.all.count == 1)
    }

    @Test func `a limit that the pages of the test do not reach is told of`() {
        let (failures, limit) = (FailureList(), PageUsage(pages: .max, items: .max, bytes: 20_000_000))
        Contract.eviction(limit: limit) { BrokenStrategy("wrong limit") }.check("limit", report: failures.report)
        #expect(failures.all.count == 1 && failures.all[0].contains("test with a smaller one"))
    }

    @Test(arguments: [nil, PageUsage(pages: 20_000, items: .max, bytes: .max)])
    func `copies that share a reference are found under a limit that is not reached`(_ limit: PageUsage?) {
        let failures = FailureList()
        Contract.eviction(limit: limit) { BrokenStrategy("a reference, without a limit") }
            .check("value", report: failures.report)
        #expect(failures.all.count == 1)
    }

    @Test(arguments: [nil, PageUsage(pages: 20)])
    func `a limit that is left out is told of`(_ limit: PageUsage?) {
        let failures = FailureList()
        Contract.eviction(limit: limit) { BrokenStrategy("nothing") }.check("limit", report: failures.report)
        #expect(failures.all.count == 1)
        #expect(failures.all.first?.contains(limit == nil ? "pass its limit" : ".max") == true)
    }

    @Test(arguments: Contract.eviction { BrokenStrategy("nothing") }.cases)
    func `every built-in strategy keeps the contract`(_ name: String) {
        typealias Make = (Int?, Int?, Int?) -> EvictionStrategy
        let orders: [Make] = [
            { .lru(maxPages: $0, maxItems: $1, maxBytes: $2) }, { .fifo(maxPages: $0, maxItems: $1, maxBytes: $2) },
            { .lifo(maxPages: $0, maxItems: $1, maxBytes: $2) }, { .lfu(maxPages: $0, maxItems: $1, maxBytes: $2) },
            { .adaptive(maxPages: $0, maxItems: $1, maxBytes: $2) },
        ]
        for order in orders {
            let (pages, items, bytes) = (order(20, nil, nil), order(nil, 300, nil), order(nil, nil, 20_000))
            let (all, held) = (order(20, 300, 20_000), order(20, 300, nil).keepingAtLeast(items: 50))
            let aged = order(20, nil, nil).and(.timeToLive(.days(15)))
            check(name, pages, PageUsage(pages: 20, items: .max, bytes: .max))
            check(name, items, PageUsage(pages: .max, items: 300, bytes: .max))
            check(name, bytes, PageUsage(pages: .max, items: .max, bytes: 20_000))
            check(name, all, PageUsage(pages: 20, items: 300, bytes: 20_000))
            check(name, aged, PageUsage(pages: 20, items: .max, bytes: .max))
            check(
                name, held, PageUsage(pages: .max, items: 300, bytes: .max),
                keeps: PageUsage(pages: 0, items: 50))
        }
        check(name, .maxPages(20), Self.twenty)
        check(name, .maxItems(300), PageUsage(pages: .max, items: 300, bytes: .max))
        check(name, .maxBytes(20_000), PageUsage(pages: .max, items: .max, bytes: 20_000))
        check(name, .lru(maxPages: 20).and(.lfu(maxPages: 25)), Self.twenty)
        check(name, .lfu().and(.maxPages(20)), Self.twenty)
        check(name, .lru(maxPages: 3).keepingAtLeast(pages: 20), Self.twenty, keeps: PageUsage(pages: 20))
        // What is kept may be more than the limit.
        check(
            name, .lru(maxItems: 300).keepingAtLeast(pages: 30), PageUsage(pages: .max, items: 300, bytes: .max),
            keeps: PageUsage(pages: 30))
        check(
            name, .lru(maxPages: 5).keepingAtLeast(items: 300), PageUsage(pages: 5, items: .max, bytes: .max),
            keeps: PageUsage(items: 300))
        check(name, .timeToLive(.hours(1)), nil)
        Contract.eviction(limit: Self.twenty) { BrokenStrategy("nothing") }.check(name, report: toTesting)
        check(name, EvictionStrategy(BrokenStrategy("nothing")).keepingAtLeast(pages: 0), Self.twenty)
    }

    private func check(
        _ name: String, _ strategy: EvictionStrategy, _ limit: PageUsage?, keeps: PageUsage = PageUsage()
    ) {
        Contract.eviction(limit: limit, keeps: keeps) { BuiltIn(strategy) }.check(name, report: toTesting)
    }
}
