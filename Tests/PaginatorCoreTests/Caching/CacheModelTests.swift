import PaginatorTesting
import Testing

@testable import PaginatorCore

/// Random histories of a cache with limits, lifetimes and pins, against the pages that came and were not
/// reported as gone.
@Suite struct CacheModelTests {
    @Test func `whatever is called, the cache keeps its limits and its tables agree`() {
        let strategies: [EvictionStrategy] = [
            .lru(maxPages: 8), .lfu(maxPages: 8, maxItems: 30), .adaptive(maxPages: 8),
            .fifo(maxPages: 8).and(.timeToLive(.seconds(20))),
            .lru(maxPages: 8).and(.timeToLive(.seconds(20))).keepingAtLeast(items: 5),
        ]
        for (number, strategy) in strategies.enumerated() {
            for seed in 0..<20 {
                var history = CacheHistory(strategy, seed: UInt64(seed))
                for step in 0..<400 {
                    guard let fault = history.takeStep() else { continue }
                    Issue.record("strategy \(number), seed \(seed), step \(step): \(fault)")
                    return
                }
            }
        }
    }
}

private struct CacheHistory {
    private let cache: PageCache
    private var random: SeededRandom
    private var now = PaginatorInstant.zero
    /// How often each page came, less how often it was reported as gone.
    private var present: [PageIdentity: Int] = [:]
    private var pins: [PageIdentity] = []

    init(_ strategy: EvictionStrategy, seed: UInt64) {
        cache = PageCache(strategy: strategy)
        random = SeededRandom(seed: seed)
    }

    /// Makes one random call; returns what is wrong after it.
    mutating func takeStep() -> String? {
        let number = random.number(in: 0..<16)
        let identity = PageIdentity.page(number, scope: number % 2 == 0 ? "" : "odd")
        var removed: RemovedPages?
        switch random.number(in: 0..<16) {
        case 0..<5:
            let answer = cache.admit(
                number, items: random.number(in: 1..<5), scope: identity.scope, at: now,
                fetchedAt: now.advanced(by: .seconds(-random.number(in: 0..<5))))
            removed = answer.removed
            if answer.isAdmitted { present[identity, default: 0] += 1 }
        case 5..<9:
            let found = cache.number(at: identity, now: now, touching: random.chance(0.7))
            if let found, found != number { return "\(identity) is page \(found)" }
            if found != nil, present[identity] == nil { return "\(identity) was reported as gone" }
        case 9..<11:
            guard cache.pin(identity) == cache.identities(in: .all).contains(identity) else {
                return "\(identity) is pinned, and said to be where it is not"
            }
            pins.append(identity)
        case 11..<13:
            removed = pins.isEmpty ? nil : cache.unpin(pins.remove(at: random.number(in: 0..<pins.count)))
        case 13:
            now = now.advanced(by: .seconds(random.number(in: 0..<8)))
            removed = cache.expire(at: now)
        case 14: removed = cache.remove(random.chance(0.8) ? .identity(identity) : .scope("odd"), because: .cleared)
        default: removed = cache.trim(toFraction: 0.7)
        }
        return fault(after: removed)
    }

    private mutating func fault(after removed: RemovedPages?) -> String? {
        let here = Set(cache.identities(in: .all))
        for page in removed ?? RemovedPages() {
            let count = present[page.identity] ?? 0
            present[page.identity] = count > 1 ? count - 1 : nil
            if count == 0 { return "\(page.identity) went twice" }
        }
        if !here.isSubset(of: present.keys) { return "\(here) are here, \(present) came and did not go" }
        if removed != nil, here.count != present.count || present.values.contains(where: { $0 > 1 }) {
            return "\(here) are here, \(present) should be"
        }
        let pinned = here.intersection(pins)
        if cache.pinnedUsage.pages != pinned.count { return "\(pinned) should be pinned" }
        let usage = cache.usage
        if usage.pages > max(8, cache.pinnedUsage.pages + 5 + 1) { return "\(usage) is more than the limit" }
        return cache.invariantViolations().first
    }
}
