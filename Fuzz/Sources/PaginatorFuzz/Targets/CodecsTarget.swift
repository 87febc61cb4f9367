import Foundation

@testable import PaginatorCore
@testable import PaginatorStorage

/// The codecs: any bytes are read or refused; what was read, or made, is written and comes back as it was.
@Sendable
func fuzzCodecs(_ bytes: [UInt8]) {
    var input = FuzzInput(bytes)
    switch input.byte() % 16 {
    case 0: decode(CompactPageCodec<Story>(), input.rest())
    case 1: decode(CompactPageCodec<[[String: Int?]]>(), input.rest())
    case 2: decode(CompactPageCodec<Tree>(), input.rest())
    case 3: decode(CompactPageCodec<Child>(), input.rest())
    case 4: decode(CompactPageCodec<Story.Attachment>(), input.rest())
    case 5: decode(CompactPageCodec<[String]>(), input.rest())
    case 6: decode(CompactPageCodec<[Bits<Double>?]>(), input.rest())
    case 7: decode(CompactPageCodec<[UInt8: Stamp]>(), input.rest())
    case 8: decode(BinaryPageCodec<HotItem>(), input.rest())
    case 9:
        let codec = RawPageCodec<RawText>()
        guard let items = accepted({ try codec.decode(input.rest()) }) else { return }
        for item in items { _ = accepted { try item.value } }
        let again = accepted { try codec.decode(codec.encode(items)) }
        require(again?.map(\.bytes) == items.map(\.bytes), "raw bytes come back")
    case 10: decode(JSONPageCodec<Story>(), input.rest())
    case 11: cut(CompactPageCodec<Story>(), [Story(&input)], at: input.int())
    case 12: roundTrip(BinaryPageCodec<HotItem>(), [HotItem(&input), HotItem(&input)])
    case 13: roundTrip(JSONPageCodec<Story>(), [Story(&input)])
    default: roundTrip(CompactPageCodec<Story>(), [Story(&input), Story(&input)])
    }
}

private func decode<Codec: PageCodec>(_ codec: Codec, _ bytes: [UInt8]) where Codec.Item: Equatable {
    guard let items = accepted({ try codec.decode(bytes) }) else { return }
    // Codec JSON refuses nothing that it has read, and the compact one does not know a tree that is deeper than itself.
    roundTrip(codec, items)
}

private func roundTrip<Codec: PageCodec>(_ codec: Codec, _ items: [Codec.Item]) where Codec.Item: Equatable {
    guard let bytes = accepted({ try codec.encode(items) }) else {
        return require(false, "what a codec reads, it writes")
    }
    guard let again = accepted({ try codec.decode(bytes) }) else {
        return require(false, "what a codec writes, it reads")
    }
    require(again == items, "items come back from \(codec.tag) as they were: \(items) and \(again)")
}

private func cut<Codec: PageCodec>(_ codec: Codec, _ items: [Codec.Item], at place: Int) {
    guard let bytes = accepted({ try codec.encode(items) }) else { return require(false, "items can be written") }
    let end = Int(place.magnitude % UInt(bytes.count))
    require(accepted { try codec.decode(Array(bytes[..<end])) } == nil, "a page cut short is refused")
}
