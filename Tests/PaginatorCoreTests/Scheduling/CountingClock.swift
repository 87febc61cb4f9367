import PaginatorCore
import PaginatorTesting

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A manual clock that counts the timers asked for.
final class CountingClock: PaginatorClock {
    let manual = ManualPaginatorClock()
    private let count = Guarded(0)

    var timers: Int { count.withLock { $0 } }
    var now: PaginatorInstant { manual.now }
    var wallTime: Date { manual.wallTime }

    func makeTimer(_ handler: @escaping @Sendable () -> Void) -> any PaginatorTimer {
        count.withLock { $0 += 1 }
        return manual.makeTimer(handler)
    }
}
