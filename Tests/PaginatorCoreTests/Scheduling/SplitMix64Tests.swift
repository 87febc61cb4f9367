import Testing

@testable import PaginatorCore

@Suite struct SplitMix64Tests {
    @Test func `the sequence is that of the reference`() {
        var random = SplitMix64(seed: 1_234_567)
        let sequence = (0..<5).map { _ in random.next() }
        #expect(
            sequence == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }

    @Test func `the unit interval is evenly filled`() {
        var random = SplitMix64(seed: 7)
        var buckets = [Int](repeating: 0, count: 10)
        for _ in 0..<10_000 {
            let number = random.unitInterval()
            #expect(number >= 0 && number < 1)
            buckets[Int(number * 10)] += 1
        }
        #expect(buckets.allSatisfy { (850...1_150).contains($0) })
    }
}
