import PaginatorTesting

@testable import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A clock of a device that sleeps: the time goes on meanwhile, and timers stand still, as those of the system do.
final class SleepingClock: PaginatorClock {
    /// Moves time and timers.
    let awake = ManualPaginatorClock()
    private let slept = Guarded(Duration.zero)

    var now: PaginatorInstant { awake.now.advanced(by: slept.withLock { $0 }) }
    var wallTime: Date { awake.wallTime.addingTimeInterval(slept.withLock { $0 }.inSeconds) }

    /// Lets the device sleep: no timer comes nearer.
    func sleep(_ duration: Duration) { slept.withLock { $0 += duration } }

    func makeTimer(_ handler: @escaping @Sendable () -> Void) -> any PaginatorTimer {
        SleepingTimer(timer: awake.makeTimer(handler), clock: self)
    }

    private final class SleepingTimer: PaginatorTimer {
        let timer: any PaginatorTimer
        let clock: SleepingClock

        init(timer: any PaginatorTimer, clock: SleepingClock) {
            self.timer = timer
            self.clock = clock
        }

        func arm(at deadline: PaginatorInstant) {
            timer.arm(at: clock.awake.now.advanced(by: clock.now.duration(to: deadline)))
        }

        func disarm() { timer.disarm() }
    }
}
