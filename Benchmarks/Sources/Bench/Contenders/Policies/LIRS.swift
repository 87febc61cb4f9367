/// Jiang and Zhang, "LIRS: an efficient low inter-reference recency set replacement policy", SIGMETRICS 2002: a hundredth
/// for the pages of high recency, a stack without a bound, and a read right after one of the same page is no second one.
struct LIRS: TracePolicy {
    private let capacity: Int
    private let queueCapacity: Int
    private var stack = KeyList()
    private var queue = KeyList()
    private var ghosts = KeyList()
    private var lowCount = 0
    private var last = -1

    init(capacity: Int) {
        self.capacity = capacity
        queueCapacity = max(1, capacity / 100)
    }

    private func isLow(_ key: Int) -> Bool { stack.contains(key) && !queue.contains(key) && !ghosts.contains(key) }

    mutating func read(_ key: Int) -> Bool {
        defer { last = key }
        if queue.contains(key) {
            guard key != last else { return true }
            if stack.contains(key) {
                queue.remove(key)
                stack.append(key)
                makeLow()
            } else {
                stack.append(key)
                queue.append(key)
            }
            return true
        }
        if isLow(key) {
            stack.append(key)
            prune()
            return true
        }
        if lowCount + queue.count >= capacity, let given = queue.popFirst(), stack.contains(given) {
            ghosts.append(given)
        }
        let wasGhost = ghosts.remove(key)
        stack.append(key)
        if wasGhost || lowCount < capacity - queueCapacity { makeLow() } else { queue.append(key) }
        return false
    }

    /// The key at the stack's back is of low recency now, and the one at its front is none any more if there are too many.
    private mutating func makeLow() {
        lowCount += 1
        prune()
        guard lowCount > capacity - queueCapacity, let oldest = stack.popFirst() else { return }
        lowCount -= 1
        queue.append(oldest)
        prune()
    }

    private mutating func prune() {
        while let oldest = stack.first, !isLow(oldest) {
            stack.remove(oldest)
            ghosts.remove(oldest)
        }
    }
}
