import PaginatorCore
import Testing

@testable import PaginatorStorage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What hand-written `Codable` forms may do with the containers of the compact codec.
@Suite("Containers of the compact codec")
struct CodecContainerTests {
    @Test func `A URL takes no more room than its text, wherever it stands`() throws {
        struct Link: Codable, Hashable, Sendable { var url: URL? }
        struct Text: Codable, Hashable, Sendable { var url: String? }
        let texts = ["https://example.com/a%20b", "https://example.org/?q=1#top"]
        let urls = try texts.map { try #require(URL(string: $0)) }
        let plain = try CompactPageCodec<URL>().encode(urls)
        #expect(try plain == CompactPageCodec<String>().encode(texts))
        #expect(try CompactPageCodec<URL>().decode(plain) == urls)
        let links = urls.map { Link(url: $0) } + [Link()]
        let fields = try CompactPageCodec<Link>().encode(links)
        #expect(try fields == CompactPageCodec<Text>().encode(texts.map { Text(url: $0) } + [Text()]))
        #expect(try CompactPageCodec<Link>().decode(fields) == links)
    }

    @Test func `A list tells how many elements it has while it is written`() throws {
        struct Counted: Codable, Sendable {
            var names: [String]
            var counts: [Int] = []

            init(names: [String]) { self.names = names }

            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                names = []
                while !list.isAtEnd {
                    names.append(try list.decode(String.self))
                    counts.append(try list.decode(Int.self))
                }
            }

            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                for name in names {
                    try list.encode(name)
                    let count = list.count
                    try list.encode(count)
                }
            }
        }
        let codec = CompactPageCodec<Counted>()
        let read = try codec.decode(codec.encode([Counted(names: ["a", "b", "c"]), Counted(names: ["d"])]))
        #expect(read.map(\.names) == [["a", "b", "c"], ["d"]])
        #expect(read.map(\.counts) == [[1, 3, 5], [1]])
    }

    @Test func `A list that is kept after its value was written has no elements, and traps nobody`() throws {
        final class Keeper: Encodable {
            private(set) var list: (any UnkeyedEncodingContainer)?

            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                try list.encode(1)
                self.list = list
            }
        }
        let keeper = Keeper()
        _ = try CompactOutput.encode(keeper)
        #expect(keeper.list?.count == 0)
    }

    @Test func `A value that goes on in the container of an earlier one is refused, also if nothing there throws`() {
        final class Shelf { var list: (any UnkeyedEncodingContainer)? }
        struct Early: Encodable {
            let shelf: Shelf

            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                try list.encode(1)
                shelf.list = list
            }
        }
        struct Late: Encodable {
            let shelf: Shelf

            func encode(to encoder: any Encoder) throws {
                var own = encoder.unkeyedContainer()
                try own.encode(2)
                _ = shelf.list?.nestedUnkeyedContainer()
            }
        }
        struct Both: Encodable {
            func encode(to encoder: any Encoder) throws {
                let shelf = Shelf()
                var list = encoder.unkeyedContainer()
                try list.encode(Early(shelf: shelf))
                try list.encode([Late(shelf: shelf)])
            }
        }
        #expect(throws: PageCodingError.self) { try CompactOutput.encode(Both()) }
    }

    @Test func `A value that writes into the place of an earlier one is refused`() {
        final class Shelf { var encoder: (any Encoder)? }
        struct Early: Encodable {
            let shelf: Shelf

            func encode(to encoder: any Encoder) throws {
                var place = encoder.singleValueContainer()
                try place.encode(1)
                shelf.encoder = encoder
            }
        }
        struct Late: Encodable {
            let shelf: Shelf

            func encode(to encoder: any Encoder) throws {
                var own = encoder.unkeyedContainer()
                try own.encode(2)
                var place = shelf.encoder?.singleValueContainer()
                try place?.encode(3)
            }
        }
        struct Both: Encodable {
            func encode(to encoder: any Encoder) throws {
                let shelf = Shelf()
                var list = encoder.unkeyedContainer()
                try list.encode(Early(shelf: shelf))
                // Deeper than the earlier one.
                try list.encode([Late(shelf: shelf)])
            }
        }
        #expect(throws: PageCodingError.self) { try CompactOutput.encode(Both()) }
    }

    @Test func `An enumeration with values of one byte comes back, as an item and as a field`() throws {
        enum Level: UInt8, Codable, Sendable { case low = 0, middle = 100, high = 255 }
        struct Alarm: Codable, Hashable, Sendable {
            var level: Level
            var before: [Level?]
        }
        let levels: [Level] = [.low, .middle, .high]
        let items = CompactPageCodec<Level>()
        #expect(try items.decode(items.encode(levels)) == levels)
        let alarms = levels.map { Alarm(level: $0, before: [nil, .high, $0]) }
        let fields = CompactPageCodec<Alarm>()
        #expect(try fields.decode(fields.encode(alarms)) == alarms)
    }

    @Test func `A value that stands for a truth takes no more space than that, and comes back`() throws {
        struct Consent: Codable, Hashable, Sendable {
            let isGiven: Bool

            init(isGiven: Bool) { self.isGiven = isGiven }

            init(from decoder: any Decoder) throws {
                isGiven = try decoder.singleValueContainer().decode(Bool.self)
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(isGiven)
            }
        }
        struct Account: Codable, Hashable, Sendable {
            var consent: Consent
            var before: [Consent?]
        }
        let consents = [true, false].map { Consent(isGiven: $0) }
        let items = CompactPageCodec<Consent>()
        let bytes = try items.encode(consents)
        #expect(try bytes == CompactPageCodec<Bool>().encode([true, false]))
        #expect(try items.decode(bytes) == consents)
        let accounts = consents.map { Account(consent: $0, before: [nil, $0]) }
        let fields = CompactPageCodec<Account>()
        #expect(try fields.decode(fields.encode(accounts)) == accounts)
    }

    @Test func `A page of thousands of numbers comes back, whatever their sizes`() throws {
        // Of every length, from ten bytes to one.
        let numbers = (0..<5_000).map { Int.min >> ($0 % Int.bitWidth) }
        let items = CompactPageCodec<Int>()
        #expect(try items.decode(items.encode(numbers)) == numbers)
        let hashes = (0..<5_000).map { UInt64.max >> UInt64($0 % 64) }
        let others = CompactPageCodec<UInt64>()
        #expect(try others.decode(others.encode(hashes)) == hashes)
    }

    @Test func `A tree with lists of branches may be as deep as other values`() throws {
        struct Branch: Codable, Hashable, Sendable { var branches: [Branch] = [] }
        func tree(_ height: Int) -> Branch {
            (1..<height).reduce(Branch()) { inner, _ in Branch(branches: [inner]) }
        }
        let codec = CompactPageCodec<Branch>()
        // Each branch counts twice, with its list, and the list of items once.
        let highest = (CompactFormat.maxDepth - 1) / 2
        #expect(try codec.decode(codec.encode([tree(highest)])) == [tree(highest)])
        #expect(throws: PageCodingError.self) { try codec.encode([tree(highest + 1)]) }
    }

    private struct Step: Codable, Sendable {
        let next: Box?

        var length: Int { 1 + (next?.step.length ?? 0) }
    }

    /// Lets a step contain another; in the bytes it is that step.
    private final class Box: Codable, Sendable {
        let step: Step

        init(_ step: Step) { self.step = step }

        init(from decoder: any Decoder) throws { step = try decoder.singleValueContainer().decode(Step.self) }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(step)
        }
    }

    @Test func `A chain of values in boxes, of which the bytes show nothing, may be as deep as other values`() throws {
        func chain(_ length: Int) -> Step { (1..<length).reduce(Step(next: nil)) { step, _ in Step(next: Box(step)) } }
        let codec = CompactPageCodec<Step>()
        // Each step but the first counts twice, with its box, and the list of items once.
        let longest = CompactFormat.maxDepth / 2
        #expect(try codec.decode(codec.encode([chain(longest)])).map(\.length) == [longest])
        #expect(throws: PageCodingError.self) { try codec.encode([chain(longest + 1)]) }
    }

    @Test func `A value that asks for its place and writes nothing there is null`() throws {
        struct Blank: Codable, Sendable {
            init() {}

            init(from decoder: any Decoder) throws {
                guard try decoder.singleValueContainer().decodeNil() else { throw PageCodingError.malformed }
            }

            func encode(to encoder: any Encoder) throws { _ = encoder.singleValueContainer() }
        }
        let codec = CompactPageCodec<Blank>()
        #expect(try codec.decode(codec.encode([Blank(), Blank()])).count == 2)
    }

    @Test func `Containers that are asked for apart are as deep as other values may be, and no deeper, both ways`()
        throws
    {
        /// Lists in a list, each within the one before.
        struct Nest: Codable, Sendable {
            var depth = 0

            init(depth: Int) { self.depth = depth }

            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                while !list.isAtEnd {
                    let inner = try list.nestedUnkeyedContainer()
                    list = inner
                    depth += 1
                }
            }

            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                for _ in 0..<depth {
                    let inner = list.nestedUnkeyedContainer()
                    list = inner
                }
            }
        }
        /// Objects in an object, each within the one before.
        struct Tree: Codable, Sendable {
            enum Key: String, CodingKey { case a }
            var depth = 0

            init(depth: Int) { self.depth = depth }

            init(from decoder: any Decoder) throws {
                var object = try decoder.container(keyedBy: Key.self)
                while object.contains(.a) {
                    let inner = try object.nestedContainer(keyedBy: Key.self, forKey: .a)
                    object = inner
                    depth += 1
                }
            }

            func encode(to encoder: any Encoder) throws {
                var object = encoder.container(keyedBy: Key.self)
                for _ in 0..<depth {
                    let inner = object.nestedContainer(keyedBy: Key.self, forKey: .a)
                    object = inner
                }
            }
        }
        let codec = CompactPageCodec<Nest>()
        let trees = CompactPageCodec<Tree>()
        // The list of items and the item itself are two.
        let deepest = CompactFormat.maxDepth - 2
        #expect(try codec.decode(codec.encode([Nest(depth: deepest)])).map(\.depth) == [deepest])
        #expect(throws: PageCodingError.self) { try codec.encode([Nest(depth: deepest + 1)]) }
        #expect(try trees.decode(trees.encode([Tree(depth: deepest)])).map(\.depth) == [deepest])
        #expect(throws: PageCodingError.self) { try trees.encode([Tree(depth: deepest + 1)]) }
        /// A page with so many lists, each within the one before.
        func page(_ lists: Int) -> [UInt8] {
            var body: [UInt8] = []
            for _ in 0..<lists { body = [9] + bytes(UInt32(body.count + 4)) + bytes(body.isEmpty ? 0 : 1) + body }
            return [1] + body + [0] + bytes(UInt32(1 + body.count))
        }
        #expect(try codec.decode(page(CompactFormat.maxDepth)).map(\.depth) == [deepest])
        #expect(throws: PageCodingError.self) { try codec.decode(page(CompactFormat.maxDepth + 1)) }
        /// A page with a list, and so many objects, each in the field `a` of the one before.
        func treePage(_ objects: Int) -> [UInt8] {
            var body: [UInt8] = []
            for _ in 0..<objects {
                let content: [UInt8] = body.isEmpty ? [] : [0] + body
                body = [10] + bytes(UInt32(content.count)) + content
            }
            body = [9] + bytes(UInt32(body.count + 4)) + bytes(1) + body
            let names: [UInt8] = [1, 1, UInt8(ascii: "a")]
            return [1] + body + names + bytes(UInt32(1 + body.count))
        }
        let most = CompactFormat.maxDepth - 1
        #expect(try trees.decode(treePage(most)).map(\.depth) == [deepest])
        #expect(throws: PageCodingError.self) { try trees.decode(treePage(most + 1)) }
    }

    private func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }
}
