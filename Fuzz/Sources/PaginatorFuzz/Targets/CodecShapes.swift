import Foundation

@testable import PaginatorCore
@testable import PaginatorStorage

/// Values of every kind that `Codable` types are made of. Numbers with a fraction are compared by their bits.
struct Story: Codable, Equatable, Sendable {
    enum Kind: String, Codable, Sendable { case text, image, video }

    indirect enum Attachment: Codable, Equatable, Sendable {
        case link(URL)
        case poll(options: [String], open: Bool)
        case quote(Story)
        case none
    }

    struct Author: Codable, Equatable, Sendable {
        var name: String
        var followers: Int?
    }

    var id: Int64
    var title: String
    var kind: Kind
    var author: Author?
    var score: Bits<Double>
    var ratio: Bits<Float>
    var flags: UInt8
    var small: Int8
    var hash: UInt64
    var tags: [String]
    var counts: [String: Int]
    var numbers: [Int: String]
    var nested: [[Int?]]
    var published: Stamp
    var token: UUID
    var bytes: Data
    var raw: [UInt8]
    var attachment: Attachment
    var isPinned: Bool
    var replies: [Story]

    init(_ input: inout FuzzInput, depth: Int = 0) {
        id = Int64(input.int())
        title = input.text()
        kind = input.element(of: [.text, .image, .video])
        author = input.bool() ? Author(name: input.text(), followers: input.bool() ? input.int() : nil) : nil
        score = Bits(input.double())
        ratio = Bits(Float(bitPattern: UInt32(truncatingIfNeeded: input.word())))
        flags = input.byte()
        small = Int8(bitPattern: input.byte())
        hash = input.word()
        tags = (0..<Int(input.byte() & 3)).map { _ in input.text() }
        counts = [:]
        for _ in 0..<Int(input.byte() & 3) { counts[input.text()] = input.int() }
        numbers = [:]
        for _ in 0..<Int(input.byte() & 3) { numbers[input.int()] = input.text() }
        nested = (0..<Int(input.byte() & 3)).map { _ in
            (0..<Int(input.byte() & 3)).map { _ in input.bool() ? input.int() : nil }
        }
        published = Stamp(Date(timeIntervalSinceReferenceDate: input.double()))
        let halves = (input.word(), input.word())
        token = withUnsafeBytes(of: halves) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        bytes = Data(input.take(Int(input.byte() & 31)))
        raw = input.take(Int(input.byte() & 31))
        switch input.byte() & 3 {
        case 0: attachment = .none
        case 1: attachment = URL(string: input.text()).map(Attachment.link) ?? .none
        case 2: attachment = .poll(options: [input.text()], open: input.bool())
        default: attachment = depth < 3 ? .quote(Story(&input, depth: depth + 1)) : .none
        }
        isPinned = input.bool()
        replies = []
        if depth < 3, input.byte() & 7 == 7 { replies = [Story(&input, depth: depth + 1)] }
    }
}

/// A number that is equal to another when the bits are; what is no number is equal to every such.
struct Bits<Number: BinaryFloatingPoint & Codable & Sendable>: Codable, Equatable, Sendable {
    var number: Number

    init(_ number: Number) { self.number = number }

    init(from decoder: any Decoder) throws { number = try decoder.singleValueContainer().decode(Number.self) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }

    static func == (left: Self, right: Self) -> Bool {
        left.number.isNaN && right.number.isNaN || left.number == right.number && left.number.sign == right.number.sign
    }
}

/// A date that is equal to another when the bits are.
struct Stamp: Codable, Equatable, Sendable {
    var date: Date

    init(_ date: Date) { self.date = date }

    init(from decoder: any Decoder) throws { date = try decoder.singleValueContainer().decode(Date.self) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(date)
    }

    static func == (left: Self, right: Self) -> Bool {
        Bits(left.date.timeIntervalSinceReferenceDate) == Bits(right.date.timeIntervalSinceReferenceDate)
    }
}

/// A tree, as deep as the bytes say.
struct Tree: Codable, Equatable, Sendable {
    var children: [Tree]
}

/// Classes that write their parent's part apart, and containers that are asked for by hand.
class Parent: Codable {
    var name = ""

    init() {}

    private enum Keys: String, CodingKey { case name }

    required init(from decoder: any Decoder) throws {
        name = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .name)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(name, forKey: .name)
    }
}

final class Child: Parent, Equatable, @unchecked Sendable {
    var list: [Int] = []
    var pairs: [String: Int] = [:]

    override init() { super.init() }

    private enum Keys: String, CodingKey { case list, pairs, parent }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        try super.init(from: container.superDecoder(forKey: .parent))
        var values = try container.nestedUnkeyedContainer(forKey: .list)
        while !values.isAtEnd { list.append(try values.decode(Int.self)) }
        let inner = try container.nestedContainer(keyedBy: AnyName.self, forKey: .pairs)
        for key in inner.allKeys { pairs[key.stringValue] = try inner.decode(Int.self, forKey: key) }
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try super.encode(to: container.superEncoder(forKey: .parent))
        var values = container.nestedUnkeyedContainer(forKey: .list)
        for value in list { try values.encode(value) }
        var inner = container.nestedContainer(keyedBy: AnyName.self, forKey: .pairs)
        for (name, value) in pairs { try inner.encode(value, forKey: AnyName(stringValue: name)) }
    }

    static func == (left: Child, right: Child) -> Bool {
        left.name == right.name && left.list == right.list && left.pairs == right.pairs
    }
}

struct AnyName: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// An item that writes its own bytes.
struct HotItem: BinaryPageItem, Equatable {
    var id: Int
    var text: String
    var likes: Int?
    var tags: [String]
    var score: Bits<Double>
    var bytes: [UInt8]

    init(_ input: inout FuzzInput) {
        id = input.int()
        text = input.text()
        likes = input.bool() ? input.int() : nil
        tags = (0..<Int(input.byte() & 3)).map { _ in input.text() }
        score = Bits(input.double())
        bytes = input.take(Int(input.byte()))
    }

    init(from reader: inout PageByteReader) throws {
        id = try reader.readInt()
        text = try reader.readString()
        likes = try reader.readOptional { try $0.readInt() }
        tags = try reader.readAll { try $0.readString() }
        score = Bits(try reader.readDouble())
        bytes = try reader.isAtEnd ? [] : reader.readBytes()
    }

    func write(to writer: inout PageByteWriter) {
        writer.write(id)
        writer.write(text)
        writer.write(optional: likes) { $0.write($1) }
        writer.write(all: tags) { $0.write($1) }
        writer.write(score.number)
        writer.write(bytes)
    }
}

/// Bytes that are a text or nothing.
struct RawText: RawDecodable {
    var text: String

    init(rawBytes: [UInt8]) throws {
        guard let text = String(validating: rawBytes, as: UTF8.self) else { throw PageCodingError.notText }
        self.text = text
    }
}
