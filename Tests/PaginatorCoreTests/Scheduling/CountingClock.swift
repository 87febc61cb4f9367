import PaginatorTesting

@testable import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A manual clock that counts the timers asked for and can fire them before their time.
final class CountingClock: PaginatorClock {
    let manual = ManualPaginatorClock()
    private let handlers = Guarded<[@Sendable () -> Void]>([])

    var timers: Int { handlers.withLock { $0.count } }
    var now: PaginatorInstant { manual.now }
    var wallTime: Date { manual.wallTime }

    func makeTimer(_ handler: @escaping @Sendable () -> Void) -> any PaginatorTimer {
        handlers.withLock { $0.append(handler) }
        return manual.makeTimer(handler)
    }

    /// Fires every timer, whatever it is armed to.
    func fireEarly() {
        for handler in handlers.withLock({ $0 }) { handler() }
    }
}
