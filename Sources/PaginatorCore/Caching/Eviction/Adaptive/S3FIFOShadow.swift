/// S3-FIFO, simulated: a small queue that most new pages do not survive, in front of a large one (Yang, Zhang, Qiu, Yue
/// and Rashmi, "FIFO queues are all you need for cache eviction", SOSP 2023). Reads in the newer half of the small
/// queue do not count, because they belong to the visit that inserted the page (Clock2Q+, arXiv 2511.21958).
struct S3FIFOShadow: ShadowPolicy {
    private let capacity: Int64
    private let smallCapacity: Int64
    private var small = IndexList()
    private var main = IndexList()
    // Remembered pages that are not resident, because they were evicted from the small queue.
    private var ghosts = IndexList()
    private var smallWeight: Int64 = 0
    private var mainWeight: Int64 = 0
    private var arrived: Int64 = 0
    /// The reads of each page since its insertion or last round, at most 3; and the weight that had arrived before it.
    private var notes: ContiguousArray<(uses: UInt8, arrival: Int64)> = []

    init(capacity: Int64) {
        self.capacity = capacity
        smallCapacity = max(1, capacity / 10)
    }

    var next: Int? { givesUpSmall ? small.first ?? main.first : main.first ?? small.first }

    func contains(_ page: Int) -> Bool { main.contains(page) || small.contains(page) }

    func knows(_ page: Int) -> Bool { contains(page) || ghosts.contains(page) }

    mutating func read(_ page: Int, _ pages: WatchedPages, _ gone: inout ContiguousArray<Int>) -> Bool {
        if contains(page) {
            // An earlier read belongs to the visit that inserted the page.
            if main.contains(page) || (arrived &- notes[page].arrival) * 2 >= smallCapacity {
                notes[page].uses = min(3, notes[page].uses + 1)
            }
            return true
        }
        let own = pages[page].weight
        let wasGivenUp = ghosts.remove(page)
        while smallWeight + mainWeight > capacity - own, giveUp(pages, &gone) {}
        while notes.count <= page { notes.append((0, 0)) }
        if wasGivenUp {
            main.append(page)
            mainWeight += own
        } else {
            small.append(page)
            smallWeight += own
            arrived &+= own
        }
        notes[page] = (0, arrived)
        return false
    }

    mutating func reweigh(_ page: Int, by difference: Int64) {
        if small.contains(page) { smallWeight += difference }
        if main.contains(page) { mainWeight += difference }
    }

    private var givesUpSmall: Bool { smallWeight >= smallCapacity }

    private mutating func giveUp(_ pages: WatchedPages, _ gone: inout ContiguousArray<Int>) -> Bool {
        while givesUpSmall || main.first == nil, let page = small.popFirst() {
            smallWeight -= pages[page].weight
            // A page that was read again in the small queue moves to the large one.
            guard notes[page].uses > 0 else {
                remember(page, &gone)
                return true
            }
            notes[page].uses = 0
            main.append(page)
            mainWeight += pages[page].weight
        }
        while let page = main.first {
            guard notes[page].uses > 0 else {
                main.remove(page)
                mainWeight -= pages[page].weight
                gone.append(page)
                return true
            }
            notes[page].uses -= 1
            main.moveToBack(page)
        }
        return false
    }

    private mutating func remember(_ page: Int, _ gone: inout ContiguousArray<Int>) {
        gone.append(page)
        ghosts.append(page)
        guard ghosts.count > small.count + main.count + 1, let oldest = ghosts.popFirst() else { return }
        gone.append(oldest)
    }
}
