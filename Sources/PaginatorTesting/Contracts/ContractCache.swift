import PaginatorCore

/// A cache that uses a strategy as caches do, and checks its answers.
struct ContractCache {
    var strategy: any PaginatorEvictionStrategy
    var random: SeededRandom
    private(set) var pages: [PageHandle: PageFacts] = [:]
    private(set) var victims: [PageHandle] = []
    private var pinned: [PageHandle: PageFacts] = [:]
    private var free: [Int] = []
    private var made = 0
    private let fail: @Sendable (String) -> Void

    init(_ strategy: any PaginatorEvictionStrategy, seed: UInt64, fail: @escaping @Sendable (String) -> Void) {
        self.strategy = strategy
        random = SeededRandom(seed: seed)
        self.fail = fail
    }

    /// What is held, pinned pages included.
    var usage: PageUsage {
        (Array(pages.values) + Array(pinned.values)).reduce(into: PageUsage()) { usage, facts in
            usage.pages += 1
            usage.items = usage.items.addingReportingOverflow(facts.items).overflow ? .max : usage.items + facts.items
            usage.bytes = usage.bytes.addingReportingOverflow(facts.bytes).overflow ? .max : usage.bytes + facts.bytes
        }
    }

    /// Performs one random operation of a cache.
    mutating func step() {
        switch random.number(in: 0..<20) {
        case 0..<8: insert()
        case 8..<15: use()
        case 15: if let page = anyPage { remove(page) }
        case 16:
            guard let page = anyPage, let facts = pages.removeValue(forKey: page) else { break }
            pinned[page] = facts
            strategy.removed(page)
        case 17:
            guard let page = pinned.keys.min(by: { $0.index < $1.index }) else { break }
            let facts = pinned.removeValue(forKey: page)
            pages[page] = facts
            if let facts { strategy.inserted(page, facts) }
        default: evict()
        }
    }

    @discardableResult
    mutating func insert(_ facts: PageFacts? = nil) -> PageFacts? {
        let facts =
            facts
            ?? PageFacts(
                bytes: random.number(in: 1..<3_000), items: random.number(in: 0..<40),
                keyHash: UInt64(random.number(in: 0..<80)))
        guard strategy.admits(facts) else { return nil }
        let page = PageHandle(index: free.popLast() ?? made)
        if page.index == made { made += 1 }
        pages[page] = facts
        strategy.inserted(page, facts)
        return facts
    }

    mutating func use() {
        if let page = anyPage { strategy.used(page) }
    }

    /// Evicts until the strategy names no more victims.
    mutating func evict() {
        let most = pages.count
        for _ in 0...most {
            guard let page = strategy.victim(in: usage) else { return }
            victims.append(page)
            guard remove(page) else { return }
        }
    }

    /// Demands one victim.
    mutating func dropOne() -> Bool {
        guard let page = strategy.victim(in: .beyondLimits) else { return false }
        victims.append(page)
        return remove(page)
    }

    /// Removes a page. It is a failure if the page is not there.
    @discardableResult
    mutating func remove(_ page: PageHandle) -> Bool {
        guard pages.removeValue(forKey: page) != nil else {
            fail(
                pinned[page] != nil
                    ? "the page \(page.index) is named though it is pinned"
                    : "the page \(page.index) is named but not there")
            return false
        }
        free.append(page.index)
        strategy.removed(page)
        return true
    }

    private var anyPage: PageHandle? {
        mutating get {
            guard !pages.isEmpty else { return nil }
            let sorted = pages.keys.sorted { $0.index < $1.index }
            return sorted[random.number(in: 0..<sorted.count)]
        }
    }
}
