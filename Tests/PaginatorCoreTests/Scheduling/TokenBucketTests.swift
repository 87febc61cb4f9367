import Testing

@testable import PaginatorCore

@Suite struct TokenBucketTests {
    private func at(_ milliseconds: Int64) -> PaginatorInstant { .zero.advanced(by: .milliseconds(milliseconds)) }

    @Test func `a burst then one each interval`() {
        var bucket = TokenBucket(permits: 10, per: .seconds(1), burst: 3)
        for _ in 0..<3 {
            #expect(bucket.nextPermit(at: .zero) == .zero)
            bucket.take(at: .zero)
        }
        #expect(bucket.nextPermit(at: .zero) == at(100))
        bucket.take(at: at(100))
        #expect(bucket.nextPermit(at: at(100)) == at(200))
    }

    @Test func `a pause fills it up to the burst and no further`() {
        var bucket = TokenBucket(permits: 10, per: .seconds(1), burst: 3)
        for _ in 0..<3 { bucket.take(at: .zero) }
        for _ in 0..<3 {
            #expect(bucket.nextPermit(at: at(60_000)) == at(60_000))
            bucket.take(at: at(60_000))
        }
        #expect(bucket.nextPermit(at: at(60_000)) == at(60_100))
    }

    @Test func `asking costs nothing`() {
        var bucket = TokenBucket(permits: 1, per: .seconds(1), burst: 1)
        for _ in 0..<10 { #expect(bucket.nextPermit(at: at(5)) == at(5)) }
        bucket.take(at: at(5))
        #expect(bucket.nextPermit(at: at(5)) == at(1_005))
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `a duration of zero or less is no limit`(duration: Duration) {
        var bucket = TokenBucket(permits: 1, per: duration, burst: 1)
        for _ in 0..<100 {
            #expect(bucket.nextPermit(at: at(5)) == at(5))
            bucket.take(at: at(5))
        }
    }

    @Test func `a dump tells how many may start at once, and how many of them now`() {
        func text(_ bucket: TokenBucket) -> [String] { bucket.state(at: .zero).lines("rate", at: .zero) }
        var bucket = TokenBucket(permits: 10, per: .seconds(1), burst: 3)
        for left in [3, 2, 1, 0] {
            #expect(text(bucket) == ["rate: tokens=\(left), capacity=3, perSecond=10.0"])
            bucket.take(at: .zero)
        }
        let unlimited = TokenBucket(permits: .max, per: .seconds(1), burst: .max)
        #expect(text(unlimited) == ["rate: tokens=\(Int.max), capacity=\(Int.max), perSecond=1000000000.0"])
    }

    @Test func `strange settings do not trap`() {
        var unlimited = TokenBucket(permits: -1, per: .seconds(-1), burst: .max)
        unlimited.take(at: .zero)
        #expect(unlimited.nextPermit(at: .zero) == .zero)
        var endless = TokenBucket(permits: 1, per: .seconds(Int64.max), burst: .max)
        endless.take(at: at(1))
        endless.take(at: at(1))
        _ = endless.nextPermit(at: at(1))
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `never more than the rate and the burst`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let (permits, burst) = (Int.random(in: 1...7, using: &random), Int.random(in: 1...5, using: &random))
        var bucket = TokenBucket(permits: permits, per: .seconds(1), burst: burst)
        var starts: [PaginatorInstant] = []
        var now = PaginatorInstant.zero
        for _ in 0..<2_000 {
            now = now.advanced(by: .milliseconds(Int64.random(in: 0..<200, using: &random)))
            guard bucket.nextPermit(at: now) <= now else { continue }
            bucket.take(at: now)
            starts.append(now)
        }
        for first in starts.indices {
            for last in first..<min(starts.count, first + 40) {
                let allowed = Double(burst) + starts[first].duration(to: starts[last]).inSeconds * Double(permits)
                #expect(Double(last - first + 1) <= allowed + 1e-6, "seed \(seed)")
            }
        }
        #expect(starts.count > 200, "seed \(seed)")
    }
}
