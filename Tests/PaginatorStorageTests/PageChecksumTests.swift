import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorStorage

@Suite("The checksum of pages")
struct PageChecksumTests {
    private func sum(_ bytes: [UInt8]) -> UInt64 {
        var checksum = PageChecksum()
        bytes.withUnsafeBytes { checksum.combine(bytes: $0) }
        return checksum.value
    }

    @Test
    func `Any single changed bit, and any cut, changes it`() {
        for count in [0, 1, 7, 8, 9, 16, 17, 32, 33, 47, 48, 49, 65, 81, 95, 96, 97, 300] {
            var random = SeededRandom(seed: UInt64(count))
            var bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let original = sum(bytes)
            for bit in 0..<count * 8 {
                bytes[bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(sum(bytes) != original, "\(count) bytes, bit \(bit)")
                bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            }
            for shorter in 0..<count { #expect(sum(Array(bytes[..<shorter])) != original) }
            #expect(sum(bytes) == original)
        }
    }

    /// Computed by a program in another language.
    @Test(
        arguments: [
            (48, 16_901_943_293_499_219_261), (96, 3_738_520_240_448_743_485), (192, 5_858_292_845_244_956_450),
            (200, 14_170_643_469_672_682_533),
        ] as [(UInt8, UInt64)])
    func `It is the same in every run and on every machine`(_ count: UInt8, _ expected: UInt64) {
        #expect(sum(Array(0..<count)) == expected)
    }

    @Test
    func `A missing text, an empty one and a shifted border differ`() {
        func sum(_ texts: String?...) -> UInt64 {
            var checksum = PageChecksum()
            for text in texts { checksum.combine(text) }
            return checksum.value
        }
        #expect(sum(nil) != sum(""))
        #expect(sum("ab", "c") != sum("a", "bc"))
        #expect(sum("a", nil) != sum("a", ""))
        #expect(sum("é") != sum("e\u{301}"))
    }
}
