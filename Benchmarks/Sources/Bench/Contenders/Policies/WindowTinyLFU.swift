/// W-TinyLFU (Einziger, Friedman and Manes, "TinyLFU: a highly efficient cache admission policy", ACM Transactions on
/// Storage 2017), whose window a hill climber sizes (Einziger, Eytan, Friedman and Manes, "Adaptive software cache
/// management", Middleware 2018): a hundredth at first, steps of a sixteenth that shrink by a fiftieth.
struct WindowTinyLFU: TracePolicy {
    private let capacity: Int
    private var windowCapacity: Int
    private var protectedCapacity: Int
    private var window = KeyList()
    private var probation = KeyList()
    private var protected = KeyList()
    private var sketch: FrequencySketch
    private var step: Double
    private var lastRate = 0.0
    private var reads = 0
    private var hits = 0

    init(capacity: Int) {
        self.capacity = capacity
        windowCapacity = max(1, capacity / 100)
        protectedCapacity = (capacity - windowCapacity) * 4 / 5
        sketch = FrequencySketch(capacity: capacity)
        step = -Double(capacity) / 16
    }

    private var count: Int { window.count + probation.count + protected.count }

    mutating func read(_ key: Int) -> Bool {
        sketch.count(key)
        let isHit = find(key)
        if !isHit {
            window.append(key)
            evict()
        }
        reads += 1
        if isHit { hits += 1 }
        if reads >= 10 * capacity, count >= capacity { climb() }
        return isHit
    }

    private mutating func find(_ key: Int) -> Bool {
        if window.contains(key) {
            window.append(key)
        } else if protected.contains(key) {
            protected.append(key)
        } else if probation.remove(key) {
            protected.append(key)
            demote()
        } else {
            return false
        }
        return true
    }

    private mutating func demote() {
        while protected.count > protectedCapacity, let key = protected.popFirst() { probation.append(key) }
    }

    private mutating func evict() {
        while window.count > windowCapacity, let candidate = window.popFirst() {
            if count >= capacity, let victim = probation.first ?? protected.first {
                guard sketch.frequency(candidate) > sketch.frequency(victim) else { continue }
                probation.remove(victim)
                protected.remove(victim)
            }
            if count < capacity { probation.append(candidate) }
        }
    }

    private mutating func climb() {
        let rate = Double(hits) / Double(reads)
        let change = rate - lastRate
        let amount = change >= 0 ? step : -step
        step = abs(change) >= 0.05 ? Double(capacity) / 16 * (amount >= 0 ? 1 : -1) : 0.98 * amount
        lastRate = rate
        (reads, hits) = (0, 0)
        if amount > 0 {
            let growth = min(Int(amount), protectedCapacity)
            windowCapacity += growth
            protectedCapacity -= growth
            demote()
            while window.count < windowCapacity, let key = probation.popFirst() { window.prepend(key) }
        } else {
            let growth = min(Int(-amount), windowCapacity - 1)
            windowCapacity -= growth
            protectedCapacity += growth
            while window.count > windowCapacity, let key = window.popFirst() { probation.append(key) }
        }
    }
}

/// A count-min sketch of four rows, whose counts end at 15 and are halved after ten times the capacity.
struct FrequencySketch {
    private var rows: [[UInt8]]
    private let mask: UInt64
    private let sample: Int
    private var counted = 0

    init(capacity: Int) {
        var width = 32
        while width < 4 * capacity { width *= 2 }
        rows = Array(repeating: Array(repeating: 0, count: width), count: 4)
        mask = UInt64(width - 1)
        sample = 10 * capacity
    }

    private func place(_ key: Int, _ row: Int) -> Int {
        var word = UInt64(key * 4 + row) &+ 0x9e37_79b9_7f4a_7c15
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((word ^ (word >> 31)) & mask)
    }

    func frequency(_ key: Int) -> UInt8 { rows.indices.reduce(UInt8.max) { min($0, rows[$1][place(key, $1)]) } }

    mutating func count(_ key: Int) {
        var isCounted = false
        for row in rows.indices where rows[row][place(key, row)] < 15 {
            rows[row][place(key, row)] += 1
            isCounted = true
        }
        guard isCounted else { return }
        counted += 1
        guard counted >= sample else { return }
        for row in rows.indices { for place in rows[row].indices { rows[row][place] /= 2 } }
        counted /= 2
    }
}
