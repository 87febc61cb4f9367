#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The source of time and timers of a paginator.
///
/// The default is ``SystemPaginatorClock``. Tests use the manual clock of `PaginatorTesting`, which moves only when
/// told to.
public protocol PaginatorClock: Sendable {
    /// The monotonic time. It never runs backwards, and includes the time that the device sleeps.
    var now: PaginatorInstant { get }

    /// The wall-clock time, which may be set forward or back at any time.
    var wallTime: Date { get }

    /// Creates a timer that is not armed.
    ///
    /// - Parameter handler: called on any thread, once each time that an armed deadline is reached; never inside a call
    ///   of the timer.
    func makeTimer(_ handler: @escaping @Sendable () -> Void) -> any PaginatorTimer
}

/// A timer of a ``PaginatorClock``. It ends with its last reference.
public protocol PaginatorTimer: AnyObject, Sendable {
    /// Sets the deadline, and replaces an earlier one. A deadline in the past fires as soon as possible.
    func arm(at deadline: PaginatorInstant)

    /// Removes the deadline. Does not wait for a handler that has already begun.
    func disarm()
}
