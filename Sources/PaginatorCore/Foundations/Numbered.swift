/// Values by number, as a dictionary has them, for numbers that the library itself gives out.
///
/// Most of what a machine does is to find something by its number, and a dictionary's own hash costs several times as much
/// as all the rest of a look-up. It guards against keys that somebody chooses; nobody chooses these.
struct Numbered<Value> {
    fileprivate struct Key: Hashable {
        let number: UInt64

        // What a dictionary asks for; if it no longer did, it would hash as usual.
        func _rawHashValue(seed: Int) -> Int { Numbered.place(of: number) }
    }

    // The product's middle bits depend on all lower ones, so that neither runs of numbers nor steps between them fall upon
    // the same places (Knuth, "The Art of Computer Programming", volume 3, section 6.4).
    static func place(of number: UInt64) -> Int { Int(truncatingIfNeeded: (number &* 0x9e37_79b9_7f4a_7c15) >> 32) }

    private var table: [Key: Value] = [:]

    var count: Int { table.count }
    var isEmpty: Bool { table.isEmpty }
    var capacity: Int { table.capacity }
    var keys: [UInt64] { table.keys.map(\.number) }
    var values: some Collection<Value> { table.values }

    subscript(number: UInt64) -> Value? {
        get { table[Key(number: number)] }
        set { table[Key(number: number)] = newValue }
    }

    @discardableResult
    mutating func change<R>(_ number: UInt64, _ body: (inout Value) -> R) -> R? {
        table.change(Key(number: number), body)
    }

    mutating func updateValue(_ value: Value, forKey number: UInt64) -> Value? {
        table.updateValue(value, forKey: Key(number: number))
    }

    @discardableResult
    mutating func removeValue(forKey number: UInt64) -> Value? { table.removeValue(forKey: Key(number: number)) }

    mutating func shrinkIfEmpty() { table.shrinkIfEmpty() }
}

extension Numbered: Sendable where Value: Sendable {}

extension Numbered: Sequence {
    func makeIterator() -> some IteratorProtocol<(number: UInt64, value: Value)> {
        table.lazy.map { (number: $0.key.number, value: $0.value) }.makeIterator()
    }
}
