import Dispatch
import PaginatorCore

#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    import Foundation
#endif

/// Prevents the suspension of the process while it holds locks of the file, for which the system would kill it.
struct BackgroundActivity {
    /// Calls a block on any threads: with `false` at the start (the process is not suspended until that call returns),
    /// and with `true` if time runs out, possibly after the end.
    typealias System = (@escaping @Sendable (_ isExpired: Bool) -> Void) -> Void

    private let isOver = DispatchSemaphore(value: 0)
    /// `nil` after the end.
    private let onExpiration: Guarded<(@Sendable () -> Void)?>

    /// Begins an activity, before locks are taken; `nil` where processes are not suspended.
    ///
    /// - Parameter connection: interrupted when time runs out: its transaction is rolled back, and repeated later.
    static func begin(interrupting connection: SQLiteConnection?) -> BackgroundActivity? {
        // Time may have run out for an earlier one.
        connection?.endInterrupt()
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            return BackgroundActivity(onExpiration: { connection?.interrupt() }) { block in
                ProcessInfo.processInfo.performExpiringActivity(withReason: "Saving pages", using: block)
            }
        #else
            return nil
        #endif
    }

    init(onExpiration: @escaping @Sendable () -> Void, system: System) {
        let handler = Guarded<(@Sendable () -> Void)?>(onExpiration)
        self.onExpiration = handler
        // The system holds its assertion while the block runs, so the block waits for the end.
        system { [isOver] isExpired in
            if isExpired { handler.withLock { $0?() } } else { isOver.wait() }
        }
    }

    /// Ends the activity; an expiration that is under way is waited for, and a later one does nothing.
    func end() {
        onExpiration.withLock { $0 = nil }
        isOver.signal()
    }
}
