/// A dictionary that grows in small steps, so that no insertion into a long list takes as long as the list.
///
/// Linear hashing (W. Litwin, "Linear hashing: a new tool for file and table addressing", VLDB 1980): the entries are
/// in parts, which are dictionaries, by the low bits of ``SpreadKey/spread``. When the parts are full on average, one
/// of them, in turn, is split into two. It does not shrink.
///
/// Complexity: O(1) for one key; an insertion moves the entries of two parts at most.
struct GradualDictionary<Key: SpreadKey, Value> {
    /// How many entries a part has after its split; it is split again when it has twice as many. A dictionary of 384
    /// entries is full, so parts do not grow between splits, which with evenly spread keys all would do at once.
    static var partSize: Int { 192 }

    /// The place of an entry, until the next insertion or removal.
    struct Index {
        fileprivate let part: Int
        fileprivate let place: Dictionary<Key, Value>.Index
    }

    private var parts: [[Key: Value]] = [[:]]
    // One less than the number of parts when the present round of splits began, a power of two.
    private var mask = 0
    private(set) var count = 0

    /// The value of a key. Setting `nil` removes the entry.
    subscript(key: Key) -> Value? {
        get { parts[part(of: key)][key] }
        _modify {
            let part = part(of: key)
            let before = parts[part].count
            defer {
                count += parts[part].count - before
                if count > parts.count * Self.partSize { split() }
            }
            yield &parts[part][key]
        }
    }

    func index(forKey key: Key) -> Index? {
        let part = part(of: key)
        return parts[part].index(forKey: key).map { Index(part: part, place: $0) }
    }

    subscript(index: Index) -> Value {
        _read { yield parts[index.part].values[index.place] }
        _modify { yield &parts[index.part].values[index.place] }
    }

    /// Changes each value.
    mutating func changeValues(_ body: (inout Value) -> Void) {
        for part in parts.indices { changePart(part) { part in part.changeValues(body) } }
    }

    mutating func removeAll(where isUnwanted: (Key, Value) -> Bool) {
        for part in parts.indices { changePart(part) { $0 = $0.filter { !isUnwanted($0.key, $0.value) } } }
    }

    /// The number of parts, which only grows.
    var partCount: Int { parts.count }

    /// Changes or removes entries of one part, with as many entries as ``partSize`` or a few times that.
    mutating func changePart<R>(_ number: Int, _ body: (inout [Key: Value]) -> R) -> R {
        let before = parts[number].count
        defer { count += parts[number].count - before }
        return body(&parts[number])
    }

    private func part(of key: Key) -> Int {
        if parts.count == 1 { return 0 }
        let part = key.spread & (mask << 1 | 1)
        // The later parts of this round do not exist yet.
        return part < parts.count ? part : key.spread & mask
    }

    private mutating func split() {
        let number = parts.count - (mask + 1)
        let entries = parts[number]
        parts[number] = Dictionary(minimumCapacity: 2 * Self.partSize)
        parts.append(Dictionary(minimumCapacity: 2 * Self.partSize))
        for (key, value) in entries { parts[part(of: key)][key] = value }
        if parts.count == 2 * (mask + 1) { mask = mask << 1 | 1 }
    }
}

/// A key that needs no hash to be assigned to a part.
protocol SpreadKey: Hashable {
    /// A number whose low bits differ from key to key: one that counts, or a hash.
    var spread: Int { get }
}

extension Int: SpreadKey {
    var spread: Int { self }
}

extension GradualDictionary: Sequence {
    func makeIterator() -> FlattenSequence<[[Key: Value]]>.Iterator { parts.joined().makeIterator() }
}

extension GradualDictionary: Sendable where Key: Sendable, Value: Sendable {}

extension Dictionary {
    fileprivate mutating func changeValues(_ body: (inout Value) -> Void) {
        var index = startIndex
        while index != endIndex {
            body(&values[index])
            formIndex(after: &index)
        }
    }
}
