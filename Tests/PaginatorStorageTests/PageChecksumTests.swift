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
            (0, 12_606_378_537_416_459_610), (3, 11_323_681_151_503_109_814), (4, 17_919_641_367_519_961_650),
            (7, 5_362_596_312_332_234_759), (8, 3_063_378_590_568_378_227), (15, 8_562_844_711_666_417_680),
            (16, 8_559_072_619_273_267_282), (17, 9_143_905_965_145_900_757), (32, 4_865_737_001_550_017_586),
            (48, 16_901_943_293_499_219_261), (64, 8_000_125_843_385_175_853), (80, 514_812_339_130_602_724),
            (96, 3_738_520_240_448_743_485), (112, 16_617_820_453_371_018_205), (192, 5_858_292_845_244_956_450),
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
