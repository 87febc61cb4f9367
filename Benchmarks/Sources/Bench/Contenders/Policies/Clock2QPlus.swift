/// Zhai and others, "Clock2Q+: a simple and efficient replacement algorithm for metadata cache in VMware vSAN",
/// arXiv 2511.21958: a tenth for the small queue, half of which is the correlation window, where a read leaves no mark;
/// a clock for the rest; as many ghosts as half of the capacity.
struct Clock2QPlus: TracePolicy {
    private let capacity: Int
    private let smallCapacity: Int
    private let ghostCapacity: Int
    private var small = KeyList()
    private var clock = KeyList()
    private var ghosts = KeyList()
    private var marks = KeyNumbers()
    private var arrivals = KeyNumbers()
    private var arrived = 0

    init(capacity: Int) {
        self.capacity = capacity
        smallCapacity = max(1, capacity / 10)
        ghostCapacity = max(1, capacity / 2)
    }

    mutating func read(_ key: Int) -> Bool {
        if clock.contains(key) {
            marks[key] = 1
            return true
        }
        if small.contains(key) {
            if 2 * (arrived - arrivals[key]) >= smallCapacity { marks[key] = 1 }
            return true
        }
        let wasGhost = ghosts.remove(key)
        while small.count + clock.count >= capacity { evict() }
        marks[key] = 0
        if wasGhost {
            clock.append(key)
        } else {
            small.append(key)
            arrived += 1
            arrivals[key] = arrived
        }
        return false
    }

    private mutating func evict() {
        while small.count >= smallCapacity || clock.count == 0, let key = small.popFirst() {
            guard marks[key] == 1 else {
                ghosts.append(key)
                if ghosts.count > ghostCapacity { _ = ghosts.popFirst() }
                return
            }
            marks[key] = 0
            clock.append(key)
        }
        while let key = clock.first {
            guard marks[key] == 1 else {
                clock.remove(key)
                return
            }
            marks[key] = 0
            clock.append(key)
        }
    }
}
