/// A growing byte buffer in its own memory: a write checks the capacity only once.
///
/// Sound because the pointer is never passed on: every write reserves capacity first, and every offset that is read or
/// changed is checked to be below `count`.
struct CompactBytes: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// The number of bytes written.
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = max(16, capacity)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deallocate() }

    /// A copy of the bytes. Complexity: O(bytes).
    var array: [UInt8] {
        [UInt8](UnsafeBufferPointer(start: base, count: count))
    }

    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if capacity - count < more { grow(by: more) }
    }

    @inline(never)
    private mutating func grow(by more: Int) {
        // Doubled, so that moving costs amortized O(1) for each byte.
        let larger = max(capacity * 2, count + more)
        // Not zeroed, because nothing beyond `count` is read.
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.update(from: base, count: count)
        base.deallocate()
        base = moved
        capacity = larger
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        base[count] = byte
        count += 1
    }

    /// Appends a tag and an unsigned number in 1 to 10 bytes of seven bits each (LEB128).
    @inline(__always)
    mutating func append(_ tag: UInt8, varint value: UInt64) {
        // One capacity check for a tag and the longest number.
        reserve(11)
        base[count] = tag
        count += 1
        appendReserved(value)
    }

    /// Appends an unsigned number in 1 to 10 bytes of seven bits each (LEB128).
    @inline(__always)
    mutating func append(varint value: UInt64) {
        reserve(10)
        appendReserved(value)
    }

    @inline(__always)
    private mutating func appendReserved(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            base[count] = UInt8(truncatingIfNeeded: rest) | 0x80
            count += 1
            rest >>= 7
        }
        base[count] = UInt8(truncatingIfNeeded: rest)
        count += 1
    }

    @inline(__always)
    mutating func append<Value: FixedWidthInteger & BitwiseCopyable>(fixed value: Value) {
        reserve(MemoryLayout<Value>.size)
        UnsafeMutableRawPointer(base + count).storeBytes(of: value.littleEndian, as: Value.self)
        count += MemoryLayout<Value>.size
    }

    /// Appends a tag, the number of bytes, and the bytes.
    @inline(__always)
    mutating func append(_ tag: UInt8, _ bytes: UnsafeBufferPointer<UInt8>) {
        reserve(11 + bytes.count)
        base[count] = tag
        count += 1
        appendReserved(UInt64(bytes.count))
        // An empty buffer may have no base address.
        if let start = bytes.baseAddress { (base + count).update(from: start, count: bytes.count) }
        count += bytes.count
    }

    /// Writes `value` over the four bytes at `offset`.
    mutating func patch(at offset: Int, with value: UInt32) {
        precondition(offset >= 0 && offset + 4 <= count, "Four bytes at \(offset) of \(count) were to be changed.")
        UnsafeMutableRawPointer(base + offset).storeBytes(of: value.littleEndian, as: UInt32.self)
    }

    /// Inserts other bytes at `offset`. Complexity: O(following and inserted bytes).
    mutating func insert(_ bytes: borrowing CompactBytes, at offset: Int) {
        precondition(offset >= 0 && offset <= count, "Bytes were to be put in at \(offset) of \(count).")
        reserve(bytes.count)
        // `update` allows overlap: the following bytes are moved before their place is overwritten.
        (base + offset + bytes.count).update(from: base + offset, count: count - offset)
        (base + offset).update(from: bytes.base, count: bytes.count)
        count += bytes.count
    }
}
