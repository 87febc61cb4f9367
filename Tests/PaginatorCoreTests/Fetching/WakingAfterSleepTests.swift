import PaginatorTesting
import Testing

@testable import PaginatorCore

/// What was to happen while the device slept happens when somebody calls, and what is to happen soon happens soon.
@Suite struct WakingAfterSleepTests {
    @Test func `a debounced fetch does not wait for a timer from before the sleep`() {
        let clock = ManualPaginatorClock()
        let rig = FetchRig { $0.clock = clock }
        rig.hangSource()
        let early = rig.fetch("1")
        clock.sleep(.hours(1))
        rig.script.withLock { $0.hangs = false }
        let search = rig.fetch("2", debounce: DebounceKey("search", delay: .milliseconds(300)))
        clock.advance(by: .milliseconds(300))
        rig.run()
        #expect(search.version != nil)
        #expect(early.endedOnce, "its time was over long ago")
    }

    @Test func `a time-out that passed during the sleep is told with the next call`() {
        let clock = ManualPaginatorClock()
        let rig = FetchRig { $0.clock = clock }
        rig.hangSource()
        let early = rig.fetch("1")
        clock.sleep(.hours(1))
        rig.paginator.prefetch(keys: ["7"], pageSize: 10)
        rig.run()
        #expect(early.code == .timedOut)
        #expect(early.endedOnce)
    }
}
