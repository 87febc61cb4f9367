/// A 64-bit checksum of a page's columns and bytes, from folded 128-bit products after Wang Yi's wyhash: one product
/// for a number or short text, and six independent lanes for longer bytes, 96 at a time. It detects damage, not
/// deliberate forgery.
package struct PageChecksum {
    private static let secrets: (UInt64, UInt64, UInt64, UInt64) = (
        0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db, 0x8ebc_6af0_9c88_c6e3, 0x5899_65cc_7537_4cc3
    )
    private var state: UInt64 = 0x1d8e_4e27_c47d_124f

    /// The checksum of a text alone.
    package static func value(of text: String) -> UInt64 {
        var sum = PageChecksum()
        sum.combine(text)
        return sum.value
    }

    /// The checksum of everything added so far.
    var value: UInt64 { Self.fold(state ^ Self.secrets.1, Self.secrets.2) }

    /// Adds eight bytes.
    @inline(__always)
    mutating func combine(_ word: UInt64) {
        state = Self.fold(state ^ Self.secrets.0, word ^ Self.secrets.1)
    }

    /// Adds a number.
    @inline(__always)
    mutating func combine(_ number: Int) {
        combine(UInt64(bitPattern: Int64(number)))
    }

    /// Adds whether there is a text, and its bytes.
    @inline(__always)
    mutating func combine(_ text: String?) {
        // Differs from an empty text: no next key is not the same as an empty one.
        guard let text else { return combine(UInt64.max) }
        // Without a copy of the `String`, whose storage would be retained.
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { combine(bytes: UnsafeRawBufferPointer($0)) }
        if isDone == nil {
            var copy = text
            copy.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    /// Adds bytes and their number. Complexity: O(bytes).
    mutating func combine(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { combine(bytes: $0) }
    }

    /// Adds bytes and their number. Complexity: O(bytes).
    ///
    /// The sums of longer bytes do not depend on earlier ones, so the processor can compute both in parallel.
    @inline(__always)
    mutating func combine(bytes: UnsafeRawBufferPointer) {
        let count = bytes.count
        var first: UInt64 = 0
        var last: UInt64 = 0
        // Sound: before each load, its size is compared with the available bytes.
        if let base = bytes.baseAddress {
            if count > 16 {
                first = Self.sum(base, count)
            } else if count >= 8 {
                first = Self.word(base, 0)
                last = Self.word(base, count &- 8)
            } else if count >= 4 {
                first = Self.half(base, 0)
                last = Self.half(base, count &- 4)
            } else if count > 0 {
                first = Self.byte(base, 0) | Self.byte(base, count / 2) << 8 | Self.byte(base, count &- 1) << 16
            }
        }
        // Includes the length, because short texts are read with overlaps: two lengths could give the same words.
        let size = UInt64(truncatingIfNeeded: count) &* Self.secrets.2
        state = Self.fold(state ^ Self.secrets.0 ^ first, last ^ Self.secrets.1 ^ size)
    }

    /// The sum of more than 16 bytes.
    private static func sum(_ base: UnsafeRawPointer, _ count: Int) -> UInt64 {
        var place = base
        var left = count
        // Different initial values, so that lanes that read the same bytes do not cancel each other out.
        var lanes = (secrets.0, secrets.1, secrets.2, secrets.3, ~secrets.0, ~secrets.1)
        while left >= 96 {
            lanes.0 = fold(word(place, 0) ^ secrets.1, word(place, 8) ^ lanes.0)
            lanes.1 = fold(word(place, 16) ^ secrets.2, word(place, 24) ^ lanes.1)
            lanes.2 = fold(word(place, 32) ^ secrets.3, word(place, 40) ^ lanes.2)
            lanes.3 = fold(word(place, 48) ^ secrets.1, word(place, 56) ^ lanes.3)
            lanes.4 = fold(word(place, 64) ^ secrets.2, word(place, 72) ^ lanes.4)
            lanes.5 = fold(word(place, 80) ^ secrets.3, word(place, 88) ^ lanes.5)
            place += 96
            left &-= 96
        }
        if left >= 48 {
            lanes.0 = fold(word(place, 0) ^ secrets.1, word(place, 8) ^ lanes.0)
            lanes.1 = fold(word(place, 16) ^ secrets.2, word(place, 24) ^ lanes.1)
            lanes.2 = fold(word(place, 32) ^ secrets.3, word(place, 40) ^ lanes.2)
            place += 48
            left &-= 48
        }
        if left > 16 { lanes.3 = fold(word(place, 0) ^ secrets.1, word(place, 8) ^ lanes.3) }
        if left > 32 { lanes.4 = fold(word(place, 16) ^ secrets.2, word(place, 24) ^ lanes.4) }
        // The last 16 bytes, some of which may have been added before.
        let end = base + (count &- 16)
        lanes.5 = fold(word(end, 0) ^ secrets.3, word(end, 8) ^ lanes.5)
        return fold(lanes.0 ^ secrets.2, lanes.1 ^ secrets.3) ^ fold(lanes.2 ^ secrets.0, lanes.3 ^ secrets.1)
            ^ fold(lanes.4 ^ secrets.3, lanes.5 ^ secrets.2)
    }

    private static func word(_ place: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        place.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
    }

    private static func half(_ place: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        UInt64(place.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian)
    }

    private static func byte(_ place: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        UInt64(place.load(fromByteOffset: offset, as: UInt8.self))
    }

    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
