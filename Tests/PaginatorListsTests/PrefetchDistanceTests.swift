import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// How far ahead is enough, by what was measured.
@Suite struct PrefetchDistanceTests {
    /// A distance, and the time that passes while it measures.
    private struct Measuring {
        var distance: PrefetchDistance
        var now = PaginatorInstant.zero

        init(_ bounds: ClosedRange<Int> = 4...200) { distance = PrefetchDistance(bounds: bounds) }

        var ahead: Int { distance.rows(at: .end) }
        var back: Int { distance.rows(at: .start) }

        mutating func load(_ times: Duration...) { for time in times { distance.loaded(in: time) } }

        /// Row by row, so many a second.
        mutating func scroll(_ rows: Int, perSecond speed: Double) {
            for _ in 0..<abs(rows) {
                now = now.advanced(by: .seconds(1 / speed))
                distance.scrolled(by: rows.signum(), at: now)
            }
        }
    }

    @Test func `it is 15 until both speed and time are known`() {
        var measuring = Measuring()
        #expect(measuring.ahead == 15 && measuring.back == 15)
        measuring.load(.seconds(1))
        #expect(measuring.ahead == 15)
        var scrolled = Measuring()
        scrolled.scroll(10, perSecond: 1)
        #expect(scrolled.ahead == 15, "nothing has been loaded from the source")
        #expect(Measuring(20...30).ahead == 20)
        #expect(Measuring(0...8).ahead == 8)
    }

    @Test(arguments: [(2.0, 1.0), (10.0, 1.0), (10.0, 3.0), (30.0, 0.5)])
    func `a steady pace needs the rows of one load`(_ speed: Double, _ seconds: Double) {
        var measuring = Measuring()
        for _ in 0..<40 { measuring.load(.seconds(seconds)) }
        measuring.scroll(400, perSecond: speed)
        let need = max(4, Int(speed * seconds))
        #expect((need...need + need / 2 + 2).contains(measuring.ahead), "\(measuring.ahead) for \(need)")
    }

    @Test func `loads of which nobody knows how long they take are waited for longer`() {
        var (steady, uneven) = (Measuring(), Measuring())
        for number in 0..<40 {
            steady.load(.seconds(1))
            uneven.load(.seconds(number % 2 == 0 ? 0.5 : 1.5))
        }
        steady.scroll(200, perSecond: 10)
        uneven.scroll(200, perSecond: 10)
        #expect(uneven.ahead > steady.ahead * 2)
    }

    @Test func `a reader needs the least`() {
        var measuring = Measuring()
        measuring.load(.milliseconds(300), .milliseconds(300), .milliseconds(300))
        measuring.scroll(10, perSecond: 0.3)
        #expect(measuring.ahead == 4)
    }

    @Test func `who flings, stops and flings on needs as much as before, and less once they read`() {
        var measuring = Measuring()
        for _ in 0..<10 { measuring.load(.seconds(1)) }
        for _ in 0..<10 {
            measuring.scroll(20, perSecond: 30)
            measuring.now = measuring.now.advanced(by: .seconds(20))
        }
        #expect(measuring.ahead >= 20)
        measuring.scroll(40, perSecond: 0.3)
        #expect(measuring.ahead < 8)
    }

    @Test func `who turns round needs the least at the other end`() {
        var measuring = Measuring()
        for _ in 0..<10 { measuring.load(.seconds(1)) }
        measuring.scroll(60, perSecond: 20)
        #expect(measuring.ahead >= 20 && measuring.back == 4)
        measuring.scroll(-60, perSecond: 20)
        #expect(measuring.ahead == 4 && measuring.back >= 20)
    }

    @Test func `one load may take up to three times as long the next time, as in RFC 6298`() {
        var measuring = Measuring()
        measuring.load(.seconds(1))
        measuring.scroll(3_000, perSecond: 10)
        #expect((28...33).contains(measuring.ahead), "\(measuring.ahead)")
    }

    @Test func `a pace that was measured once may grow by half`() {
        var measuring = Measuring()
        for _ in 0..<60 { measuring.load(.seconds(1)) }
        measuring.scroll(12, perSecond: 10)
        #expect((15...16).contains(measuring.ahead), "\(measuring.ahead)")
    }

    @Test func `a faster link needs less`() {
        var measuring = Measuring()
        for _ in 0..<10 { measuring.load(.seconds(2)) }
        measuring.scroll(300, perSecond: 10)
        let slow = measuring.ahead
        for _ in 0..<30 { measuring.load(.milliseconds(200)) }
        measuring.scroll(20, perSecond: 10)
        #expect(slow >= 20 && measuring.ahead < slow / 2)
    }

    @Test func `a jump tells nothing of the pace`() {
        var (measuring, jumping) = (Measuring(4...100), Measuring(4...100))
        for _ in 0..<10 {
            measuring.load(.seconds(1))
            jumping.load(.seconds(1))
        }
        measuring.scroll(40, perSecond: 1)
        jumping.scroll(40, perSecond: 1)
        jumping.distance.scrolled(by: 5_000, at: jumping.now)
        jumping.distance.scrolled(by: -9_000, at: jumping.now)
        jumping.scroll(10, perSecond: 1)
        #expect(jumping.ahead <= measuring.ahead + 1)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `whatever is measured, it stays within its bounds`(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let lower = random.number(in: -3..<20)
        let upper = lower + random.number(in: 0..<50)
        var measuring = Measuring(lower...upper)
        let sizes = [0, 1, 3, 40, 5_000, Int.max, Int.min]
        let times: [Duration] = [
            .zero, .seconds(-1), .milliseconds(1), .seconds(1), .seconds(1_000), .seconds(Int64.max),
        ]
        for _ in 0..<300 {
            if random.chance(0.3) {
                measuring.load(times[random.number(in: 0..<times.count)])
            } else {
                measuring.now = measuring.now.advanced(by: times[random.number(in: 0..<times.count)])
                let rows = sizes[random.number(in: 0..<sizes.count)]
                measuring.distance.scrolled(by: random.chance(0.5) ? rows : 0 &- rows, at: measuring.now)
            }
            let bounds = max(0, lower)...max(0, upper)
            #expect(bounds.contains(measuring.ahead) && bounds.contains(measuring.back))
        }
    }
}
