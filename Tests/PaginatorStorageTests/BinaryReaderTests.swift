import PaginatorCore
import PaginatorStorage
import Testing

@Suite("Reading items by hand")
struct BinaryReaderTests {
    @Test
    func `A text is taken exactly when its bytes are UTF-8, whatever its length and wherever the odd byte lies`() throws
    {
        // Each stands in the place of as many bytes: good ones, broken ones, and one as long as its repaired form.
        let insets: [[UInt8]] = [
            [0x7f], [0x80], [0xff], Array("é".utf8), [0xc3, 0x28], Array("€".utf8), [0xf0, 0x9f, 0x98],
            [0xed, 0xa0, 0x80], Array("🙂".utf8),
        ]
        for count in 0...40 {
            let plain = (0..<count).map { UInt8(ascii: "a") + UInt8($0 % 26) }
            try check(plain)
            for inset in insets where inset.count <= count {
                for place in 0...count - inset.count {
                    var bytes = plain
                    bytes.replaceSubrange(place..<place + inset.count, with: inset)
                    try check(bytes)
                }
            }
        }
    }

    /// Reads a text between others: whatever follows it, be it nothing, one byte, or more than a text of its own has, is
    /// no part of it.
    private func check(_ text: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) throws {
        // Bytes that are no UTF-8 are replaced by others.
        let decoded = String(decoding: text, as: UTF8.self)
        let expected = decoded.utf8.elementsEqual(text) ? decoded : nil
        for end in [[], [1], Array(repeating: 1, count: 20), Array(repeating: 0xff, count: 20)] as [[UInt8]] {
            var reader = PageByteReader([7, 0xff, UInt8(text.count)] + text + end)
            #expect(try [reader.readByte(), reader.readByte()] == [7, 0xff])
            do {
                let read = try reader.readString()
                #expect(expected.map { Array($0.utf8) } == Array(read.utf8), "\(text)", sourceLocation: sourceLocation)
                #expect(expected == read, "\(text)", sourceLocation: sourceLocation)
                #expect(reader.remaining == end.count, "\(text)", sourceLocation: sourceLocation)
            } catch {
                #expect(expected == nil, "\(text)", sourceLocation: sourceLocation)
            }
        }
    }

    @Test
    func `A long text is taken exactly when its bytes are UTF-8, wherever the odd byte lies`() throws {
        for count in [63, 64, 65, 95, 96, 97, 127] {
            let plain = (0..<count).map { UInt8(ascii: "a") + UInt8($0 % 26) }
            try check(plain)
            for place in 0..<count {
                var bytes = plain
                bytes[place] = 0xff
                try check(bytes)
                guard place > 0 else { continue }
                bytes.replaceSubrange(place - 1...place, with: "é".utf8)
                try check(bytes)
            }
        }
        for count in [128, 129, 191, 192, 193, 300, 1_000] {
            let text = String(repeating: "a", count: count)
            var writer = PageByteWriter()
            writer.write(text)
            var reader = PageByteReader(writer.bytes)
            #expect(try reader.readString() == text)
            for place in 0..<count {
                var bytes = writer.bytes
                bytes[bytes.count - count + place] = 0x80
                reader = PageByteReader(bytes)
                #expect(throws: PageCodingError.self) { try reader.readString() }
            }
        }
    }

    /// What an item does with its part of the page.
    private struct Part: BinaryPageItem, Equatable {
        var kind: Int
        var rest: [UInt8] = []

        init(kind: Int, rest: [UInt8] = []) { (self.kind, self.rest) = (kind, rest) }

        func write(to writer: inout PageByteWriter) {
            writer.write(kind)
            writer.write(rest)
        }

        init(from reader: inout PageByteReader) throws {
            let kind = try reader.readInt()
            switch kind {
            case 1:
                // Leaves the rest.
                self.init(kind: kind)
            case 2:
                // Reads what it packed, by another reader in the place of its own.
                reader = PageByteReader(try reader.readBytes())
                self.init(kind: kind, rest: [try reader.readByte()])
            case 3:
                // The same with fewer bytes than the page has.
                let own = reader
                reader = PageByteReader([])
                self.init(kind: kind, rest: Array(repeating: 0, count: own.remaining))
            case 4:
                // Reads behind its end.
                var all: [UInt8] = []
                while true { all.append(try reader.readByte()) }
            default:
                self.init(kind: kind, rest: try reader.readBytes())
            }
        }
    }

    @Test
    func `An item may leave bytes, and put another reader in place of its own; the next one begins where it should`()
        throws
    {
        let codec = BinaryPageCodec<Part>()
        let parts = [
            Part(kind: 0, rest: [1, 2, 3]), Part(kind: 1, rest: [4, 5]), Part(kind: 2, rest: [6, 7, 8]),
            Part(kind: 3, rest: [9]), Part(kind: 0, rest: Array(repeating: 10, count: 300)), Part(kind: 2, rest: [11]),
        ]
        let read = try codec.decode(codec.encode(parts))
        #expect(
            read == [
                parts[0], Part(kind: 1), Part(kind: 2, rest: [6]), Part(kind: 3, rest: [0, 0]), parts[4],
                Part(kind: 2, rest: [11]),
            ])
        #expect(throws: PageCodingError.self) { try codec.decode(codec.encode([Part(kind: 4), Part(kind: 0)])) }
    }

    /// An item that reads byte after byte until there are no more.
    private struct Greedy: BinaryPageItem, Equatable {
        var bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        func write(to writer: inout PageByteWriter) {
            for byte in bytes { writer.write(byte: byte) }
        }

        init(from reader: inout PageByteReader) throws {
            bytes = []
            while let byte = try? reader.readByte() { bytes.append(byte) }
        }
    }

    @Test
    func `An item that reads until there is nothing more gets its own bytes, and none of the next one`() throws {
        let codec = BinaryPageCodec<Greedy>()
        let items = [Greedy([1, 2, 3]), Greedy([]), Greedy([4]), Greedy([])]
        #expect(try codec.decode(codec.encode(items)) == items)
    }

    @Test
    func `Numbers of any length come back, and one that ends too early or takes more than 64 bits is refused`() throws {
        for shift in 0..<64 {
            for number in [UInt64(1) << shift, (UInt64(1) << shift) - 1, UInt64.max >> UInt64(shift)] {
                var writer = PageByteWriter()
                writer.write(number)
                var reader = PageByteReader(writer.bytes)
                #expect(try reader.readUInt64() == number)
                #expect(reader.isAtEnd)
                // The same with others behind it, which are read at once where they may be.
                for other in [0, 1, 0x80, 0xff] as [UInt8] {
                    reader = PageByteReader(writer.bytes + Array(repeating: other, count: 9))
                    #expect(try reader.readUInt64() == number)
                    #expect(reader.remaining == 9)
                }
                for count in 0..<writer.bytes.count {
                    var short = PageByteReader(Array(writer.bytes[..<count]))
                    #expect(throws: PageCodingError.self) { try short.readUInt64() }
                }
            }
        }
        for bytes in [Array(repeating: UInt8(0xff), count: 9) + [2], Array(repeating: UInt8(0x80), count: 10) + [0]] {
            for end in [[], Array(repeating: 0, count: 9)] as [[UInt8]] {
                var reader = PageByteReader(bytes + end)
                #expect(throws: PageCodingError.self) { try reader.readUInt64() }
            }
        }
    }

    @Test
    func `An array of any length comes back, and an element that cannot be read is the array's error`() throws {
        for count in Array(0...6) + [4_095, 4_096, 4_097, 5_000] {
            let texts = (0..<count).map { "\($0) \(String(repeating: "x", count: $0 % 30))" }
            var writer = PageByteWriter()
            writer.write(all: texts) { $0.write($1) }
            var reader = PageByteReader(writer.bytes)
            #expect(try reader.readAll { try $0.readString() } == texts)
            #expect(reader.isAtEnd)
            guard count > 0 else { continue }
            for bad in Set([0, count / 2, count - 1]) {
                reader = PageByteReader(writer.bytes)
                var place = 0
                #expect(throws: PageCodingError("no")) {
                    try reader.readAll { reader in
                        defer { place += 1 }
                        guard place != bad else { throw PageCodingError("no") }
                        return try reader.readString()
                    }
                }
                #expect(place == bad + 1)
            }
        }
    }

    @Test
    func `A count, or a length, that is greater than what is left is refused, whatever its size`() throws {
        for count in [UInt64(4), 127, 128, 70_000, UInt64(Int32.max), UInt64(Int.max), UInt64.max] {
            var writer = PageByteWriter()
            writer.write(count)
            let bytes = writer.bytes + [0, 0, 0]
            var reader = PageByteReader(bytes)
            #expect(throws: PageCodingError.self) { try reader.readString() }
            reader = PageByteReader(bytes)
            #expect(throws: PageCodingError.self) { try reader.readBytes() }
            reader = PageByteReader(bytes)
            #expect(throws: PageCodingError.self) { try reader.readAll { try $0.readByte() } }
            #expect(throws: PageCodingError.self) { try BinaryPageCodec<Part>().decode([1] + bytes) }
        }
    }
}
