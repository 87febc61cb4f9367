/// S3-FIFO, watched: a small queue that most new pages do not survive, in front of a large one (Yang, Zhang, Qiu, Yue
/// and Rashmi, "FIFO queues are all you need for cache eviction", SOSP 2023).
struct S3FIFOShadow: ShadowPolicy {
    private let capacity: Int
    private let smallCapacity: Int
    private var small = HandleList()
    private var main = HandleList()
    /// Pages that the small queue gave up.
    private var ghosts = HandleList()
    private var uses: ContiguousArray<UInt8> = []
    private var smallWeight = 0
    private var mainWeight = 0

    init(capacity: Int) {
        self.capacity = capacity
        smallCapacity = max(1, capacity / 10)
    }

    var next: PageHandle? { smallWeight >= smallCapacity ? small.first ?? main.first : main.first ?? small.first }

    @inline(__always)
    func contains(_ page: PageHandle) -> Bool { small.contains(page) || main.contains(page) }

    @inline(__always)
    func knows(_ page: PageHandle) -> Bool { contains(page) || ghosts.contains(page) }

    mutating func read(
        _ page: PageHandle, _ weights: ContiguousArray<Int>, _ gone: inout ContiguousArray<PageHandle>
    ) -> Bool {
        if contains(page) {
            uses[page.index] = min(3, uses[page.index] + 1)
            return true
        }
        let own = weights[page.index]
        let wasGivenUp = ghosts.contains(page)
        ghosts.remove(page)
        while smallWeight + mainWeight > capacity - own, giveUp(weights, &gone) {}
        uses.set(0, at: page.index, filler: 0)
        if wasGivenUp {
            main.append(page)
            mainWeight += own
        } else {
            small.append(page)
            smallWeight += own
        }
        return false
    }

    mutating func reweigh(_ page: PageHandle, by difference: Int) {
        if small.contains(page) { smallWeight += difference }
        if main.contains(page) { mainWeight += difference }
    }

    /// Gives one page up, after those that earned another round; false when there is none.
    private mutating func giveUp(
        _ weights: ContiguousArray<Int>, _ gone: inout ContiguousArray<PageHandle>
    ) -> Bool {
        while smallWeight >= smallCapacity || main.first == nil, let page = small.first {
            small.remove(page)
            smallWeight -= weights[page.index]
            guard uses[page.index] > 1 else {
                remember(page, &gone)
                return true
            }
            uses[page.index] = 0
            main.append(page)
            mainWeight += weights[page.index]
        }
        while let page = main.first {
            guard uses[page.index] > 0 else {
                main.remove(page)
                mainWeight -= weights[page.index]
                gone.append(page)
                return true
            }
            uses[page.index] -= 1
            main.moveToBack(page)
        }
        return false
    }

    private mutating func remember(_ page: PageHandle, _ gone: inout ContiguousArray<PageHandle>) {
        gone.append(page)
        ghosts.append(page)
        if ghosts.count > small.count + main.count + 1, let oldest = ghosts.first {
            ghosts.remove(oldest)
            gone.append(oldest)
        }
    }
}
