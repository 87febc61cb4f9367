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
        ///     var request = PrefetchRequest(from: posts.firstKey, pages: 3, pageSize: 30)
        ///     // Also on a cellular link.
        ///     request.allows = .weakLink
        ///     paginator.prefetch(request, for: task)
        /// }
        /// ```
        ///
        /// The prefetch may run in the background. Where other conditions hold it back when it starts, such as a link that
        /// costs money, Low Power Mode or no connection, it ends at once, with success: the system would end a task that only
        /// waits. What came is flushed to the store before the task is completed, with success where no page failed and the
        /// flush did not. When the system takes the time away, the prefetch is cancelled, and the task ends without success
        /// once what came by then is flushed, after a second at the latest.
        ///
        /// - Parameters:
        ///   - request: the pages, the conditions and the limits.
        ///   - task: what the system started; its `expirationHandler` is set here.
        /// - Returns: the execution, by which the work can be ended earlier.
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
