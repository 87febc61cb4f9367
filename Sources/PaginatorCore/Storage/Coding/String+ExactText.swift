#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension String {
    /// The text of UTF-8 bytes; `nil` when they are something else. Complexity: O(bytes).
    ///
    /// `String(validating:as:)` says the same, and on Linux looks generic types up at run time for each text, which takes
    /// longer than all the rest. So the bytes are decoded with repairs, and compared: a repaired text has other bytes.
    @inline(__always)
    init?(exactText bytes: UnsafeBufferPointer<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        guard Self.areASCII(bytes) || Self.areBytes(bytes, of: self) else { return nil }
    }

    @inline(never)
    private static func areBytes(_ bytes: UnsafeBufferPointer<UInt8>, of text: String) -> Bool {
        var text = text
        return text.withUTF8 { areEqual($0, bytes) }
    }

    /// Whether no byte has its highest bit set: then there is nothing to repair.
    ///
    /// The last bytes are looked at in one load that reaches back over some seen already, not one by one; every load lies
    /// within the `count` bytes at `base`.
    @inline(__always)
    private static func areASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = UnsafeRawPointer(bytes.baseAddress) else { return true }
        let count = bytes.count
        var bits: UInt64 = 0
        if count >= 8 {
            let last = count &- 8
            var offset = 0
            while offset < last {
                bits |= base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                offset &+= 8
            }
            bits |= base.loadUnaligned(fromByteOffset: last, as: UInt64.self)
        } else if count >= 4 {
            let first = base.loadUnaligned(as: UInt32.self)
            bits = UInt64(first | base.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
        } else if count > 0 {
            let outer = base.load(as: UInt8.self) | base.load(fromByteOffset: count &- 1, as: UInt8.self)
            bits = UInt64(outer | base.load(fromByteOffset: count >> 1, as: UInt8.self))
        }
        return bits & 0x8080_8080_8080_8080 == 0
    }

    private static func areEqual(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        guard let first = left.baseAddress, let second = right.baseAddress else { return true }
        return memcmp(first, second, left.count) == 0
    }
}
