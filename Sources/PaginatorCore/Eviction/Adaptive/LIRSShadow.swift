/// LIRS, watched: it keeps the pages whose last two reads lay close together, which is what makes it good at loops
/// (Jiang and Zhang, "LIRS: an efficient low inter-reference recency set replacement policy", SIGMETRICS 2002).
///
/// Pages of low inter-reference recency fill all but a hundredth of the capacity; the others pass through a queue.
struct LIRSShadow: ShadowPolicy {
    private let capacity: Int
    /// What is left for the queue, where one page always finds room.
    private let queueCapacity: Int
    /// By recency, the oldest in front, which is always a page of low inter-reference recency.
    private var stack = HandleList()
    /// The other pages here, the next one to go in front.
    private var queue = HandleList()
    /// The pages in the stack that are not here, in the order in which they went.
    private var ghosts = HandleList()
    private var isLow: ContiguousArray<Bool> = []
    private var lowCount = 0
    private var lowWeight = 0
    private var weight = 0

    init(capacity: Int) {
        self.capacity = capacity
        queueCapacity = capacity > 1 ? max(1, capacity / 100) : 0
    }

    var next: PageHandle? { queue.first ?? stack.first }

    @inline(__always)
    func contains(_ page: PageHandle) -> Bool { isLow(page) || queue.contains(page) }

    @inline(__always)
    func knows(_ page: PageHandle) -> Bool { contains(page) || ghosts.contains(page) }

    mutating func read(
        _ page: PageHandle, _ weights: ContiguousArray<Int>, _ gone: inout ContiguousArray<PageHandle>
    ) -> Bool {
        if isLow(page) {
            let wasOldest = stack.first == page
            stack.moveToBack(page)
            if wasOldest { prune(&gone) }
            return true
        }
        if queue.contains(page) {
            if stack.contains(page) {
                queue.remove(page)
                stack.moveToBack(page)
                makeLow(page, weights, &gone)
            } else {
                stack.append(page)
                queue.moveToBack(page)
            }
            return true
        }
        let own = weights[page.index]
        while weight > capacity - own, giveUp(weights, &gone) {}
        weight += own
        if ghosts.contains(page) {
            ghosts.remove(page)
            stack.moveToBack(page)
            makeLow(page, weights, &gone)
        } else if lowWeight <= lowCapacity(beside: own) - own {
            stack.append(page)
            makeLow(page, weights, &gone)
        } else {
            stack.append(page)
            queue.append(page)
        }
        return false
    }

    mutating func reweigh(_ page: PageHandle, by difference: Int) {
        guard contains(page) else { return }
        weight += difference
        if isLow(page) { lowWeight += difference }
    }

    @inline(__always)
    private func isLow(_ page: PageHandle) -> Bool { page.index < isLow.count && isLow[page.index] }

    /// How much the pages of low recency may weigh, when pages are about as heavy as this.
    @inline(__always)
    private func lowCapacity(beside weight: Int) -> Int {
        capacity - (queueCapacity == 0 ? 0 : max(queueCapacity, weight))
    }

    /// The page is in the stack. Those that lie deepest there make room for it.
    private mutating func makeLow(
        _ page: PageHandle, _ weights: ContiguousArray<Int>, _ gone: inout ContiguousArray<PageHandle>
    ) {
        isLow.set(true, at: page.index, filler: false)
        lowCount += 1
        lowWeight += weights[page.index]
        prune(&gone)
        let lowCapacity = lowCapacity(beside: weights[page.index])
        while lowWeight > lowCapacity, let oldest = stack.first, oldest != page {
            endLow(oldest, weights)
            queue.append(oldest)
            prune(&gone)
        }
    }

    /// Takes a page of low recency out of the stack.
    private mutating func endLow(_ page: PageHandle, _ weights: ContiguousArray<Int>) {
        stack.remove(page)
        isLow[page.index] = false
        lowCount -= 1
        lowWeight -= weights[page.index]
    }

    /// Restores the rule on the front of the stack.
    private mutating func prune(_ gone: inout ContiguousArray<PageHandle>) {
        while let oldest = stack.first, !isLow(oldest) {
            stack.remove(oldest)
            guard ghosts.contains(oldest) else { continue }
            ghosts.remove(oldest)
            gone.append(oldest)
        }
    }

    private mutating func giveUp(
        _ weights: ContiguousArray<Int>, _ gone: inout ContiguousArray<PageHandle>
    ) -> Bool {
        guard let page = queue.first else { return giveUpLow(weights, &gone) }
        queue.remove(page)
        weight -= weights[page.index]
        gone.append(page)
        guard stack.contains(page) else { return true }
        ghosts.append(page)
        if ghosts.count > 2 * (lowCount + queue.count + 1), let oldest = ghosts.first {
            ghosts.remove(oldest)
            stack.remove(oldest)
            gone.append(oldest)
        }
        return true
    }

    private mutating func giveUpLow(
        _ weights: ContiguousArray<Int>, _ gone: inout ContiguousArray<PageHandle>
    ) -> Bool {
        guard let page = stack.first else { return false }
        endLow(page, weights)
        weight -= weights[page.index]
        gone.append(page)
        prune(&gone)
        return true
    }
}
