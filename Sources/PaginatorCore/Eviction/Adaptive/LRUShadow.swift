/// Least recently used, watched.
struct LRUShadow: ShadowPolicy {
    private let capacity: Int
    private var pages = HandleList()
    private var weight = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The number of pages that would be here.
    var count: Int { pages.count }

    var next: PageHandle? { pages.first }

    @inline(__always)
    func contains(_ page: PageHandle) -> Bool { pages.contains(page) }

    @inline(__always)
    func knows(_ page: PageHandle) -> Bool { pages.contains(page) }

    mutating func read(
        _ page: PageHandle, _ weights: ContiguousArray<Int>, _ gone: inout ContiguousArray<PageHandle>
    ) -> Bool {
        if pages.contains(page) {
            pages.moveToBack(page)
            return true
        }
        while weight > capacity - weights[page.index], let oldest = pages.first {
            pages.remove(oldest)
            weight -= weights[oldest.index]
            gone.append(oldest)
        }
        pages.append(page)
        weight += weights[page.index]
        return false
    }

    mutating func reweigh(_ page: PageHandle, by difference: Int) {
        if contains(page) { weight += difference }
    }
}
