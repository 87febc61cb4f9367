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
    private var small = WatchedList(place: 3)
    private var main = WatchedList(place: 3)
    private var ghosts = WatchedList(place: 3)
    private var smallWeight = 0
    private var mainWeight = 0

    init(capacity: Int) {
        self.capacity = capacity
        smallCapacity = max(1, capacity / 10)
    }

    var next: Int? { smallWeight >= smallCapacity ? small.first ?? main.first : main.first ?? small.first }

    func contains(_ page: Int, _ pages: WatchedPages) -> Bool {
        let state = pages[page].s3fifo
        return state == .small || state == .main
    }

    func knows(_ page: Int, _ pages: WatchedPages) -> Bool { pages[page].s3fifo != .unknown }

    mutating func read(_ page: Int, _ pages: inout WatchedPages, _ gone: inout ContiguousArray<Int>) {
        if contains(page, pages) {
            pages[page].s3fifoUses = min(3, pages[page].s3fifoUses + 1)
            return
        }
        let own = pages[page].weight
        let wasGivenUp = pages[page].s3fifo == .ghost
        if wasGivenUp { pages.remove(page, from: &ghosts) }
        while smallWeight + mainWeight > capacity - own, giveUp(&pages, &gone) {}
        pages[page].s3fifoUses = 0
        if wasGivenUp {
            pages.append(page, to: &main)
            mainWeight += own
            pages[page].s3fifo = .main
        } else {
            pages.append(page, to: &small)
            smallWeight += own
            pages[page].s3fifo = .small
        }
    }

    mutating func reweigh(_ page: Int, by difference: Int, _ pages: WatchedPages) {
        switch pages[page].s3fifo {
        case .small: smallWeight += difference
        case .main: mainWeight += difference
        case .unknown, .ghost: break
        }
    }

    /// Gives one page up, after those that earned another round; false when there is none.
    private mutating func giveUp(_ pages: inout WatchedPages, _ gone: inout ContiguousArray<Int>) -> Bool {
        while smallWeight >= smallCapacity || main.first == nil, let page = small.first {
            pages.remove(page, from: &small)
            smallWeight -= pages[page].weight
            guard pages[page].s3fifoUses > 1 else {
                remember(page, &pages, &gone)
                return true
            }
            pages[page].s3fifoUses = 0
            pages[page].s3fifo = .main
            pages.append(page, to: &main)
            mainWeight += pages[page].weight
        }
        while let page = main.first {
            guard pages[page].s3fifoUses > 0 else {
                pages.remove(page, from: &main)
                mainWeight -= pages[page].weight
                pages[page].s3fifo = .unknown
                gone.append(page)
                return true
            }
            pages[page].s3fifoUses -= 1
            pages.moveToBack(page, of: &main)
        }
        return false
    }

    private mutating func remember(_ page: Int, _ pages: inout WatchedPages, _ gone: inout ContiguousArray<Int>) {
        gone.append(page)
        pages.append(page, to: &ghosts)
        pages[page].s3fifo = .ghost
        if ghosts.count > small.count + main.count + 1, let oldest = ghosts.first {
            pages.remove(oldest, from: &ghosts)
            pages[oldest].s3fifo = .unknown
            gone.append(oldest)
        }
    }
}
