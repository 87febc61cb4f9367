import Dispatch
import PaginatorCore
import Testing

/// Two lists keep one page; one of them lets go of it while the page is cleared and loaded again.
@Suite struct PinRaceTests {
    @Test func `the pin of the list that still shows the page is not lost`() {
        for _ in 0..<20 {
            let cache = PageCache(strategy: .lru(maxPages: 100))
            let identity = PageIdentity.page(1)
            cache.admit(1)
            cache.keep(identity)
            let other = { @Sendable in
                for _ in 0..<3_000 {
                    cache.keep(identity)
                    _ = cache.release(identity)
                }
            }
            let clearing = { @Sendable in
                for _ in 0..<3_000 {
                    _ = cache.remove(.identity(identity), because: .cleared)
                    cache.admit(1)
                }
            }
            let halves = [other, clearing]
            #expect(ends(within: 120) { DispatchQueue.concurrentPerform(iterations: 2) { halves[$0]() } })
            cache.admit(1)
            _ = cache.trim(toFraction: 0)
            guard cache.numbers == [1] else {
                Issue.record("the page that a list shows was removed")
                return
            }
        }
    }
}
