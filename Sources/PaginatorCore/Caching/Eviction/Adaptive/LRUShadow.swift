/// Least recently used, watched.
struct LRUShadow: ShadowPolicy {
    private let capacity: Int
    private var recent = WatchedList(place: 0)
    private var weight = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The number of pages that would be here.
    var count: Int { recent.count }

    var next: Int? { recent.first }

    func contains(_ page: Int, _ pages: WatchedPages) -> Bool { pages[page].isRecent }

    func knows(_ page: Int, _ pages: WatchedPages) -> Bool { pages[page].isRecent }

    mutating func read(_ page: Int, _ pages: inout WatchedPages, _ gone: inout ContiguousArray<Int>) {
        if pages[page].isRecent {
            pages.moveToBack(page, of: &recent)
            return
        }
        let own = pages[page].weight
        while weight > capacity - own, let oldest = recent.first {
            pages.remove(oldest, from: &recent)
            pages[oldest].isRecent = false
            weight -= pages[oldest].weight
            gone.append(oldest)
        }
        pages.append(page, to: &recent)
        pages[page].isRecent = true
        weight += own
    }

    mutating func reweigh(_ page: Int, by difference: Int, _ pages: WatchedPages) {
        if contains(page, pages) { weight += difference }
    }
}
