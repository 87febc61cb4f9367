#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Where a paginator takes the time and its timers from.
///
/// The default is ``SystemPaginatorClock``. Tests use the manual clock of `PaginatorTesting`, which moves only when it
/// is told to.
public protocol PaginatorClock: Sendable {
    /// The monotonic time; it never runs backwards and counts the time that the device sleeps.
    var now: PaginatorInstant { get }

    /// The wall-clock time, which a user or a server may set forward or back at any moment.
    var wallTime: Date { get }

    /// Makes a timer that is not armed yet.
    ///
    /// - Parameter handler: called on any thread, once each time that an armed deadline is reached; never inside a
    ///   call of the timer.
    func makeTimer(_ handler: @escaping @Sendable () -> Void) -> any PaginatorTimer
}

/// One timer of a ``PaginatorClock``; it ends with its last reference.
public protocol PaginatorTimer: AnyObject, Sendable {
    /// Sets the deadline, in place of an earlier one; a deadline in the past fires as soon as possible.
    func arm(at deadline: PaginatorInstant)

    /// Takes the deadline away; a call of the handler that has already begun is not waited for.
    func disarm()
}
