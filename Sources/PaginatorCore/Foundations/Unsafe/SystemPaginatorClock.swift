import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The device's clock: the system's monotonic clock that includes sleep, `Date` for wall time, Dispatch for timers.
public struct SystemPaginatorClock: PaginatorClock {
    /// Creates a clock; all of them share one starting point.
    public init() {}

    /// The nanoseconds since the device started, sleep included.
    public var now: PaginatorInstant {
        // Read from the system directly: `ContinuousClock` converts to attoseconds, which costs several times as much.
        #if canImport(Darwin)
            PaginatorInstant(nanoseconds: Int64(clamping: clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW)))
        #else
            var time = timespec()
            // The system writes to the variable only inside the call.
            unsafe clock_gettime(CLOCK_BOOTTIME, &time)
            return PaginatorInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
        #endif
    }

    /// The current date.
    public var wallTime: Date { Date() }

    /// Creates a timer with a private queue, so that a handler that hangs delays no other timer.
    ///
    /// - Parameter handler: called on that queue each time that an armed deadline is reached.
    public func makeTimer(_ handler: @escaping @Sendable () -> Void) -> any PaginatorTimer {
        DispatchPaginatorTimer(clock: self, handler: handler)
    }
}

/// A timer on a Dispatch source, which stops while the device sleeps, unlike the clock. A long wait is split into
/// pieces, so that after a sleep the deadline is late by one piece at most.
///
/// `@unchecked Sendable`: `source` never changes, and a Dispatch object may be used from any thread.
private final class DispatchPaginatorTimer: PaginatorTimer, @unchecked Sendable {
    private static let longestPiece = Duration.seconds(10)

    private let clock: SystemPaginatorClock
    private let source: any DispatchSourceTimer
    /// Held while the source is set, so that the last deadline wins.
    private let deadline = Guarded<PaginatorInstant?>(nil)

    init(clock: SystemPaginatorClock, handler: @escaping @Sendable () -> Void) {
        self.clock = clock
        source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "paginator.timer"))
        source.setEventHandler { [weak self] in
            if let self, isDue() { handler() }
        }
        source.schedule(deadline: .distantFuture)
        source.activate()
    }

    func arm(at deadline: PaginatorInstant) {
        self.deadline.withLock {
            $0 = deadline
            wait(until: deadline)
        }
    }

    func disarm() {
        deadline.withLock {
            $0 = nil
            source.schedule(deadline: .distantFuture)
        }
    }

    private func wait(until deadline: PaginatorInstant) {
        let rest = max(.zero, clock.now.duration(to: deadline))
        let piece = min(rest, Self.longestPiece)
        source.schedule(
            deadline: .now() + .microseconds(piece.wholeMicroseconds), leeway: .milliseconds(rest > piece ? 2_000 : 1))
    }

    private func isDue() -> Bool {
        deadline.withLock { deadline in
            guard let next = deadline else { return false }
            if next <= clock.now {
                deadline = nil
                return true
            }
            wait(until: next)
            return false
        }
    }
}
