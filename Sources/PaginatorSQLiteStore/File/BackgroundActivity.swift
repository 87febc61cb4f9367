#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    import Dispatch
    import Foundation

    /// Keeps the process from being suspended while it holds the database's lock; the system ends processes that do.
    struct BackgroundActivity {
        private let isOver = DispatchSemaphore(value: 0)

        /// Begins the activity.
        ///
        /// - Parameter onExpiration: called on any thread when there is no more time; the transaction is then rolled back,
        ///   and made again later.
        init(onExpiration: SQLiteInterrupter) {
            // The system holds its assertion for as long as the block runs, so that the block waits for the end.
            ProcessInfo.processInfo.performExpiringActivity(withReason: "Saving pages") { [isOver] isExpired in
                if isExpired { onExpiration() } else { isOver.wait() }
            }
        }

        func end() {
            isOver.signal()
        }
    }
#else
    /// Nothing: processes are not suspended here.
    struct BackgroundActivity {
        init(onExpiration: SQLiteInterrupter) {}

        func end() {}
    }
#endif
