/// Least recently used, watched.
struct LRUShadow: ShadowPolicy {
    private let capacity: Int
    private var pages = ShadowList(place: 0)
    private var weight = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The number of pages that would be here.
    var count: Int { pages.count }

    var next: Int? { pages.first }

    @inline(__always)
    func contains(_ page: Int, _ nodes: ShadowNodes.Memory) -> Bool { nodes[page].isRecent }

    @inline(__always)
    func knows(_ page: Int, _ nodes: ShadowNodes.Memory) -> Bool { nodes[page].isRecent }

    @inline(__always)
    mutating func read(_ page: Int, _ nodes: ShadowNodes.Memory, _ gone: inout ContiguousArray<Int>) {
        if nodes[page].isRecent {
            pages.moveToBack(page, nodes)
            return
        }
        let own = nodes.pages[page].weight
        while weight > capacity - own, let oldest = pages.first {
            pages.remove(oldest, nodes)
            nodes[oldest].isRecent = false
            weight -= nodes.pages[oldest].weight
            gone.append(oldest)
        }
        pages.append(page, nodes)
        nodes[page].isRecent = true
        weight += own
    }

    mutating func reweigh(_ page: Int, by difference: Int, _ nodes: ShadowNodes.Memory) {
        if contains(page, nodes) { weight += difference }
    }
}
