import PaginatorTesting
import Testing

@testable import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A clock is the user's code: no lock of the library is held when it is called.
@Suite struct UserClockTests {
    /// Asks another thread for something that takes the library's locks, whenever it is called, and waits for it.
    private final class NosyClock: PaginatorClock {
        let clock = ManualPaginatorClock()
        let paginator = Guarded<CallbackPaginator<Int>?>(nil)
        let complaints = Guarded<[String]>([])
        private let isAsking = Guarded(false)

        var now: PaginatorInstant {
            ask("now")
            return clock.now
        }

        var wallTime: Date {
            ask("wallTime")
            return clock.wallTime
        }

        func makeTimer(_ handler: @escaping @Sendable () -> Void) -> any PaginatorTimer {
            ask("makeTimer")
            return NosyTimer(timer: clock.makeTimer(handler), clock: self)
        }

        /// One question at a time, and none while one is on its way: the clock is called by what it asks for, too.
        func ask(_ call: String) {
            guard let paginator = paginator.withLock({ $0 }) else { return }
            let asks = isAsking.withLock { isAsking in
                defer { isAsking = true }
                return !isAsking
            }
            guard asks else { return }
            let answers = ends {
                paginator.invalidate(.scope("nobody's"))
                _ = paginator.scheduler.statistics
                _ = paginator.peek(key: "0", pageSize: 10)
            }
            if !answers { complaints.withLock { $0.append(call) } }
            isAsking.withLock { $0 = !answers }
        }
    }

    private final class NosyTimer: PaginatorTimer {
        let timer: any PaginatorTimer
        let clock: NosyClock

        init(timer: any PaginatorTimer, clock: NosyClock) {
            self.timer = timer
            self.clock = clock
        }

        func arm(at deadline: PaginatorInstant) {
            clock.ask("arm")
            timer.arm(at: deadline)
        }

        func disarm() {
            clock.ask("disarm")
            timer.disarm()
        }
    }

    @Test func `whatever is called, the clock is asked with no lock held`() {
        let clock = NosyClock()
        let executor = SimulatedExecutor()
        var config = PaginatorConfig()
        (config.clock, config.executor, config.callbackExecutor) = (clock, executor, executor)
        config.inMemoryEvictionStrategy = .lru(maxPages: 2).and(.timeToLive(.seconds(30)))
        config.observer = RecordingObserver()
        let paginator = CallbackPaginator(dataSource: ArrayDataSource(Array(0..<1_000)), config: config)
        clock.paginator.withLock { $0 = paginator }
        let listener = RecordingListener<Int>()
        let edits = paginator.edits(id: { $0 })
        for key in ["0", "10", "20", "30", "0"] {
            paginator.fetch(key: key, pageSize: 10, listener: listener)
            executor.runAll()
        }
        paginator.observe(key: "0", pageSize: 10) { _ in }
        edits.update(3) { $0 }
        paginator.fetch(
            PageRequest(key: "40", pageSize: 10, debounce: DebounceKey("l", delay: .seconds(1))), listener: listener)
        clock.clock.advance(by: .seconds(40))
        executor.runAll()
        paginator.invalidate(.all)
        paginator.trim(toFraction: 0)
        paginator.clearAll()
        paginator.fetch(key: "50", pageSize: 10, listener: listener).cancel()
        executor.runAll()
        #expect(clock.complaints.withLock { $0 } == [])
        clock.paginator.withLock { $0 = nil }
    }
}

extension CallbackPaginator {
    fileprivate var scheduler: PaginatorScheduler { engine.scheduler }
}
