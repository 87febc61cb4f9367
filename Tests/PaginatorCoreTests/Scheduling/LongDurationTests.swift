import PaginatorTesting
import Testing

@testable import PaginatorCore

/// "For ever" is a time that people write: no arithmetic ends the process.
@Suite struct LongDurationTests {
    @Test(arguments: [Int.max, Int.min, Int.max / 60, 0, -1, 14])
    func `any number of days, hours and minutes is a duration`(
        count: Int
    ) {
        let most = Duration.seconds(Int64.max)
        for duration in [Duration.days(count), .hours(count), .minutes(count)] {
            #expect(duration <= most && duration >= .seconds(Int64.min))
            #expect((duration < .zero) == (count < 0))
        }
        #expect(Duration.days(14) == .hours(14 * 24) && Duration.hours(14) == .minutes(14 * 60))
        #expect(Duration.minutes(-14) == .seconds(-14 * 60))
    }

    @Test func `a time that is longer than any clock counts as the longest`() {
        let sum = Duration.days(.max) + .days(.max)
        #expect(sum.wholeNanoseconds == .max)
        #expect((.zero - sum).wholeNanoseconds == .min)
        #expect(PaginatorInstant.zero.advanced(by: sum) == .distantFuture)
        #expect(Duration.nanoseconds(-5).wholeNanoseconds == -5)
        #expect(Duration.seconds(3).wholeNanoseconds == 3_000_000_000)
    }

    @Test func `the time between two instants that are farther apart than any duration is the longest`() {
        let (first, last) = (PaginatorInstant(nanoseconds: .min), PaginatorInstant(nanoseconds: .max))
        #expect(first.duration(to: last) == .nanoseconds(Int64.max))
        #expect(last.duration(to: first) == .nanoseconds(Int64.min))
        #expect(PaginatorInstant(nanoseconds: -1).duration(to: last) == .nanoseconds(Int64.max))
        #expect(PaginatorInstant.zero.duration(to: last) == .nanoseconds(Int64.max))
    }

    @Test func `a paginator whose every time is for ever works`() {
        let rig = FetchRig(hasStore: true) { config in
            let forEver = Duration.days(.max)
            (config.attemptTimeout, config.fetchTimeout, config.storeTimeout) = (forEver, forEver, forEver)
            config.scheduling.agingBound = forEver
            config.scheduling.backoffBase = forEver
            config.scheduling.backoffCap = forEver
            config.scheduling.sourcePauseCap = forEver
            config.scheduling.retryBudgetFading = forEver
            config.scheduling.rateLimit = .init(permits: 1_000, per: forEver, burst: 1_000)
            config.inMemoryEvictionStrategy = .lru(maxPages: 2).and(.timeToLive(forEver))
        }
        let page = rig.fetch("1", policy: .networkFirst(fallbackAfter: .days(.max)), timeout: .days(.max))
        #expect(page.version == 1)
        rig.failSource(.retry(FetchRig.Outage(), after: .days(.max)))
        let failing = rig.fetch("2")
        rig.advance(.days(1))
        #expect(failing.ends == 0)
        failing.execution.cancel()
        rig.run()
        #expect(failing.code == .cancelled)
    }
}
