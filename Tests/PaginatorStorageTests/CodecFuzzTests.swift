import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// No bytes may trap a codec or keep it busy for long; what comes out, if anything, is well-formed.
@Suite("Codecs on hostile bytes")
struct CodecFuzzTests {
    /// PAGINATOR_LONG=1 makes the run twenty times as long.
    private static let rounds = ProcessInfo.processInfo.environment["PAGINATOR_LONG"] == nil ? 1_500 : 30_000

    @Test
    func `Random bytes are read or refused, never trap`() {
        for seed in 0..<UInt64(Self.rounds) {
            var random = SeededRandom(seed: seed)
            var bytes = (0..<random.number(in: 0..<200)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            // Half of them look right at first sight.
            if random.chance(0.5), bytes.count > 8 {
                bytes[0] = 1
                bytes[1] = 9
                let table = UInt32(random.number(in: 0..<bytes.count))
                withUnsafeBytes(of: table.littleEndian) {
                    bytes.replaceSubrange(bytes.count - 4..<bytes.count, with: $0)
                }
            }
            readWithEveryCodec(bytes)
        }
    }

    @Test
    func `Mutated pages are read or refused, never trap`() throws {
        var refused = 0
        for seed in 0..<UInt64(Self.rounds) {
            var random = SeededRandom(seed: seed)
            let stories = (0..<2).map { _ in CodecStory.random(&random, depth: 1) }
            let posts = (0..<3).map { _ in CodecPost.random(&random) }
            for original in [
                try CompactPageCodec<CodecStory>().encode(stories), try BinaryPageCodec<CodecPost>().encode(posts),
            ] {
                var bytes = original
                for _ in 0...random.number(in: 0..<4) { mutate(&bytes, &random) }
                refused += readWithEveryCodec(bytes)
            }
        }
        #expect(refused > Self.rounds)
    }

    @Test
    func `A page cut short anywhere is refused`() throws {
        var random = SeededRandom(seed: 7)
        let stories = try CompactPageCodec<CodecStory>().encode([.random(&random)])
        for count in 0..<stories.count {
            #expect(throws: (any Error).self) { try CompactPageCodec<CodecStory>().decode(Array(stories[..<count])) }
        }
        let posts = try BinaryPageCodec<CodecPost>().encode([.random(&random), .random(&random)])
        for count in 0..<posts.count {
            #expect(throws: (any Error).self) { try BinaryPageCodec<CodecPost>().decode(Array(posts[..<count])) }
        }
    }

    /// Returns how many codecs refused the bytes.
    @discardableResult
    private func readWithEveryCodec(_ bytes: [UInt8]) -> Int {
        var refused = 0
        func attempt(_ body: () throws -> Void) {
            do { try body() } catch { refused += 1 }
        }
        attempt { _ = try CompactPageCodec<CodecStory>().decode(bytes) }
        attempt { _ = try CompactPageCodec<[[String: Int?]]>().decode(bytes) }
        attempt { _ = try BinaryPageCodec<CodecPost>().decode(bytes) }
        attempt { _ = try RawPageCodec<RawText>().decode(bytes).map { try $0.value } }
        return refused
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        guard !bytes.isEmpty else { return }
        let index = random.number(in: 0..<bytes.count)
        switch random.number(in: 0..<5) {
        case 0: bytes[index] ^= 1 << UInt8(random.number(in: 0..<8))
        case 1: bytes[index] = UInt8(truncatingIfNeeded: random.next())
        case 2: bytes.remove(at: index)
        case 3: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: index)
        default:
            let end = min(bytes.count, index + random.number(in: 1..<9))
            bytes.replaceSubrange(index..<end, with: repeatElement(0xff, count: end - index))
        }
    }
}
