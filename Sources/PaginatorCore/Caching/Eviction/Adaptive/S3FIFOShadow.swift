/// S3-FIFO, watched: a small queue that most new pages do not survive, in front of a large one (Yang, Zhang, Qiu, Yue
/// and Rashmi, "FIFO queues are all you need for cache eviction", SOSP 2023).
struct S3FIFOShadow: ShadowPolicy {
    /// Where a page is.
    enum State: UInt8, Sendable {
        case unknown, small, main
        /// Not here, but remembered: the small queue gave it up.
        case ghost
    }

    private let capacity: Int
    private let smallCapacity: Int
    private var small = ShadowList(place: 3)
    private var main = ShadowList(place: 3)
    private var ghosts = ShadowList(place: 3)
    private var smallWeight = 0
    private var mainWeight = 0

    init(capacity: Int) {
        self.capacity = capacity
        smallCapacity = max(1, capacity / 10)
    }

    var next: Int? { smallWeight >= smallCapacity ? small.first ?? main.first : main.first ?? small.first }

    @inline(__always)
    func contains(_ page: Int, _ nodes: ShadowNodes.Memory) -> Bool {
        let state = nodes[page].s3fifo
        return state == .small || state == .main
    }

    @inline(__always)
    func knows(_ page: Int, _ nodes: ShadowNodes.Memory) -> Bool { nodes[page].s3fifo != .unknown }

    @inline(__always)
    mutating func read(_ page: Int, _ nodes: ShadowNodes.Memory, _ gone: inout ContiguousArray<Int>) {
        if contains(page, nodes) {
            nodes[page].s3fifoUses = min(3, nodes[page].s3fifoUses + 1)
            return
        }
        let own = nodes.pages[page].weight
        let wasGivenUp = nodes[page].s3fifo == .ghost
        if wasGivenUp { ghosts.remove(page, nodes) }
        while smallWeight + mainWeight > capacity - own, giveUp(nodes, &gone) {}
        nodes[page].s3fifoUses = 0
        if wasGivenUp {
            main.append(page, nodes)
            mainWeight += own
            nodes[page].s3fifo = .main
        } else {
            small.append(page, nodes)
            smallWeight += own
            nodes[page].s3fifo = .small
        }
    }

    mutating func reweigh(_ page: Int, by difference: Int, _ nodes: ShadowNodes.Memory) {
        switch nodes[page].s3fifo {
        case .small: smallWeight += difference
        case .main: mainWeight += difference
        case .unknown, .ghost: break
        }
    }

    /// Gives one page up, after those that earned another round; false when there is none.
    private mutating func giveUp(_ nodes: ShadowNodes.Memory, _ gone: inout ContiguousArray<Int>) -> Bool {
        while smallWeight >= smallCapacity || main.first == nil, let page = small.first {
            small.remove(page, nodes)
            smallWeight -= nodes.pages[page].weight
            guard nodes[page].s3fifoUses > 1 else {
                remember(page, nodes, &gone)
                return true
            }
            nodes[page].s3fifoUses = 0
            nodes[page].s3fifo = .main
            main.append(page, nodes)
            mainWeight += nodes.pages[page].weight
        }
        while let page = main.first {
            guard nodes[page].s3fifoUses > 0 else {
                main.remove(page, nodes)
                mainWeight -= nodes.pages[page].weight
                nodes[page].s3fifo = .unknown
                gone.append(page)
                return true
            }
            nodes[page].s3fifoUses -= 1
            main.moveToBack(page, nodes)
        }
        return false
    }

    private mutating func remember(_ page: Int, _ nodes: ShadowNodes.Memory, _ gone: inout ContiguousArray<Int>) {
        gone.append(page)
        ghosts.append(page, nodes)
        nodes[page].s3fifo = .ghost
        if ghosts.count > small.count + main.count + 1, let oldest = ghosts.first {
            ghosts.remove(oldest, nodes)
            nodes[oldest].s3fifo = .unknown
            gone.append(oldest)
        }
    }
}
