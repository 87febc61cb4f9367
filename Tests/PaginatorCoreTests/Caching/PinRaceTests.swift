import Dispatch
import Testing

@testable import PaginatorCore

/// Two lists keep one page; one of them lets go of it while the page is cleared and loaded again.
@Suite struct PinRaceTests {
    @Test func `the pin of the list that still shows the page is not lost`() {
        let cache = PageCache(strategy: .lru(maxPages: 100))
        let identity = PageIdentity.page(1)
        cache.pin(identity)
        for round in 0..<5_000 {
            DispatchQueue.concurrentPerform(iterations: 2) { half in
                for _ in 0..<4 {
                    if half == 0 {
                        cache.pin(identity)
                        _ = cache.unpin(identity)
                    } else {
                        _ = cache.remove(.identity(identity), because: .cleared)
                        cache.admit(1)
                    }
                }
            }
            _ = cache.trim(toFraction: 0)
            guard cache.numbers == [1] else {
                Issue.record("the page that a list shows was removed in round \(round)")
                return
            }
        }
    }
}
