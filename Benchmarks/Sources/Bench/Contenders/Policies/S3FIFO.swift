/// Yang, Zhang, Qiu, Yue and Rashmi, "FIFO queues are all you need for cache eviction", SOSP 2023: a tenth for the small
/// queue, as many ghosts as the main queue has pages.
struct S3FIFO: TracePolicy {
    private let capacity: Int
    private let smallCapacity: Int
    private var small = KeyList()
    private var main = KeyList()
    private var ghosts = KeyList()
    private var uses = KeyNumbers()

    init(capacity: Int) {
        self.capacity = capacity
        smallCapacity = max(1, capacity / 10)
    }

    private var mainCapacity: Int { capacity - smallCapacity }

    mutating func read(_ key: Int) -> Bool {
        if small.contains(key) || main.contains(key) {
            uses[key] = min(3, uses[key] + 1)
            return true
        }
        while small.count + main.count >= capacity {
            if small.count >= smallCapacity || main.count == 0 { evictFromSmall() } else { evictFromMain() }
        }
        uses[key] = 0
        if ghosts.remove(key) { main.append(key) } else { small.append(key) }
        return false
    }

    private mutating func evictFromSmall() {
        while let key = small.popFirst() {
            guard uses[key] > 1 else {
                ghosts.append(key)
                while ghosts.count > mainCapacity { _ = ghosts.popFirst() }
                return
            }
            uses[key] = 0
            main.append(key)
            if main.count > mainCapacity { return evictFromMain() }
        }
        evictFromMain()
    }

    private mutating func evictFromMain() {
        while let key = main.first {
            guard uses[key] > 0 else {
                main.remove(key)
                return
            }
            uses[key] -= 1
            main.append(key)
        }
    }
}
