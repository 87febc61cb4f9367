import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct PaginatorCountersTests {
    private func event(
        _ kind: PaginatorEvent.Kind, _ change: (inout PaginatorEvent) -> Void = { _ in }
    ) -> PaginatorEvent {
        var event = PaginatorEvent(kind, at: .zero, identity: PageIdentity(key: "secret", pageSize: 3))
        change(&event)
        return event
    }

    @Test func `counts every kind`() {
        var counters = PaginatorCounters()
        for (index, kind) in PaginatorEvent.Kind.allCases.enumerated() {
            for _ in 0...index { counters.record(event(kind)) }
        }
        for (index, kind) in PaginatorEvent.Kind.allCases.enumerated() {
            #expect(counters[kind] == index + 1)
        }
    }

    @Test func `tells answers, failures, evictions and verdicts apart`() {
        var counters = PaginatorCounters()
        counters.record(event(.fetchEnded) { $0.origin = .memory })
        counters.record(event(.fetchEnded) { $0.origin = .source })
        counters.record(event(.fetchEnded) { $0.origin = .source })
        counters.record(event(.fetchEnded) { $0.error = PaginatorError(.timedOut, "secret") })
        counters.record(event(.evicted) { $0.evictionCause = .lifetime })
        counters.record(event(.verdict) { $0.detail = "\(PageVerdict.fail(reason: "secret"))" })
        counters.record(event(.verdict) { $0.detail = "\(PageVerdict.useButRefresh)" })
        counters.record(event(.attemptEnded) { $0.error = PaginatorError(.sourceFailed, "") })
        counters.record(event(.eventsLost) { $0.count = 7 })
        counters.record(event(.attemptStarted) { $0.count = 4 })
        #expect(counters.answers == [.memory: 1, .source: 2])
        #expect(counters.failures == [.timedOut: 1])
        #expect(counters.evictions == [.lifetime: 1])
        #expect(counters.verdicts == ["fail": 1, "useButRefresh": 1])
        #expect(counters.failedAttempts == 1 && counters[.eventsLost] == 7 && counters.longestQueue == 4)
        #expect(!counters.description.contains("secret"))
    }

    @Test func `two counters merged are those of all events`() {
        var random = SeededRandom(seed: 11)
        var left = PaginatorCounters()
        var right = PaginatorCounters()
        var both = PaginatorCounters()
        for _ in 0..<500 {
            let kind = PaginatorEvent.Kind.allCases[random.number(in: 0..<PaginatorEvent.Kind.allCases.count)]
            let event = event(kind) { event in
                event.duration = .nanoseconds(random.number(in: 0..<1_000_000))
                event.count = random.number(in: 0..<9)
                event.evictionCause = random.chance(0.5) ? .cleared : nil
                event.error = random.chance(0.3) ? PaginatorError(.cancelled, "") : nil
                event.origin = random.chance(0.5) ? .store : nil
            }
            both.record(event)
            if random.chance(0.5) { left.record(event) } else { right.record(event) }
        }
        left.merge(right)
        #expect(left == both)
    }

    @Test func `losses that overflow saturate`() {
        var counters = PaginatorCounters()
        counters.record(event(.eventsLost) { $0.count = .max })
        counters.record(event(.eventsLost) { $0.count = .max })
        counters.record(event(.eventsLost) { $0.count = -5 })
        #expect(counters[.eventsLost] == .max)
    }

    @Test func `reads as an aligned table`() {
        var counters = PaginatorCounters()
        #expect(counters.description == "nothing counted")
        for _ in 0..<10 { counters.record(event(.memoryHit)) }
        counters.record(event(.memoryMiss))
        counters.record(event(.attemptEnded) { $0.duration = .milliseconds(12) })
        counters.record(
            event(.attemptEnded) { event in
                event.duration = .milliseconds(2)
                event.error = PaginatorError(.sourceFailed, "")
            })
        #expect(
            counters.description == """
                memoryHit        10
                memoryMiss        1
                attemptEnded      2
                failed attempts   1
                milliseconds  count  mean  p50  p99  longest
                source            2   7.0  2.0   12       12
                """)
        #expect(counters.memoryHitRatio == 10.0 / 11)
    }

    @Test func `the table says where pages came from, why fetches failed and why pages left memory`() {
        var counters = PaginatorCounters()
        counters.record(event(.fetchEnded) { $0.origin = .memory })
        counters.record(event(.fetchEnded) { $0.error = PaginatorError(.timedOut, "") })
        for cause in [EvictionCause.strategy, .lifetime, .lifetime] {
            counters.record(event(.evicted) { $0.evictionCause = cause })
        }
        counters.record(event(.verdict) { $0.detail = "\(PageVerdict.useButRefresh)" })
        #expect(
            counters.description == """
                fetchEnded             2
                verdict                1
                evicted                3
                answered from memory   1
                failed with timedOut   1
                evicted by lifetime    2
                evicted by strategy    1
                verdict useButRefresh  1
                """)
    }

    @Test func `one read of memory is a share of hits, and a table`() {
        var (hits, misses) = (PaginatorCounters(), PaginatorCounters())
        #expect(hits.memoryHitRatio == nil)
        hits.record(event(.memoryHit))
        misses.record(event(.memoryMiss))
        #expect(hits.memoryHitRatio == 1 && misses.memoryHitRatio == 0)
        #expect(hits.description == "memoryHit  1")
    }

    @Test func `the names of verdicts are ASCII, so that texts which only look alike are counted apart`() {
        var counters = PaginatorCounters()
        counters.record(event(.verdict) { $0.detail = "caf\u{E9}" })
        counters.record(event(.verdict) { $0.detail = "cafe\u{301}" })
        #expect(counters.verdicts == ["caf": 1, "cafe": 1])
    }

    @Test func `two observers take every event, the first one first`() {
        let told = Handshake<[String]>([])
        let first = PaginatorLogger(minimumLevel: .debug) { _, text in told.update { $0.append("first \(text)") } }
        let second = PaginatorAnalytics(kinds: [.joined]) { name, _ in told.update { $0.append("second \(name)") } }
        first.and(second).paginatorDidReport(PaginatorEvent(.joined, at: .zero))
        #expect(told.read { $0 } == ["first joined", "second paginator.joined"])
    }
}

@Suite struct DurationSummaryTests {
    /// The number as somebody writes it who is asked for two digits.
    private func inTwoDigits(_ number: Int64) -> Int64 {
        let digits = Array(String(number))
        guard digits.count > 2 else { return number }
        let zeros = String(repeating: "0", count: digits.count - 2)
        guard let first = Int(String(digits.prefix(2))) else { return -1 }
        return Int64("\(digits[2] >= "5" ? first + 1 : first)\(zeros)") ?? .max
    }

    @Test(arguments: UInt64(0)..<20)
    func `a percentile is the true one in two digits`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var summary = DurationSummary()
        var all: [Int64] = []
        for _ in 0..<random.number(in: 1..<300) {
            let nanoseconds = Int64(random.next() >> UInt64(random.number(in: 1..<64)))
            all.append(nanoseconds)
            summary.record(nanoseconds: nanoseconds)
        }
        all.sort()
        for share in [0, 0.01, 0.5, 0.9, 0.99, 1] {
            let exact = all[max(1, Int((share * Double(all.count)).rounded(.up))) - 1]
            #expect(summary.percentile(share) == .nanoseconds(inTwoDigits(exact)), "seed \(seed) share \(share)")
        }
        #expect(summary.count == all.count)
        #expect(summary.longest.wholeNanoseconds == all.last)
    }

    @Test func `a number is rounded to the nearest one with two digits, and up if it is halfway`() {
        let wrong = (0...10_000 as ClosedRange<Int64>).filter { number in
            var summary = DurationSummary()
            summary.record(nanoseconds: number)
            return summary.percentile(1) != .nanoseconds(inTwoDigits(number))
        }
        #expect(wrong == [])
    }

    @Test func `what is printed is exact`() {
        var counters = PaginatorCounters()
        for milliseconds in 1...1_000 {
            var event = PaginatorEvent(.attemptEnded, at: .zero)
            event.duration = .milliseconds(milliseconds)
            counters.record(event)
        }
        for nanoseconds in [0, 7, 130, 2_345, 99_950] as [Int64] {
            var event = PaginatorEvent(.validated, at: .zero)
            event.duration = .nanoseconds(nanoseconds)
            counters.record(event)
        }
        let lines = counters.description.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines.contains(["source", "1000", "500", "500", "990", "1000"]), "of 1 to 1,000 ms")
        #expect(lines.contains(["validate", "5", "0.020", "0.00013", "0.10", "0.10"]))
    }

    @Test func `extremes neither trap nor wrap`() {
        var summary = DurationSummary()
        #expect(summary.percentile(0.5) == .zero && summary.mean == .zero)
        summary.record(nanoseconds: -1)
        #expect(summary.longest == .zero)
        summary.record(nanoseconds: .max)
        summary.record(nanoseconds: .max)
        #expect(summary.total.wholeNanoseconds == .max)
        #expect(summary.percentile(.nan).wholeNanoseconds == 9_200_000_000_000_000_000)
        #expect(summary.percentile(-3) == .zero)
        #expect(summary.percentile(3) == summary.percentile(1) && summary.percentile(3) > .zero)
    }
}
