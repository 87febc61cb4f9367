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
    private var stack = ShadowList(place: 1)
    /// The other pages here, the next one to go in front.
    private var queue = ShadowList(place: 2)
    /// The pages in the stack that are not here, in the order in which they went.
    private var ghosts = ShadowList(place: 2)
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

    @inline(__always)
    func contains(_ page: Int, _ nodes: ShadowNodes.Memory) -> Bool {
        let state = nodes[page].lirs
        return state == .low || state == .queued
    }

    @inline(__always)
    func knows(_ page: Int, _ nodes: ShadowNodes.Memory) -> Bool { nodes[page].lirs != .unknown }

    @inline(__always)
    mutating func read(_ page: Int, _ nodes: ShadowNodes.Memory, _ gone: inout ContiguousArray<Int>) {
        defer {
            visit[visitEnd] = Int32(truncatingIfNeeded: page)
            visitEnd = (visitEnd + 1) % SIMD8<Int32>.scalarCount
        }
        switch nodes[page].lirs {
        case .low:
            let wasOldest = stack.first == page
            stack.moveToBack(page, nodes)
            if wasOldest { prune(nodes, &gone) }
        case .queued where any(visit .== Int32(truncatingIfNeeded: page)):
            break
        case .queued:
            if stack.contains(page, nodes) {
                queue.remove(page, nodes)
                stack.moveToBack(page, nodes)
                makeLow(page, nodes, &gone)
            } else {
                stack.append(page, nodes)
                queue.moveToBack(page, nodes)
            }
        case .unknown, .ghost:
            takeIn(page, nodes, &gone)
        }
    }

    mutating func reweigh(_ page: Int, by difference: Int, _ nodes: ShadowNodes.Memory) {
        guard contains(page, nodes) else { return }
        weight += difference
        if nodes[page].lirs == .low { lowWeight += difference }
    }

    private mutating func takeIn(_ page: Int, _ nodes: ShadowNodes.Memory, _ gone: inout ContiguousArray<Int>) {
        let own = nodes.pages[page].weight
        while weight > capacity - own, giveUp(nodes, &gone) {}
        weight += own
        if nodes[page].lirs == .ghost {
            ghosts.remove(page, nodes)
            stack.moveToBack(page, nodes)
            makeLow(page, nodes, &gone)
        } else if lowWeight <= lowCapacity(beside: own) - own {
            stack.append(page, nodes)
            makeLow(page, nodes, &gone)
        } else {
            stack.append(page, nodes)
            queue.append(page, nodes)
            nodes[page].lirs = .queued
        }
    }

    /// How much the pages of low recency may weigh, when pages are about as heavy as this.
    @inline(__always)
    private func lowCapacity(beside weight: Int) -> Int {
        capacity - (queueCapacity == 0 ? 0 : max(queueCapacity, weight))
    }

    /// The page is in the stack. Those that lie deepest there make room for it.
    private mutating func makeLow(_ page: Int, _ nodes: ShadowNodes.Memory, _ gone: inout ContiguousArray<Int>) {
        nodes[page].lirs = .low
        lowCount += 1
        lowWeight += nodes.pages[page].weight
        prune(nodes, &gone)
        let lowCapacity = lowCapacity(beside: nodes.pages[page].weight)
        while lowWeight > lowCapacity, let oldest = stack.first, oldest != page {
            endLow(oldest, nodes)
            queue.append(oldest, nodes)
            nodes[oldest].lirs = .queued
            prune(nodes, &gone)
        }
    }

    /// Takes a page of low recency out of the stack.
    private mutating func endLow(_ page: Int, _ nodes: ShadowNodes.Memory) {
        stack.remove(page, nodes)
        nodes[page].lirs = .unknown
        lowCount -= 1
        lowWeight -= nodes.pages[page].weight
    }

    /// Restores the rule on the front of the stack.
    private mutating func prune(_ nodes: ShadowNodes.Memory, _ gone: inout ContiguousArray<Int>) {
        while let oldest = stack.first, nodes[oldest].lirs != .low {
            if nodes[oldest].lirs == .ghost {
                forgetGhost(oldest, nodes, &gone)
            } else {
                stack.remove(oldest, nodes)
            }
        }
    }

    private mutating func forgetGhost(_ page: Int, _ nodes: ShadowNodes.Memory, _ gone: inout ContiguousArray<Int>) {
        ghosts.remove(page, nodes)
        stack.remove(page, nodes)
        nodes[page].lirs = .unknown
        gone.append(page)
    }

    /// Gives one page up; false when there is none.
    private mutating func giveUp(_ nodes: ShadowNodes.Memory, _ gone: inout ContiguousArray<Int>) -> Bool {
        guard let page = queue.first else { return giveUpLow(nodes, &gone) }
        queue.remove(page, nodes)
        weight -= nodes.pages[page].weight
        gone.append(page)
        guard stack.contains(page, nodes) else {
            nodes[page].lirs = .unknown
            return true
        }
        ghosts.append(page, nodes)
        nodes[page].lirs = .ghost
        if ghosts.count > 2 * (lowCount + queue.count + 1), let oldest = ghosts.first {
            forgetGhost(oldest, nodes, &gone)
        }
        return true
    }

    private mutating func giveUpLow(_ nodes: ShadowNodes.Memory, _ gone: inout ContiguousArray<Int>) -> Bool {
        guard let page = stack.first else { return false }
        endLow(page, nodes)
        weight -= nodes.pages[page].weight
        gone.append(page)
        prune(nodes, &gone)
        return true
    }
}
