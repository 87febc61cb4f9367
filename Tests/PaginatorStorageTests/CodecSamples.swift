import PaginatorCore
import PaginatorStorage
import PaginatorTesting

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An item with every kind of field that codecs meet.
struct CodecStory: Codable, Hashable, Sendable {
    struct Author: Codable, Hashable, Sendable {
        var name: String
        var followers: Int?
    }

    enum Kind: String, Codable, Hashable, Sendable, CaseIterable { case text, image, video }

    enum Attachment: Codable, Hashable, Sendable {
        case link(URL)
        case poll(options: [String], open: Bool)
        case none
    }

    var id: Int64
    var title: String
    var kind: Kind
    var author: Author
    var score: Double
    var ratio: Float
    var flags: UInt8
    var hash: UInt64
    var tags: [String]
    var counts: [String: Int]
    var numbers: [Int: String]
    var nested: [[Int?]]
    var published: Date
    var token: UUID
    var bytes: Data
    var attachment: Attachment
    var isPinned: Bool
    var reply: [CodecStory]
    var note: String?

    static func random(_ random: inout SeededRandom, depth: Int = 0) -> CodecStory {
        func text(_ random: inout SeededRandom) -> String {
            SamplePages.texts[random.number(in: 0..<SamplePages.texts.count)] + String(random.number(in: 0..<1_000))
        }
        let numbers = (0..<random.number(in: 0..<4)).map { ($0, text(&random)) }
        return CodecStory(
            id: Int64(truncatingIfNeeded: random.next()),
            title: text(&random),
            kind: Kind.allCases[random.number(in: 0..<3)],
            author: Author(name: text(&random), followers: random.chance(0.5) ? random.number(in: -5..<100_000) : nil),
            score: random.chance(0.1) ? .infinity : Double(random.number(in: -1_000..<1_000)) / 7,
            ratio: Float(random.number(in: 0..<100)) / 3,
            flags: UInt8(truncatingIfNeeded: random.next()),
            hash: random.next(),
            tags: (0..<random.number(in: 0..<5)).map { _ in text(&random) },
            counts: Dictionary(numbers.map { ($1, $0) }) { first, _ in first },
            numbers: Dictionary(uniqueKeysWithValues: numbers),
            nested: [[1, nil, -3], [], [random.number(in: 0..<1 << 40)]],
            published: Date(timeIntervalSinceReferenceDate: Double(random.number(in: -1_000_000..<1_000_000)) / 3),
            token: withUnsafeBytes(of: (random.next(), random.next())) { UUID(uuid: $0.load(as: uuid_t.self)) },
            bytes: Data((0..<random.number(in: 0..<40)).map { UInt8($0) }),
            attachment: [
                .none, .poll(options: ["a", "b\u{0}"], open: true), .link(URL(string: "https://example.com/ü?q=1")!),
            ][random.number(in: 0..<3)],
            isPinned: random.chance(0.5),
            reply: depth < 2 ? (0..<random.number(in: 0..<2)).map { _ in .random(&random, depth: depth + 1) } : [],
            note: random.chance(0.3) ? text(&random) : nil)
    }
}

/// A hot item, as a user writes one.
struct CodecPost: BinaryPageItem, Hashable {
    var id: Int
    var text: String
    var likes: Int?
    var tags: [String]
    var score: Double

    init(id: Int, text: String, likes: Int?, tags: [String], score: Double) {
        (self.id, self.text, self.likes, self.tags, self.score) = (id, text, likes, tags, score)
    }

    func write(to writer: inout PageByteWriter) {
        writer.write(id)
        writer.write(text)
        writer.write(optional: likes) { $0.write($1) }
        writer.write(all: tags) { $0.write($1) }
        writer.write(score)
    }

    init(from reader: inout PageByteReader) throws {
        id = try reader.readInt()
        text = try reader.readString()
        likes = try reader.readOptional { try $0.readInt() }
        tags = try reader.readAll { try $0.readString() }
        score = try reader.readDouble()
    }

    static func random(_ random: inout SeededRandom) -> CodecPost {
        CodecPost(
            id: Int(truncatingIfNeeded: random.next()),
            text: String(repeating: "ä🙂", count: random.number(in: 0..<200)),
            likes: random.chance(0.5) ? random.number(in: 0..<1_000) : nil,
            tags: (0..<random.number(in: 0..<5)).map { "tag\($0)" },
            score: Double(random.number(in: 0..<1_000)) / 9)
    }
}
