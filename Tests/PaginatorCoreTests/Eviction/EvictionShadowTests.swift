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

    /// Pages that weigh 1 each.
    private func equalPages(_ count: Int) -> WatchedPages {
        var pages = WatchedPages()
        for page in 0..<count { _ = pages.number(for: PageHandle(index: page), hash: UInt64(page), weight: 1) }
        return pages
    }

    @Test func `S3-FIFO gives a page of its large queue that was read another round, and the next one up`() {
        var policy = S3FIFOShadow(capacity: 10)
        let pages = equalPages(13)
        var gone: ContiguousArray<Int> = []
        // Those that were read again move to the large queue when the next page needs room.
        for page in 0..<10 { _ = policy.read(page, pages, &gone) }
        for page in 0..<9 { _ = policy.read(page, pages, &gone) }
        _ = policy.read(10, pages, &gone)
        // It is the oldest in the large queue. One that comes back goes there at once, so the page after it finds the
        // small queue empty.
        _ = policy.read(0, pages, &gone)
        for page in [11, 10, 12] { _ = policy.read(page, pages, &gone) }
        #expect(policy.contains(0))
        #expect(!policy.contains(1))
    }

    @Test func `S3-FIFO keeps a new page that is read again, unless the read belongs to the visit that brought it`() {
        var policy = S3FIFOShadow(capacity: 40)
        let pages = equalPages(79)
        var gone: ContiguousArray<Int> = []
        for page in 0..<40 { _ = policy.read(page, pages, &gone) }
        // The small queue has room for four. The newest two are prefetched and then shown; to 37 somebody came back.
        for page in [39, 38, 37] { _ = policy.read(page, pages, &gone) }
        #expect(policy.next == 0)
        _ = policy.read(40, pages, &gone)
        #expect(!policy.contains(0) && policy.next == 1)
        for page in 41..<79 { _ = policy.read(page, pages, &gone) }
        #expect((0..<40).filter(policy.contains) == [37])
    }

    @Test func `LIRS counts reads within a few reads of each other as one`() {
        var policy = LIRSShadow(capacity: 40)
        let pages = equalPages(39)
        var gone: ContiguousArray<Int> = []
        for page in 0..<39 { _ = policy.read(page, pages, &gone) }
        #expect(policy.next == 38, "there is no room for it among those that stay")
        for page in Array(10..<16) + [38] { _ = policy.read(page, pages, &gone) }
        #expect(policy.next == 38, "it was prefetched and then shown")
        for page in Array(20..<28) + [38] { _ = policy.read(page, pages, &gone) }
        #expect(policy.next == 0, "somebody has come back to it")
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
