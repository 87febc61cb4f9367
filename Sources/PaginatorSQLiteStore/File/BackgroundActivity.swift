#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    import Dispatch
    import Foundation

    /// Prevents the suspension of the process while it holds the database's lock, for which the system would kill it.
    struct BackgroundActivity {
        private let isOver = DispatchSemaphore(value: 0)

        /// Begins the activity.
        ///
        /// - Parameter onExpiration: called on any thread when time runs out; the transaction is rolled back, and
        ///   repeated later.
        init(onExpiration: SQLiteInterrupter) {
            // The system holds its assertion while the block runs, so the block waits for the end.
            ProcessInfo.processInfo.performExpiringActivity(withReason: "Saving pages") { [isOver] isExpired in
                if isExpired { onExpiration() } else { isOver.wait() }
            }
        }

        func end() {
            isOver.signal()
        }
    }
#else
    /// Does nothing: processes are not suspended here.
    struct BackgroundActivity {
        init(onExpiration: SQLiteInterrupter) {}

        func end() {}
    }
#endif
