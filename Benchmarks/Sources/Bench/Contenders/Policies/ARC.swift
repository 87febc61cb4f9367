/// Megiddo and Modha, "ARC: a self-tuning, low overhead replacement cache", FAST 2003. The names are the paper's.
struct ARC: TracePolicy {
    private let c: Int
    private var p = 0.0
    private var t1 = KeyList()
    private var t2 = KeyList()
    private var b1 = KeyList()
    private var b2 = KeyList()

    init(capacity: Int) { c = capacity }

    mutating func read(_ key: Int) -> Bool {
        if t1.contains(key) || t2.contains(key) {
            t1.remove(key)
            t2.append(key)
            return true
        }
        if b1.contains(key) {
            p = min(Double(c), p + max(Double(b2.count) / Double(b1.count), 1))
            replace(isInB2: false)
            b1.remove(key)
            t2.append(key)
            return false
        }
        if b2.contains(key) {
            p = max(0, p - max(Double(b1.count) / Double(b2.count), 1))
            replace(isInB2: true)
            b2.remove(key)
            t2.append(key)
            return false
        }
        let count = t1.count + t2.count + b1.count + b2.count
        if t1.count + b1.count == c {
            if t1.count < c {
                _ = b1.popFirst()
                replace(isInB2: false)
            } else {
                _ = t1.popFirst()
            }
        } else if count >= c {
            if count == 2 * c { _ = b2.popFirst() }
            replace(isInB2: false)
        }
        t1.append(key)
        return false
    }

    private mutating func replace(isInB2: Bool) {
        if t1.count > 0, Double(t1.count) > p || isInB2 && t1.count == Int(p) {
            if let key = t1.popFirst() { b1.append(key) }
        } else if let key = t2.popFirst() {
            b2.append(key)
        }
    }
}
