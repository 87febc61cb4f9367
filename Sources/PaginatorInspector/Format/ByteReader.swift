/// Reads untrusted bytes sequentially.
struct ByteReader {
    let bytes: [UInt8]
    private(set) var place: Int
    private let end: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        place = 0
        end = bytes.count
    }

    private init(_ bytes: [UInt8], from place: Int, to end: Int) {
        self.bytes = bytes
        self.place = place
        self.end = end
    }

    var isAtEnd: Bool { place >= end }
    var left: Int { end - place }

    /// Reads a number, the least significant byte first.
    mutating func integer<Number: FixedWidthInteger & UnsignedInteger>() throws(PaginatorRecordingError) -> Number {
        let size = Number.bitWidth / 8
        guard left >= size else { throw PaginatorRecordingError(.truncated, at: bytes.count) }
        var number: UInt64 = 0
        for index in 0..<size { number |= UInt64(bytes[place + index]) << UInt64(8 * index) }
        place += size
        return Number(truncatingIfNeeded: number)
    }

    /// Returns a reader of the next bytes.
    mutating func part(_ count: Int) throws(PaginatorRecordingError) -> ByteReader {
        guard count >= 0, left >= count else { throw PaginatorRecordingError(.truncated, at: bytes.count) }
        defer { place += count }
        return ByteReader(bytes, from: place, to: place + count)
    }

    mutating func rest() -> ArraySlice<UInt8> {
        defer { place = end }
        return bytes[place..<end]
    }
}
