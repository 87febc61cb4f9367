/// A policy written from its paper alone, to replay traces beside the library's own. Keys are small numbers from 0.
protocol TracePolicy {
    init(capacity: Int)

    /// Looks a key up, takes it in on a miss, and says whether it was there.
    mutating func read(_ key: Int) -> Bool
}

extension TracePolicy {
    static func hits(_ keys: [Int], capacity: Int) -> Int {
        var policy = Self(capacity: capacity)
        return keys.reduce(0) { policy.read($1) ? $0 + 1 : $0 }
    }
}

/// A linked list of keys; every call is O(1).
struct KeyList {
    private var nexts: [Int] = []
    private var previouses: [Int] = []
    private(set) var first: Int?
    private var last: Int?
    private(set) var count = 0

    private static let end = -1
    private static let absent = -2

    func contains(_ key: Int) -> Bool { key < nexts.count && nexts[key] != Self.absent }

    func next(after key: Int) -> Int? { nexts[key] == Self.end ? nil : nexts[key] }

    /// Puts a key at the back, wherever it was.
    mutating func append(_ key: Int) {
        remove(key)
        while nexts.count <= key {
            nexts.append(Self.absent)
            previouses.append(Self.absent)
        }
        nexts[key] = Self.end
        previouses[key] = last ?? Self.end
        if let last { nexts[last] = key } else { first = key }
        last = key
        count += 1
    }

    mutating func prepend(_ key: Int) {
        guard let oldest = first else { return append(key) }
        append(key)
        remove(key)
        nexts[key] = oldest
        previouses[key] = Self.end
        previouses[oldest] = key
        first = key
        count += 1
    }

    @discardableResult
    mutating func remove(_ key: Int) -> Bool {
        guard contains(key) else { return false }
        let (next, previous) = (nexts[key], previouses[key])
        if previous == Self.end { first = next == Self.end ? nil : next } else { nexts[previous] = next }
        if next == Self.end { last = previous == Self.end ? nil : previous } else { previouses[next] = previous }
        nexts[key] = Self.absent
        count -= 1
        return true
    }

    mutating func popFirst() -> Int? {
        guard let first else { return nil }
        remove(first)
        return first
    }
}

/// A number for each key, 0 at first.
struct KeyNumbers {
    private var numbers: [Int] = []

    subscript(key: Int) -> Int {
        get { key < numbers.count ? numbers[key] : 0 }
        set {
            while numbers.count <= key { numbers.append(0) }
            numbers[key] = newValue
        }
    }
}
