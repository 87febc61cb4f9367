/// LIRS, simulated: it keeps the pages whose last two reads were close together, which suits loops (Jiang and Zhang,
/// "LIRS: an efficient low inter-reference recency set replacement policy", SIGMETRICS 2002).
///
/// Pages of low inter-reference recency fill all but half a percent of the capacity. At least two pages are left for
/// the others, which pass through a queue.
///
/// Reads of a page within a few reads of each other count as one visit, because a page that is prefetched and then
/// shown was used once. Within a visit a queued page is not promoted (correlated references: O'Neil, O'Neil and Weikum,
/// "The LRU-K page replacement algorithm for database disk buffering", SIGMOD 1993).
struct LIRSShadow: ShadowPolicy {
    private let capacity: Int64
    // By recency, the oldest in front, which is always a page of low inter-reference recency.
    private var stack = IndexList()
    /// The other resident pages, in the stack or not, the next victim in front.
    private var queue = IndexList()
    /// The pages in the stack that are not resident, in the order of their eviction.
    private var ghosts = IndexList()
    private var lowCount = 0
    private var lowWeight: Int64 = 0
    private var weight: Int64 = 0
    private var visit = SIMD8<Int32>(repeating: -1)
    private var visitEnd = 0

    init(capacity: Int64) { self.capacity = capacity }

    var next: Int? { queue.first ?? stack.first }

    func contains(_ page: Int) -> Bool { queue.contains(page) || isLow(page) }

    func knows(_ page: Int) -> Bool { stack.contains(page) || queue.contains(page) }

    private func isLow(_ page: Int) -> Bool {
        stack.contains(page) && !queue.contains(page) && !ghosts.contains(page)
    }

    mutating func read(_ page: Int, _ pages: WatchedPages, _ gone: inout ContiguousArray<Int>) -> Bool {
        defer {
            visit[visitEnd] = Int32(truncatingIfNeeded: page)
            visitEnd = (visitEnd + 1) % SIMD8<Int32>.scalarCount
        }
        if queue.contains(page) {
            // The same visit.
            if any(visit .== Int32(truncatingIfNeeded: page)) { return true }
            if stack.moveToBack(page) {
                queue.remove(page)
                becameLowRecency(page, pages, &gone)
            } else {
                stack.append(page)
                queue.moveToBack(page)
            }
        } else if isLow(page) {
            let wasOldest = stack.first == page
            stack.moveToBack(page)
            if wasOldest { prune(&gone) }
        } else {
            takeIn(page, pages, &gone)
            return false
        }
        return true
    }

    mutating func reweigh(_ page: Int, by difference: Int64) {
        if contains(page) { weight += difference }
        if isLow(page) { lowWeight += difference }
    }

    private mutating func takeIn(_ page: Int, _ pages: WatchedPages, _ gone: inout ContiguousArray<Int>) {
        let own = pages[page].weight
        while weight > capacity - own, giveUp(pages, &gone) {}
        weight += own
        let wasGhost = ghosts.remove(page)
        stack.append(page)
        if wasGhost || lowWeight <= lowCapacity(beside: own) - own {
            becameLowRecency(page, pages, &gone)
        } else {
            queue.append(page)
        }
    }

    private func lowCapacity(beside weight: Int64) -> Int64 {
        capacity - min(max(capacity / 200, 2 * weight), max(capacity / 2, weight))
    }

    /// Called when the page at the back of the stack has become one of low recency. The deepest ones give way to it.
    private mutating func becameLowRecency(_ page: Int, _ pages: WatchedPages, _ gone: inout ContiguousArray<Int>) {
        lowCount += 1
        lowWeight += pages[page].weight
        prune(&gone)
        let lowCapacity = lowCapacity(beside: pages[page].weight)
        while lowWeight > lowCapacity, let oldest = stack.first, oldest != page {
            endLow(oldest, pages)
            queue.append(oldest)
            prune(&gone)
        }
    }

    private mutating func endLow(_ page: Int, _ pages: WatchedPages) {
        stack.remove(page)
        lowCount -= 1
        lowWeight -= pages[page].weight
    }

    private mutating func prune(_ gone: inout ContiguousArray<Int>) {
        while let oldest = stack.first, !isLow(oldest) {
            stack.remove(oldest)
            if ghosts.remove(oldest) { gone.append(oldest) }
        }
    }

    private mutating func giveUp(_ pages: WatchedPages, _ gone: inout ContiguousArray<Int>) -> Bool {
        guard let page = queue.first ?? stack.first else { return false }
        weight -= pages[page].weight
        gone.append(page)
        guard queue.remove(page) else {
            endLow(page, pages)
            prune(&gone)
            return true
        }
        guard stack.contains(page) else { return true }
        ghosts.append(page)
        // Bounded, because a long scan would fill the stack with pages that are not resident.
        if ghosts.count > 3 * (lowCount + queue.count + 1), let oldest = ghosts.popFirst() {
            stack.remove(oldest)
            gone.append(oldest)
        }
        return true
    }
}
