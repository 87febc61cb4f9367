import Dispatch

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The device's own clock: the continuous clock for monotonic time, `Date` for wall time, Dispatch for timers.
public struct SystemPaginatorClock: PaginatorClock {
    private static let origin = ContinuousClock.now

    /// Makes a view of the device's clock; all of them share one starting point.
    public init() {}

    /// Nanoseconds since this process first asked for the time, sleep included.
    public var now: PaginatorInstant {
        PaginatorInstant(nanoseconds: Self.origin.duration(to: .now).wholeNanoseconds)
    }

    /// The current date.
    public var wallTime: Date { Date() }

    /// Makes a timer on a private queue.
    ///
    /// - Parameter handler: called on that queue each time that an armed deadline is reached.
    public func makeTimer(_ handler: @escaping @Sendable () -> Void) -> any PaginatorTimer {
        DispatchPaginatorTimer(clock: self, handler: handler)
    }
}

/// A timer on a Dispatch source.
///
/// `@unchecked Sendable`: `source` is a Dispatch object, which may be used from any thread, and never changes.
private final class DispatchPaginatorTimer: PaginatorTimer, @unchecked Sendable {
    private static let queue = DispatchQueue(label: "paginator.timers")
    private let clock: SystemPaginatorClock
    private let source: any DispatchSourceTimer

    init(clock: SystemPaginatorClock, handler: @escaping @Sendable () -> Void) {
        self.clock = clock
        source = DispatchSource.makeTimerSource(queue: Self.queue)
        source.setEventHandler(handler: handler)
        source.schedule(deadline: .distantFuture)
        source.activate()
    }

    deinit {
        source.cancel()
    }

    func arm(at deadline: PaginatorInstant) {
        let delay = max(0, clock.now.duration(to: deadline).wholeNanoseconds)
        let nanoseconds = Int(clamping: min(delay, 1 << 60))
        source.schedule(deadline: .now() + .nanoseconds(nanoseconds), leeway: .milliseconds(1))
    }

    func disarm() {
        source.schedule(deadline: .distantFuture)
    }
}
