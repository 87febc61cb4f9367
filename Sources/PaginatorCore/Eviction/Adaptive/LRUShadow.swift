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
    func contains(_ page: Int, _ nodes: ShadowNodes.Memory) -> Bool { pages.contains(page, nodes) }

    @inline(__always)
    func knows(_ page: Int, _ nodes: ShadowNodes.Memory) -> Bool { pages.contains(page, nodes) }

    mutating func read(_ page: Int, _ nodes: ShadowNodes.Memory, _ gone: inout ContiguousArray<Int>) -> Bool {
        if pages.contains(page, nodes) {
            pages.moveToBack(page, nodes)
            return true
        }
        let own = nodes.pages[page].weight
        while weight > capacity - own, let oldest = pages.first {
            pages.remove(oldest, nodes)
            weight -= nodes.pages[oldest].weight
            gone.append(oldest)
        }
        pages.append(page, nodes)
        weight += own
        return false
    }

    mutating func reweigh(_ page: Int, by difference: Int, _ nodes: ShadowNodes.Memory) {
        if contains(page, nodes) { weight += difference }
    }
}
