import Dispatch
import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct CacheConcurrencyTests {
    @Test func `limits hold while many threads read, write and remove`() {
        let strategies: [EvictionStrategy] = [
            .lru(maxPages: 40), .lfu(maxPages: 40), .adaptive(maxPages: 40),
            .fifo(maxPages: 40).and(.timeToLive(.seconds(50))),
        ]
        for strategy in strategies {
            let cache = PageCache(strategy: strategy)
            let faults = Tally()
            DispatchQueue.concurrentPerform(iterations: 4) { worker in
                var random = SeededRandom(seed: UInt64(worker))
                var pinned: [Int] = []
                for step in 0..<3_000 {
                    let page = random.number(in: 0..<100)
                    let now = PaginatorInstant.seconds(Int64(step / 100))
                    switch random.number(in: 0..<20) {
                    case 0..<12:
                        if let number = cache.number(at: .page(page), now: now), number != page { faults.add() }
                    case 12..<16: cache.admit(page, at: now)
                    case 16: _ = cache.remove(.key("page-\(page)"), because: .cleared)
                    case 17 where pinned.count < 5:
                        if cache.pin(.page(page)) { pinned.append(page) }
                    case 18: cache.invalidate(.identity(.page(page)))
                    default:
                        if let page = pinned.popLast() { _ = cache.unpin(.page(page)) }
                    }
                    // At most 40, or the 20 pins and the page just admitted.
                    if cache.usage.pages > 40 { faults.add() }
                }
                for page in pinned { _ = cache.unpin(.page(page)) }
            }
            #expect(faults.count == 0)
            #expect(cache.identities(in: .all).count == cache.usage.pages)
            _ = cache.remove(.all, because: .cleared)
            #expect(cache.usage == PageUsage())
            #expect(cache.pinnedUsage == PageUsage())
        }
    }

    @Test func `uses of one thread are kept in order though notes run over`() {
        let cache = PageCache(strategy: .lru(maxPages: 500))
        for page in 0..<500 { cache.admit(page) }
        for page in stride(from: 499, through: 0, by: -1) { _ = cache.number(at: .page(page)) }
        for page in 500..<1_000 { #expect(cache.admit(page).removed.numbers == [999 - page]) }
    }

    @Test func `objects may call the cache when they are released`() {
        let cache = PaginatorInMemoryCache<Numbered>(strategy: .lru(maxPages: 8))
        DispatchQueue.concurrentPerform(iterations: 4) { worker in
            for step in 0..<500 {
                let identity = PageIdentity.page((worker * 7 + step) % 16)
                cache.set(Numbered(step, onDeinit: { [weak cache] in _ = cache?.peek(identity) }), for: identity)
                _ = cache.get(.page(step % 16))
            }
        }
        #expect(cache.usage.pages == 8)
        cache.removeAll()
    }
}

/// Counts from many threads.
final class Tally: Sendable {
    private let value = Guarded(0)

    func add() { value.withLock { $0 += 1 } }

    var count: Int { value.withLock { $0 } }
}
