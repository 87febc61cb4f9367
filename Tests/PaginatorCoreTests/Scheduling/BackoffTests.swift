import Testing

@testable import PaginatorCore

@Suite struct BackoffTests {
    private let backoff = Backoff(base: .milliseconds(500), cap: .seconds(30))

    @Test func `the ceiling doubles up to the cap`() {
        let ceilings = (1...8).map { backoff.ceiling(failures: $0) }
        #expect(
            ceilings
                == [
                    .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(16), .seconds(30),
                    .seconds(30),
                ])
        #expect(backoff.ceiling(failures: Int.max) == .seconds(30))
        #expect(backoff.ceiling(failures: 0) == .milliseconds(500))
        #expect(backoff.ceiling(failures: Int.min) == .milliseconds(500))
    }

    @Test func `extreme settings saturate`() {
        let endless = Backoff(base: .seconds(Int64.max), cap: .seconds(Int64.max))
        #expect(endless.ceiling(failures: 60) == .nanoseconds(Int64.max))
        #expect(Backoff(base: .seconds(-1), cap: .seconds(1)).ceiling(failures: 90) == .zero)
        #expect(Backoff(base: .zero, cap: .seconds(1)).ceiling(failures: 1) == .zero)
        #expect(Backoff(base: .seconds(5), cap: .seconds(1)).ceiling(failures: 1) == .seconds(1))
        let smallest = Backoff(base: .nanoseconds(1), cap: .seconds(1))
        #expect(smallest.ceiling(failures: 2) == .nanoseconds(2))
        #expect([63, 64, 65, 1_000].allSatisfy { smallest.ceiling(failures: $0) == .seconds(1) })
        var random = SplitMix64(seed: 1)
        #expect(endless.delay(failures: 9, statedDelay: nil, using: &random) >= .zero)
    }

    @Test func `the jitter is full`() {
        var random = SplitMix64(seed: 3)
        let delays = (0..<2_000).map { _ in backoff.delay(failures: 2, statedDelay: nil, using: &random) }
        #expect(delays.allSatisfy { $0 >= .zero && $0 <= .seconds(1) })
        for tenth in 0..<10 {
            let range = Duration.milliseconds(100 * tenth)..<Duration.milliseconds(100 * (tenth + 1))
            #expect((140...260).contains(delays.count { range.contains($0) }))
        }
    }

    @Test func `a stated delay is the floor even above the cap`() {
        var random = SplitMix64(seed: 3)
        for _ in 0..<200 {
            #expect(backoff.delay(failures: 2, statedDelay: .milliseconds(400), using: &random) >= .milliseconds(400))
        }
        #expect(backoff.delay(failures: 9, statedDelay: .minutes(5), using: &random) == .minutes(5))
        #expect(backoff.delay(failures: 1, statedDelay: .seconds(-5), using: &random) >= .zero)
    }

    @Test func `the delays follow from the seed`() {
        func delays(_ seed: UInt64) -> [Duration] {
            var random = SplitMix64(seed: seed)
            return (1...10).map { backoff.delay(failures: $0, statedDelay: nil, using: &random) }
        }
        #expect(delays(5) == delays(5))
        #expect(delays(5) != delays(6))
    }
}
