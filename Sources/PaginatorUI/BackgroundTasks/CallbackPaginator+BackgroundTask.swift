#if canImport(BackgroundTasks) && (os(iOS) || os(tvOS) || os(visionOS))
    public import BackgroundTasks
    public import PaginatorCore

    extension CallbackPaginator {
        /// Prefetches as the work of a background task, such as a `BGAppRefreshTask` or a `BGProcessingTask`.
        ///
        /// ```swift
        /// // Without `@Sendable`, a closure in code of the main actor traps on the system's queue.
        /// BGTaskScheduler.shared.register(forTaskWithIdentifier: "feed", using: nil) { @Sendable task in
        ///     // The next fetch of each page asks the source; what is on disk stays readable.
        ///     paginator.invalidate(.all)
        ///     var request = PrefetchRequest(from: posts.firstKey, pages: 3, pageSize: 30)
        ///     // Also on a cellular link.
        ///     request.allows = .weakLink
        ///     paginator.prefetch(request, for: task)
        /// }
        /// ```
        ///
        /// The prefetch may run in the background. If other conditions hold it back at the start, such as a metered
        /// link, Low Power Mode or no connection, it ends at once with success, because the system ends tasks that only
        /// wait. Loaded pages are flushed to the store before the task is completed; it succeeds if no page and not the
        /// flush failed. When the system's time is over, the prefetch is cancelled, and the task ends without success
        /// after a flush, a second later at most.
        ///
        /// - Parameters:
        ///   - request: the pages, the conditions and the limits.
        ///   - task: the task that the system started. This call sets its `expirationHandler`.
        /// - Returns: the execution; cancel it to end the work earlier.
        @discardableResult
        public func prefetch(_ request: PrefetchRequest, for task: BGTask) -> PaginatorExecution {
            let task = BackgroundTask(task)
            let (execution, expire) = prefetch(request, completing: { task.system.setTaskCompleted(success: $0) })
            task.system.expirationHandler = expire
            return execution
        }
    }

    /// `@unchecked Sendable`: `system` never changes, and a background task may be completed on any thread.
    private final class BackgroundTask: @unchecked Sendable {
        let system: BGTask

        init(_ task: BGTask) {
            system = task
        }
    }
#endif
