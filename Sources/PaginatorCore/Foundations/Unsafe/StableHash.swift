/// A fast hash of bytes with the same result in every run: folded 128-bit products, after Wang Yi's wyhash.
package struct StableHash {
    private static let secrets: (UInt64, UInt64) = (0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db)
    private var state: UInt64 = 0x8ebc_6af0_9c88_c6e3

    package static func value(of string: String) -> UInt64 {
        var hash = StableHash()
        hash.combine(string)
        return hash.value
    }

    var value: UInt64 { Self.fold(state ^ Self.secrets.0, Self.secrets.1) }

    mutating func combine(_ word: UInt64) {
        state = Self.fold(state ^ Self.secrets.0, word ^ Self.secrets.1)
    }

    mutating func combine(_ string: String) {
        // The pointer is used only inside the call that provides it.
        unsafe string.withBytes { unsafe combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    @inline(__always)
    mutating func combine(bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while offset + 8 <= bytes.count {
            // Within the buffer, and every bit pattern is a valid `UInt64`.
            combine(unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian)
            offset += 8
        }
        var tail: UInt64 = 0
        while offset < bytes.count {
            tail = unsafe tail << 8 | UInt64(bytes[offset])
            offset += 1
        }
        combine(tail)
        // The length, so that trailing zeros count, and ("ab", "c") differs from ("a", "bc").
        combine(UInt64(bytes.count))
    }

    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
