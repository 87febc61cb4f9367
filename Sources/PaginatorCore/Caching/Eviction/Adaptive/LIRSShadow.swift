/// LIRS, watched: it keeps the pages whose last two reads lay close together, which is what makes it good at loops
/// (Jiang and Zhang, "LIRS: an efficient low inter-reference recency set replacement policy", SIGMETRICS 2002).
///
/// Pages of low inter-reference recency fill all but a hundredth of the capacity; the others pass through a queue.
///
/// Reads of a page within a few reads of each other are one visit: a page that is read ahead and then shown was not wanted
/// twice. Inside a visit nothing is learned of a page in the queue (correlated references: O'Neil, O'Neil and Weikum, "The
/// LRU-K page replacement algorithm for database disk buffering", SIGMOD 1993).
struct LIRSShadow: ShadowPolicy {
    /// What the policy knows of a page.
    enum State: UInt8, Sendable {
        case unknown
        /// Here, of low inter-reference recency.
        case low
        /// Here, in the queue.
        case queued
        /// Not here, but in the stack.
        case ghost
    }

    private let capacity: Int
    /// What is left for the queue, where one page always finds room.
    private let queueCapacity: Int
    /// By recency, the oldest in front, which is always a page of low inter-reference recency.
    private var stack = WatchedList(place: 1)
    /// The other pages here, the next one to go in front.
    private var queue = WatchedList(place: 2)
    /// The pages in the stack that are not here, in the order in which they went.
    private var ghosts = WatchedList(place: 2)
    private var lowCount = 0
    private var lowWeight = 0
    private var weight = 0
    /// The pages read last, in a ring.
    private var visit = SIMD8<Int32>(repeating: -1)
    private var visitEnd = 0

    init(capacity: Int) {
        self.capacity = capacity
        queueCapacity = capacity > 1 ? max(1, capacity / 100) : 0
    }

    var next: Int? { queue.first ?? stack.first }

    func contains(_ page: Int, _ pages: WatchedPages) -> Bool {
        let state = pages[page].lirs
        return state == .low || state == .queued
    }

    func knows(_ page: Int, _ pages: WatchedPages) -> Bool { pages[page].lirs != .unknown }

    mutating func read(_ page: Int, _ pages: inout WatchedPages, _ gone: inout ContiguousArray<Int>) {
        defer {
            visit[visitEnd] = Int32(truncatingIfNeeded: page)
            visitEnd = (visitEnd + 1) % SIMD8<Int32>.scalarCount
        }
        switch pages[page].lirs {
        case .low:
            let wasOldest = stack.first == page
            pages.moveToBack(page, of: &stack)
            if wasOldest { prune(&pages, &gone) }
        case .queued where any(visit .== Int32(truncatingIfNeeded: page)):
            break
        case .queued:
            if pages.contains(page, in: stack) {
                pages.remove(page, from: &queue)
                pages.moveToBack(page, of: &stack)
                makeLow(page, &pages, &gone)
            } else {
                pages.append(page, to: &stack)
                pages.moveToBack(page, of: &queue)
            }
        case .unknown, .ghost:
            takeIn(page, &pages, &gone)
        }
    }

    mutating func reweigh(_ page: Int, by difference: Int, _ pages: WatchedPages) {
        guard contains(page, pages) else { return }
        weight += difference
        if pages[page].lirs == .low { lowWeight += difference }
    }

    private mutating func takeIn(_ page: Int, _ pages: inout WatchedPages, _ gone: inout ContiguousArray<Int>) {
        let own = pages[page].weight
        while weight > capacity - own, giveUp(&pages, &gone) {}
        weight += own
        if pages[page].lirs == .ghost {
            pages.remove(page, from: &ghosts)
            pages.moveToBack(page, of: &stack)
            makeLow(page, &pages, &gone)
        } else if lowWeight <= lowCapacity(beside: own) - own {
            pages.append(page, to: &stack)
            makeLow(page, &pages, &gone)
        } else {
            pages.append(page, to: &stack)
            pages.append(page, to: &queue)
            pages[page].lirs = .queued
        }
    }

    /// How much the pages of low recency may weigh, when pages are about as heavy as this.
    private func lowCapacity(beside weight: Int) -> Int {
        capacity - (queueCapacity == 0 ? 0 : max(queueCapacity, weight))
    }

    /// The page is in the stack. Those that lie deepest there make room for it.
    private mutating func makeLow(_ page: Int, _ pages: inout WatchedPages, _ gone: inout ContiguousArray<Int>) {
        pages[page].lirs = .low
        lowCount += 1
        lowWeight += pages[page].weight
        prune(&pages, &gone)
        let lowCapacity = lowCapacity(beside: pages[page].weight)
        while lowWeight > lowCapacity, let oldest = stack.first, oldest != page {
            endLow(oldest, &pages)
            pages.append(oldest, to: &queue)
            pages[oldest].lirs = .queued
            prune(&pages, &gone)
        }
    }

    /// Takes a page of low recency out of the stack.
    private mutating func endLow(_ page: Int, _ pages: inout WatchedPages) {
        pages.remove(page, from: &stack)
        pages[page].lirs = .unknown
        lowCount -= 1
        lowWeight -= pages[page].weight
    }

    /// Restores the rule on the front of the stack.
    private mutating func prune(_ pages: inout WatchedPages, _ gone: inout ContiguousArray<Int>) {
        while let oldest = stack.first, pages[oldest].lirs != .low {
            if pages[oldest].lirs == .ghost {
                forgetGhost(oldest, &pages, &gone)
            } else {
                pages.remove(oldest, from: &stack)
            }
        }
    }

    private mutating func forgetGhost(_ page: Int, _ pages: inout WatchedPages, _ gone: inout ContiguousArray<Int>) {
        pages.remove(page, from: &ghosts)
        pages.remove(page, from: &stack)
        pages[page].lirs = .unknown
        gone.append(page)
    }

    /// Gives one page up; false when there is none.
    private mutating func giveUp(_ pages: inout WatchedPages, _ gone: inout ContiguousArray<Int>) -> Bool {
        guard let page = queue.first else { return giveUpLow(&pages, &gone) }
        pages.remove(page, from: &queue)
        weight -= pages[page].weight
        gone.append(page)
        guard pages.contains(page, in: stack) else {
            pages[page].lirs = .unknown
            return true
        }
        pages.append(page, to: &ghosts)
        pages[page].lirs = .ghost
        if ghosts.count > 2 * (lowCount + queue.count + 1), let oldest = ghosts.first {
            forgetGhost(oldest, &pages, &gone)
        }
        return true
    }

    private mutating func giveUpLow(_ pages: inout WatchedPages, _ gone: inout ContiguousArray<Int>) -> Bool {
        guard let page = stack.first else { return false }
        endLow(page, &pages)
        weight -= pages[page].weight
        gone.append(page)
        prune(&pages, &gone)
        return true
    }
}
