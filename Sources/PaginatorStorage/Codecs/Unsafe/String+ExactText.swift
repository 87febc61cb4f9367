#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension String {
    /// Creates a text from UTF-8 bytes; `nil` if they are invalid. Complexity: O(bytes).
    ///
    /// `String(validating:as:)` does the same, but on Linux it looks up generic types at run time for each text, which
    /// takes longer than the rest. So this detects ASCII word by word, and creates such texts without another
    /// validation.
    ///
    /// - Parameters:
    ///   - count: the number of bytes; `bytes` has as many from `start` on.
    ///   - start: the offset of the text.
    ///   - bytes: the bytes, with others before and after the text.
    @inline(__always)
    init?(exactText count: Int, at start: Int, of bytes: UnsafeRawBufferPointer) {
        let quick = count > 15 ? Self.long(count, at: start, of: bytes) : Self.short(count, at: start, of: bytes)
        guard let text = quick ?? Self.checked(count, at: start, of: bytes) else { return nil }
        self = text
    }

    /// Returns a text of at most 15 bytes, which a `String` stores inline. For every length the same number of bytes is
    /// copied, in two overlapping words, and the rest is masked, because a branch on the length would be mispredicted.
    ///
    /// - Returns: `nil` if it is longer or not ASCII, or there are fewer than 15 bytes from `start` on.
    @inline(__always)
    private static func short(_ count: Int, at start: Int, of bytes: UnsafeRawBufferPointer) -> String? {
        guard count <= 15, bytes.count &- start >= 15, let base = bytes.baseAddress else { return nil }
        // Bytes 0 to 7 and 7 to 14 overlap in one byte, so fifteen bytes take two loads.
        let first = base.loadUnaligned(fromByteOffset: start, as: UInt64.self)
        let last = base.loadUnaligned(fromByteOffset: start &+ 7, as: UInt64.self)
        let own = UInt64(littleEndian: first) & lowBytes(Swift.min(count, 8))
        let others = UInt64(littleEndian: last) & lowBytes(Swift.max(0, count &- 7))
        guard (own | others) & 0x8080_8080_8080_8080 == 0 else { return nil }
        return String(unsafeUninitializedCapacity: 15) {
            let target = UnsafeMutableRawBufferPointer($0)
            target.storeBytes(of: last, toByteOffset: 7, as: UInt64.self)
            target.storeBytes(of: first, as: UInt64.self)
            return count
        }
    }

    /// Returns a mask of 0 to 8 bytes.
    private static func lowBytes(_ count: Int) -> UInt64 {
        // The smart shift, because a shift by 64, for no bytes, must give zero.
        UInt64.max >> UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    }

    /// Returns a text of 16 bytes or more.
    ///
    /// - Returns: `nil` if it is not ASCII or is shorter, or if the system has no way to create it.
    @inline(__always)
    private static func long(_ count: Int, at start: Int, of bytes: UnsafeRawBufferPointer) -> String? {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), count >= 16,
            let base = bytes.baseAddress, areASCII(count, at: base + start)
        else { return nil }
        let text = UnsafeBufferPointer(start: (base + start).assumingMemoryBound(to: UInt8.self), count: count)
        return String(copying: UTF8Span(unchecked: text.span, isKnownASCII: true))
    }

    /// Decodes with repairs and compares: a repaired text has other bytes.
    @inline(never)
    private static func checked(_ count: Int, at start: Int, of bytes: UnsafeRawBufferPointer) -> String? {
        let own = UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
        // `String(decoding:)` replaces invalid bytes by U+FFFD. Validating initializers are newer than the oldest
        // supported systems.
        var text = String(decoding: own, as: UTF8.self)
        let isSame = text.withUTF8 { text in
            guard text.count == own.count else { return false }
            guard let left = text.baseAddress, let right = own.baseAddress else { return true }
            return memcmp(left, right, text.count) == 0
        }
        return isSame ? text : nil
    }

    /// Returns whether none of the bytes at `base` has its highest bit set.
    ///
    /// The last bytes are checked in loads that overlap earlier ones, so that every load is within the bytes.
    ///
    /// - Parameter count: at least 16.
    @inline(__always)
    private static func areASCII(_ count: Int, at base: UnsafeRawPointer) -> Bool {
        var bits: SIMD2<UInt64>
        if count <= 32 {
            // Two overlapping loads for any length, because a branch would be mispredicted.
            bits = word(at: 0) | word(at: count &- 16)
        } else {
            var offset = 0
            bits = word(at: 0) | word(at: 16)
            if count > 64 {
                bits |= word(at: 32) | word(at: 48)
                offset = 64
                while offset < count &- 64 {
                    bits |=
                        (word(at: offset) | word(at: offset &+ 16)) | (word(at: offset &+ 32) | word(at: offset &+ 48))
                    offset &+= 64
                }
                bits |= word(at: count &- 64) | word(at: count &- 48)
            }
            bits |= word(at: count &- 32) | word(at: count &- 16)
        }
        return (bits.x | bits.y) & 0x8080_8080_8080_8080 == 0

        @inline(__always)
        func word(at offset: Int) -> SIMD2<UInt64> {
            base.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
        }
    }
}
