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
    init?(exactText bytes: UnsafeBufferPointer<UInt8>) {
        var text = String(decoding: bytes, as: UTF8.self)
        guard Self.areASCII(bytes) || text.withUTF8({ Self.areEqual($0, bytes) }) else { return nil }
        self = text
    }

    /// Whether no byte has its highest bit set: then there is nothing to repair.
    @inline(__always)
    private static func areASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let raw = UnsafeRawBufferPointer(bytes)
        var bits: UInt64 = 0
        var offset = 0
        while offset &+ 8 <= raw.count {
            bits |= raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            offset &+= 8
        }
        while offset < raw.count {
            bits |= UInt64(raw[offset])
            offset &+= 1
        }
        return bits & 0x8080_8080_8080_8080 == 0
    }

    private static func areEqual(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        guard let first = left.baseAddress, let second = right.baseAddress else { return true }
        return memcmp(first, second, left.count) == 0
    }
}
