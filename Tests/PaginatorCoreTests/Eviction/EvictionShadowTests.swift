import PaginatorTesting
import Testing

@testable import PaginatorCore

/// The policies that the adaptive order simulates hold pages up to the cache's capacity.
@Suite struct EvictionShadowTests {
    @Test func `a policy gives pages up when the next one does not fit and not before, whatever pages weigh`() {
        check(LRUShadow(capacity: 40), capacity: 40)
        check(LIRSShadow(capacity: 40), capacity: 40)
        check(S3FIFOShadow(capacity: 40), capacity: 40)
    }

    @Test(arguments: 0..<20)
    func `a page whose weight changed counts as if it had had that weight before`(seed: Int) {
        checkWeights(LRUShadow(capacity: 100), seed)
        checkWeights(LIRSShadow(capacity: 100), seed)
        checkWeights(S3FIFOShadow(capacity: 100), seed)
    }

    private func checkWeights(_ empty: some ShadowPolicy, _ seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var (changed, constant) = (empty, empty)
        var (light, pages) = (WatchedPages(), WatchedPages())
        for page in 0..<60 {
            let handle = PageHandle(index: page)
            _ = light.number(for: handle, hash: UInt64(page), weight: 1)
            _ = pages.number(for: handle, hash: UInt64(page), weight: Int64(random.number(in: 1..<5)))
        }
        var gone: ContiguousArray<Int> = []
        // All of them fit, with either weight.
        for page in 0..<10 {
            _ = changed.read(page, light, &gone)
            _ = constant.read(page, pages, &gone)
            changed.reweigh(page, by: pages[page].weight - 1)
        }
        for _ in 0..<500 {
            let page = random.number(in: 0..<60)
            #expect(changed.read(page, pages, &gone) == constant.read(page, pages, &gone), "\(empty)")
        }
    }

    private func check(_ empty: some ShadowPolicy, capacity: Int64) {
        var policy = empty
        var random = SeededRandom(seed: 1)
        var pages = WatchedPages()
        for page in 0..<30 {
            _ = pages.number(for: PageHandle(index: page), hash: UInt64(page), weight: Int64(random.number(in: 1..<6)))
        }
        var gone: ContiguousArray<Int> = []
        for _ in 0..<5_000 {
            let page = random.number(in: 0..<30)
            if random.chance(0.2) {
                let weight = Int64(random.number(in: 1..<6))
                policy.reweigh(page, by: weight - pages[page].weight)
                pages[page].weight = weight
                continue
            }
            let before = (0..<30).filter(policy.contains)
            let fits = before.reduce(pages[page].weight) { $0 + pages[$1].weight } <= capacity
            let isHit = policy.read(page, pages, &gone)
            #expect(isHit == before.contains(page))
            if isHit { continue }
            let after = Set((0..<30).filter(policy.contains))
            #expect(after.contains(page))
            #expect(after.reduce(0) { $0 + pages[$1].weight } <= capacity, "\(policy)")
            #expect(!fits || after.isSuperset(of: before), "\(policy)")
        }
    }
}
