import Testing

@testable import PaginatorCore

@Suite struct AdaptiveThrottleTests {
    private func at(_ seconds: Int64) -> PaginatorInstant { .zero.advanced(by: .seconds(seconds)) }
    private func throttle() -> AdaptiveThrottle { AdaptiveThrottle() }

    @Test func `the probability is that of the formula`() {
        var throttle = throttle()
        #expect(throttle.rejectProbability(at: .zero) == 0)
        for _ in 0..<20 { throttle.ended(accepted: true, at: .zero) }
        for _ in 0..<30 { throttle.ended(accepted: false, at: .zero) }
        #expect(throttle.rejectProbability(at: .zero) == 0)
        for _ in 0..<29 { throttle.ended(accepted: false, at: .zero) }
        // (79 - 2 * 20 - 10) / 80
        #expect(throttle.rejectProbability(at: .zero) == 29.0 / 80)
    }

    @Test func `a handful of failures of a quiet client holds nothing back`() {
        var throttle = throttle()
        var random = SplitMix64(seed: 1)
        for second in 0..<10 { throttle.ended(accepted: false, at: at(Int64(second))) }
        for _ in 0..<100 { #expect(throttle.admits(at: at(10), using: &random)) }
        throttle.ended(accepted: false, at: at(10))
        #expect(throttle.rejectProbability(at: at(10)) == 1.0 / 12)
    }

    @Test func `a source that accepts half is never throttled`() {
        var throttle = throttle()
        for second in 0..<1_000 {
            throttle.ended(accepted: second % 2 == 0, at: at(Int64(second)))
            #expect(throttle.rejectProbability(at: at(Int64(second))) == 0)
        }
    }

    @Test func `requests held back count as asked for`() {
        var throttle = throttle()
        var random = SplitMix64(seed: 5)
        for _ in 0..<50 { throttle.ended(accepted: false, at: .zero) }
        let before = throttle.rejectProbability(at: .zero)
        var heldBack = 0
        for _ in 0..<1_000 where !throttle.admits(at: .zero, using: &random) { heldBack += 1 }
        #expect(heldBack > 900)
        #expect(throttle.rejectProbability(at: .zero) == Double(40 + heldBack) / Double(51 + heldBack))
        #expect(throttle.rejectProbability(at: .zero) > before)
    }

    @Test func `ten accepted in a row end the throttling`() {
        var throttle = throttle()
        for _ in 0..<200 { throttle.ended(accepted: false, at: .zero) }
        for _ in 0..<9 { throttle.ended(accepted: true, at: at(1)) }
        #expect(throttle.rejectProbability(at: at(1)) > 0.8)
        throttle.ended(accepted: false, at: at(1))
        for _ in 0..<9 { throttle.ended(accepted: true, at: at(1)) }
        #expect(throttle.rejectProbability(at: at(1)) > 0.7)
        throttle.ended(accepted: true, at: at(1))
        #expect(throttle.rejectProbability(at: at(1)) == 0)
        for _ in 0..<11 { throttle.ended(accepted: false, at: at(2)) }
        #expect(throttle.rejectProbability(at: at(2)) == 0)
        throttle.ended(accepted: false, at: at(2))
        // (13 - 2 * 1 - 10) / 14
        #expect(throttle.rejectProbability(at: at(2)) == 1.0 / 14)
    }

    @Test func `the window forgets span by span`() {
        var throttle = throttle()
        for _ in 0..<30 { throttle.ended(accepted: false, at: at(5)) }
        for _ in 0..<30 { throttle.ended(accepted: false, at: at(65)) }
        #expect(throttle.rejectProbability(at: at(119)) == 50.0 / 61)
        #expect(throttle.rejectProbability(at: at(125)) == 20.0 / 31)
        #expect(throttle.rejectProbability(at: at(185)) == 0)
        for _ in 0..<30 { throttle.ended(accepted: false, at: at(190)) }
        #expect(throttle.rejectProbability(at: at(100_000)) == 0)
    }

    @Test func `however long it runs, it remembers two minutes`() throws {
        var throttle = throttle()
        for second in 0..<10_000 { throttle.ended(accepted: second % 2 == 0, at: at(Int64(second))) }
        let spans = try #require(Mirror(reflecting: throttle).descendant("spans"))
        #expect(Mirror(reflecting: spans).children.count == 12)
    }

    @Test func `strange times do not trap`() {
        var throttle = throttle()
        for _ in 0..<11 { throttle.ended(accepted: false, at: PaginatorInstant(nanoseconds: .min)) }
        #expect(throttle.rejectProbability(at: PaginatorInstant(nanoseconds: .max)) == 0)
        for _ in 0..<11 { throttle.ended(accepted: false, at: PaginatorInstant(nanoseconds: .max)) }
        #expect(throttle.rejectProbability(at: PaginatorInstant(nanoseconds: .max)) == 1.0 / 12)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `agrees with a list of requests`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var throttle = throttle()
        var requests: [(span: Int64, accepted: Bool)] = []
        var second: Int64 = -500
        var inARow = 0
        func probability(of requests: [(span: Int64, accepted: Bool)], in span: Int64) -> Double {
            let window = requests.filter { $0.span > span - 12 }
            let accepts = window.count { $0.accepted }
            return max(0, Double(window.count - 2 * accepts - 10) / Double(window.count + 1))
        }
        for step in 0..<3_000 {
            second += Int64.random(in: 0..<3, using: &random)
            if step % 500 == 0 { second += 150 }
            let accepted = Double(step % 1_000) / 1_000 > random.unitInterval()
            throttle.ended(accepted: accepted, at: at(second))
            let span = at(second).nanoseconds / 10_000_000_000
            inARow = accepted ? inARow + 1 : 0
            if inARow >= 10, probability(of: requests, in: span) > 0 { requests = [] }
            requests.append((span, accepted))
            let expected = probability(of: requests, in: span)
            try #require(throttle.rejectProbability(at: at(second)) == expected, "seed \(seed), step \(step)")
        }
    }
}
