#if canImport(BackgroundTasks) && (os(iOS) || os(tvOS) || os(visionOS))
    public import BackgroundTasks
    public import PaginatorCore

    extension CallbackPaginator {
        /// Loads ahead as the work of a background task, such as a `BGAppRefreshTask` or a `BGProcessingTask`.
        ///
        /// ```swift
        /// BGTaskScheduler.shared.register(forTaskWithIdentifier: "feed", using: nil) { task in
        ///     // The next fetch of each page asks the source; what is on disk stays readable.
        ///     paginator.invalidate(.all)
        ///     paginator.prefetch(PrefetchRequest(from: posts.firstKey, pages: 3, pageSize: 30), for: task)
        /// }
        /// ```
        ///
        /// The prefetch may run in the background. What came is flushed to the store before the task is completed, with
        /// success where no page failed. When the system takes the time away, the prefetch is cancelled, what came by then is
        /// flushed, and the task ends without success.
        ///
        /// - Parameters:
        ///   - request: the pages, the conditions and the limits.
        ///   - task: what the system started; its `expirationHandler` is set here.
        /// - Returns: the execution, by which the work can be ended earlier.
        @discardableResult
        public func prefetch(_ request: PrefetchRequest, for task: BGTask) -> PaginatorExecution {
            var request = request
            request.conditions.insert(.background)
            let (ending, isExpired) = (TaskEnding(task), OnceFlag())
            let work = prefetch(request) { [self] summary in
                flush { _ in ending.complete(success: summary.failed.isEmpty && !isExpired.isTaken) }
            }
            task.expirationHandler = {
                _ = isExpired.take()
                work.cancel()
            }
            return work
        }
    }

    /// `@unchecked Sendable`: `task` never changes, and a background task may be completed on any thread.
    private final class TaskEnding: @unchecked Sendable {
        private let task: BGTask

        init(_ task: BGTask) {
            self.task = task
        }

        func complete(success: Bool) {
            task.setTaskCompleted(success: success)
        }
    }
#endif
