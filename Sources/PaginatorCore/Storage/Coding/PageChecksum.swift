/// A 64-bit checksum of a page's columns and bytes: three independent lanes of folded 128-bit products, 48 bytes a
/// turn, after Wang Yi's wyhash. It finds damage; it does not resist someone who forges pages on purpose.
package struct PageChecksum {
    private static let secrets: (UInt64, UInt64, UInt64, UInt64) = (
        0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db, 0x8ebc_6af0_9c88_c6e3, 0x5899_65cc_7537_4cc3
    )
    private var state: UInt64 = 0x1d8e_4e27_c47d_124f

    /// Starts with the checksum of nothing.
    package init() {}

    /// The checksum of what was combined so far.
    package var value: UInt64 { Self.fold(state ^ Self.secrets.1, Self.secrets.2) }

    /// Adds eight bytes.
    @inline(__always)
    package mutating func combine(_ word: UInt64) {
        state = Self.fold(state ^ Self.secrets.0, word ^ Self.secrets.1)
    }

    /// Adds a number.
    package mutating func combine(_ number: Int) {
        combine(UInt64(bitPattern: Int64(number)))
    }

    /// Adds whether there is a text, and its bytes.
    package mutating func combine(_ text: String?) {
        guard let text else { return combine(UInt64.max) }
        // Without a copy of the text, which would be counted for its storage.
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { combine(bytes: UnsafeRawBufferPointer($0)) }
        if isDone == nil {
            var copy = text
            copy.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    /// Adds bytes, and how many there are. Complexity: O(bytes).
    package mutating func combine(bytes: UnsafeRawBufferPointer) {
        let count = bytes.count
        // Sound because each load is preceded by a comparison of what it reads with what is left.
        if var place = bytes.baseAddress {
            var left = count
            if left >= 48 {
                var first = state
                var second = state ^ Self.secrets.2
                var third = state ^ Self.secrets.3
                let end = place + left / 48 &* 48
                repeat {
                    first = Self.fold(Self.word(place, 0) ^ Self.secrets.1, Self.word(place, 8) ^ first)
                    second = Self.fold(Self.word(place, 16) ^ Self.secrets.2, Self.word(place, 24) ^ second)
                    third = Self.fold(Self.word(place, 32) ^ Self.secrets.3, Self.word(place, 40) ^ third)
                    place += 48
                } while place < end
                left %= 48
                state = first ^ Self.fold(second ^ Self.secrets.0, third ^ Self.secrets.3)
            }
            while left >= 8 {
                combine(Self.word(place, 0))
                place += 8
                left &-= 8
            }
            var tail: UInt64 = 0
            while left > 0 {
                tail = tail << 8 | UInt64(place.load(as: UInt8.self))
                place += 1
                left &-= 1
            }
            combine(tail)
        } else {
            combine(UInt64(0))
        }
        combine(UInt64(truncatingIfNeeded: count))
    }

    @inline(__always)
    private static func word(_ place: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        place.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
    }

    @inline(__always)
    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
