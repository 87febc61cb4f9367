import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorStorage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Codecs")
struct CodecTests {
    @Test
    func `Every codec gives back what it was given`() throws {
        for seed in UInt64(0)..<60 {
            var random = SeededRandom(seed: seed)
            let stories = (0..<random.number(in: 0..<8)).map { _ in CodecStory.random(&random) }
            let posts = (0..<random.number(in: 0..<8)).map { _ in CodecPost.random(&random) }
            let compact = CompactPageCodec<CodecStory>()
            #expect(try compact.decode(compact.encode(stories)) == stories, "seed \(seed)")
            let json = JSONPageCodec<CodecStory>()
            #expect(try json.decode(json.encode(stories)) == stories, "seed \(seed)")
            let binary = BinaryPageCodec<CodecPost>()
            #expect(try binary.decode(binary.encode(posts)) == posts, "seed \(seed)")
            let raw = RawPageCodec<RawText>()
            let items = posts.map { RawItem<RawText>(Array($0.text.utf8)) }
            #expect(try raw.decode(raw.encode(items)).map { try $0.value.text } == posts.map(\.text), "seed \(seed)")
        }
    }

    @Test
    func `Plain values are items too`() throws {
        func check<Value: Codable & Hashable & Sendable>(_ values: [Value]) throws {
            let codec = CompactPageCodec<Value>()
            #expect(try codec.decode(codec.encode(values)) == values)
        }
        try check([Int.min, -1, 0, 1, .max])
        try check([UInt64.max, 0])
        try check([Int8.min, .max])
        try check([Float.pi, -.infinity])
        try check([Double.leastNonzeroMagnitude, -0.0])
        try check(["", "\u{0}", "e\u{301}", "🙂"])
        try check([nil, 1, nil] as [Int?])
        try check([[nil, ["a"]], []] as [[[String]?]])
        try check([[UInt8](0...255), []])
        try check([["é": 1, "e\u{301}x": 2]])
        try check([
            URL(string: "https://example.com/a%20b")!, URL(string: "x", relativeTo: URL(string: "https://e.org/"))!,
        ])
        #expect(try CompactPageCodec<Double>().decode(CompactPageCodec<Double>().encode([.nan]))[0].isNaN)
    }

    @Test
    func `Every kind of number comes back, as a field, as an element and alone; one that does not fit is refused`()
        throws
    {
        let samples = [CodecNumbers.least, .greatest]
        let fields = CompactPageCodec<CodecNumbers>()
        #expect(try fields.decode(fields.encode(samples)) == samples)
        let elements = CompactPageCodec<CodecNumberList>()
        let lists = samples.map { CodecNumberList(numbers: $0) }
        #expect(try elements.decode(elements.encode(lists)) == lists)
        func check<Value: FixedWidthInteger & Codable & Sendable>(_ type: Value.Type) throws {
            let codec = CompactPageCodec<Value>()
            #expect(try codec.decode(codec.encode([.min, 0, .max])) == [.min, 0, .max])
            let texts = try CompactPageCodec<String>().encode(["1"])
            #expect(throws: PageCodingError.self) { try codec.decode(texts) }
            guard Value.bitWidth < 64 else { return }
            let tooGreat = try CompactPageCodec<UInt64>().encode([UInt64(Value.max) + 1])
            #expect(throws: PageCodingError.self) { try codec.decode(tooGreat) }
        }
        try check(Int.self)
        try check(Int8.self)
        try check(Int16.self)
        try check(Int32.self)
        try check(Int64.self)
        try check(UInt.self)
        try check(UInt8.self)
        try check(UInt16.self)
        try check(UInt32.self)
        try check(UInt64.self)
        // Whole numbers are read as ones with a fraction too, so that a field may change its type.
        #expect(try CompactPageCodec<Double>().decode(CompactPageCodec<Int>().encode([-3])) == [-3])
        #expect(try CompactPageCodec<Float>().decode(CompactPageCodec<UInt64>().encode([3])) == [3])
    }

    @Test
    func `What is no UTF-8 is refused, also where a repaired text would be as long`() throws {
        let good: [[UInt8]] = [[], Array("a".utf8), Array("é".utf8), Array("12345678é".utf8), Array("\u{fffd}".utf8)]
        let bad: [[UInt8]] = [
            [0xff], [0xc3, 0x28], [0xf0, 0x9f, 0x98], [0xed, 0xa0, 0x80], [0xc0, 0x80],
            Array("12345678".utf8) + [0xf0, 0x9f, 0x98],
        ]
        for text in good + bad {
            // One item: its length, its text's length, the text.
            let binary = [1, UInt8(text.count + 1), UInt8(text.count)] + text
            let value = [7, UInt8(text.count)] + text
            let array = [9] + bytes(of: UInt32(4 + value.count)) + bytes(of: 1) + value
            let compact = [1] + array + [0] + bytes(of: UInt32(1 + array.count))
            let isGood = good.contains(text)
            #expect(
                (try? BinaryPageCodec<Text>().decode(binary).map(\.text.utf8.count)) == (isGood ? [text.count] : nil))
            let texts = try? CompactPageCodec<String>().decode(compact)
            #expect(texts.map { Array($0[0].utf8) } == (isGood ? text : nil))
        }
    }

    private struct Text: BinaryPageItem {
        let text: String
        init(text: String) { self.text = text }
        init(from reader: inout PageByteReader) throws { text = try reader.readString() }
        func write(to writer: inout PageByteWriter) { writer.write(text) }
    }

    @Test
    func `Items of very different lengths come back, in any order`() throws {
        let lengths = [0, 126, 127, 128, 3, 16_383, 16_384, 20_000, 1, 130, 2_100_000, 5, 0]
        let texts = lengths.map { Text(text: String(repeating: "x", count: $0)) }
        let codec = BinaryPageCodec<Text>()
        #expect(try codec.decode(codec.encode(texts)).map(\.text.utf8.count) == lengths)
    }

    @Test
    func `A field that is null or missing is read as none, wherever it is looked for`() throws {
        struct Full: Codable, Sendable {
            var a: Int?
            var b: String?
            var c: Double?
            var d: Bool?
            var e: [Int]?
            var f: Int8?
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                // Nulls are written, as the synthesized form does not.
                try container.encode(f, forKey: .f)
                try container.encode(a, forKey: .a)
                try container.encode(c, forKey: .c)
                try container.encode(b, forKey: .b)
                if e != nil { try container.encode(e, forKey: .e) }
                try container.encode(d, forKey: .d)
            }
        }
        let fulls = [
            Full(), Full(a: 1, b: "b", c: 1.5, d: false, e: [1], f: 2), Full(b: "x"), Full(d: true, e: []),
        ]
        let codec = CompactPageCodec<Full>()
        let read = try codec.decode(codec.encode(fulls))
        #expect(read.map(\.a) == fulls.map(\.a))
        #expect(read.map(\.b) == fulls.map(\.b))
        #expect(read.map(\.c) == fulls.map(\.c))
        #expect(read.map(\.d) == fulls.map(\.d))
        #expect(read.map(\.e) == fulls.map(\.e))
        #expect(read.map(\.f) == fulls.map(\.f))
    }

    @Test
    func `Canonically equal field names stay apart`() throws {
        struct Twins: Codable, Hashable, Sendable {
            var one: Int
            var two: Int
            enum CodingKeys: String, CodingKey {
                case one = "\u{e9}"
                case two = "e\u{301}"
            }
        }
        let codec = CompactPageCodec<Twins>()
        #expect(try codec.decode(codec.encode([Twins(one: 1, two: 2)])) == [Twins(one: 1, two: 2)])
    }

    @Test
    func `An optional field added later, removed fields and a new order stay readable`() throws {
        struct Old: Codable, Hashable, Sendable {
            var id: Int
            var title: String
            var legacy: [String: [Int]]
        }
        struct New: Codable, Hashable, Sendable {
            var subtitle: String?
            var title: String
            var id: Int
            var likes: Int?
        }
        let olds = (0..<20).map { Old(id: $0, title: "t\($0)", legacy: ["x": [$0, 1]]) }
        let bytes = try CompactPageCodec<Old>().encode(olds)
        let news = try CompactPageCodec<New>().decode(bytes)
        #expect(news == olds.map { New(subtitle: nil, title: $0.title, id: $0.id, likes: nil) })
        #expect(throws: PageCodingError.self) { try CompactPageCodec<CodecStory>().decode(bytes) }
        // The same by hand, in both directions.
        struct Long: BinaryPageItem {
            var id: Int
            var note: String?
            func write(to writer: inout PageByteWriter) {
                writer.write(id)
                writer.write(optional: note) { $0.write($1) }
            }
            init(id: Int, note: String?) { (self.id, self.note) = (id, note) }
            init(from reader: inout PageByteReader) throws {
                id = try reader.readInt()
                note = try reader.isAtEnd ? nil : reader.readOptional { try $0.readString() }
            }
        }
        struct Short: BinaryPageItem {
            var id: Int
            func write(to writer: inout PageByteWriter) { writer.write(id) }
            init(id: Int) { self.id = id }
            init(from reader: inout PageByteReader) throws { id = try reader.readInt() }
        }
        let shorts = try BinaryPageCodec<Short>().encode([Short(id: 1), Short(id: 2)])
        #expect(try BinaryPageCodec<Long>().decode(shorts).map(\.id) == [1, 2])
        let longs = try BinaryPageCodec<Long>().encode([Long(id: 3, note: "n"), Long(id: 4, note: nil)])
        #expect(try BinaryPageCodec<Short>().decode(longs).map(\.id) == [3, 4])
    }

    @Test
    func `Containers asked for apart, twice, or through super come back`() throws {
        class Base: Codable {
            var base: Int
            init(base: Int) { self.base = base }
        }
        final class Derived: Base {
            var own: [Int] = []
            enum Key: String, CodingKey { case own, nested, a, b }
            init(base: Int, own: [Int]) {
                super.init(base: base)
                self.own = own
            }
            required init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                let nested = try container.nestedContainer(keyedBy: Key.self, forKey: .nested)
                var list = try nested.nestedUnkeyedContainer(forKey: .own)
                var own: [Int] = []
                while !list.isAtEnd { own.append(try list.decode(Int.self)) }
                _ = try nested.decode(String.self, forKey: .a)
                _ = try container.decode(Bool.self, forKey: .b)
                try super.init(from: container.superDecoder())
                self.own = own
            }
            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                // The nested containers are filled after their parents went on.
                var nested = container.nestedContainer(keyedBy: Key.self, forKey: .nested)
                var list = nested.nestedUnkeyedContainer(forKey: .own)
                try super.encode(to: container.superEncoder())
                try container.encode(true, forKey: .b)
                try nested.encode("a", forKey: .a)
                for number in own { try list.encode(number) }
            }
        }
        struct Box: Codable, Sendable {
            let value: [Int]
            init(value: [Int]) { self.value = value }
            init(from decoder: any Decoder) throws {
                let derived = try Derived(from: decoder)
                value = derived.own + [derived.base]
            }
            func encode(to encoder: any Encoder) throws {
                try Derived(base: value[0], own: value).encode(to: encoder)
            }
        }
        let codec = CompactPageCodec<Box>()
        let bytes = try codec.encode([Box(value: [1, 2, 300]), Box(value: [7])])
        #expect(try codec.decode(bytes).map(\.value) == [[1, 2, 300, 1], [7, 7]])
    }

    @Test
    func `Too deep a value is refused, both ways`() throws {
        final class Node: Codable, Sendable {
            let next: Node?
            init(next: Node?) { self.next = next }
        }
        func chain(_ length: Int) -> Node { (1..<length).reduce(Node(next: nil)) { node, _ in Node(next: node) } }
        let codec = CompactPageCodec<Node>()
        _ = try codec.decode(codec.encode([chain(CompactFormat.maxDepth - 1)]))
        // The list of items is one, too.
        for length in [CompactFormat.maxDepth, CompactFormat.maxDepth + 1] {
            #expect(throws: PageCodingError.self) { try codec.encode([chain(length)]) }
        }
        // Arrays nested 10,000 deep, made by hand, read by a type that follows them as deep as they go.
        struct Deep: Codable, Sendable {
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                while !container.isAtEnd { _ = try container.decode(Deep.self) }
            }
            func encode(to encoder: any Encoder) throws {}
        }
        var body: [UInt8] = []
        for _ in 0..<10_000 {
            let length = UInt32(body.count + 4)
            body = [9] + bytes(of: length) + bytes(of: body.isEmpty ? 0 : 1) + body
        }
        let page = [1] + body + [0] + bytes(of: UInt32(1 + body.count))
        #expect(throws: PageCodingError.self) { try CompactPageCodec<Deep>().decode(page) }
    }

    @Test
    func `JSON is written for people: names in order, slashes as they are`() throws {
        struct Link: Codable, Sendable {
            var url: String
            var id: Int
            var title: String
        }
        let bytes = try JSONPageCodec<Link>().encode([Link(url: "https://example.com/a", id: 1, title: "A")])
        #expect(String(decoding: bytes, as: UTF8.self) == #"[{"id":1,"title":"A","url":"https://example.com/a"}]"#)
    }

    @Test
    func `A raw item is decoded once, on first use`() throws {
        let item = RawItem<RawText>(Array("hello".utf8))
        let codec = RawPageCodec<RawText>()
        let read = try codec.decode(codec.encode([item]))
        #expect(read[0].bytes == item.bytes)
        #expect(try read[0].value.text == "hello")
        let bad = RawItem<RawText>([0xff])
        #expect(throws: PageCodingError.self) { try bad.value }
        #expect(throws: PageCodingError.self) { try bad.value }
    }

    @Test
    func `A field that is written twice is refused, because readers would find the first value`() throws {
        class Base: Encodable {
            enum Key: String, CodingKey { case kind, id }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode("base", forKey: .kind)
            }
        }
        final class Derived: Base {
            override func encode(to encoder: any Encoder) throws {
                try super.encode(to: encoder)
                var container = encoder.container(keyedBy: Key.self)
                try container.encode("derived", forKey: .kind)
            }
        }
        struct Box: Codable, Sendable {
            init() {}
            init(from decoder: any Decoder) throws {}
            func encode(to encoder: any Encoder) throws { try Derived().encode(to: encoder) }
        }
        #expect(throws: PageCodingError.self) { try CompactPageCodec<Box>().encode([Box()]) }
    }

    @Test
    func `A field that is written twice is refused, however many names there are, and a nested one too`() throws {
        struct Field: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(_ number: Int) { stringValue = "\(number)" }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        struct Wide: Codable, Sendable {
            var fields: [Int]
            var nested: [Int] = []
            init(fields: [Int], nested: [Int] = []) { (self.fields, self.nested) = (fields, nested) }
            init(from decoder: any Decoder) throws {
                fields = try decoder.container(keyedBy: Field.self).allKeys.compactMap { Int($0.stringValue) }
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Field.self)
                for field in fields {
                    // Values inside have the same names.
                    try container.encode(["0": field, "199": field], forKey: Field(field))
                }
                for field in nested {
                    var inner = container.nestedContainer(keyedBy: Field.self, forKey: Field(field))
                    try inner.encode(1, forKey: Field(field))
                }
            }
        }
        let codec = CompactPageCodec<Wide>()
        let all = Array(0..<200)
        let good = [Wide(fields: all), Wide(fields: all.reversed()), Wide(fields: [5, 150]), Wide(fields: all)]
        #expect(try codec.decode(codec.encode(good)).map { Set($0.fields) } == good.map { Set($0.fields) })
        for field in [0, 5, 62, 63, 64, 127, 128, 199] {
            for bad in [Wide(fields: all + [field]), Wide(fields: [], nested: [field, field])] {
                #expect(throws: PageCodingError.self) { try codec.encode(good + [bad]) }
            }
        }
    }

    private func bytes(of number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}

struct RawText: RawDecodable {
    let text: String
    init(rawBytes: [UInt8]) throws {
        text = String(decoding: rawBytes, as: UTF8.self)
        guard text.utf8.elementsEqual(rawBytes) else { throw PageCodingError("Not a text.") }
    }
}
