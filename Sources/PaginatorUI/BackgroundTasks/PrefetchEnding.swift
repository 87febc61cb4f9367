import PaginatorCore

extension CallbackPaginator {
    /// Prefetches for a background task and flushes; `complete` is called once with whether all went well.
    ///
    /// - Returns: the execution, and a closure to call when the time is over.
    func prefetch(
        _ request: PrefetchRequest, completing complete: @escaping @Sendable (_ success: Bool) -> Void
    ) -> (execution: PaginatorExecution, expire: @Sendable () -> Void) {
        var request = request
        request.allows.insert(.background)
        // The system ends tasks that only wait, and gives them less time afterwards.
        if engine.holdsBack(request) { request.timeout = .zero }
        let ending = PrefetchEnding(complete)
        let execution = prefetch(request) { [self] summary in
            flush { result in
                var isFlushed = false
                if case .success = result { isFlushed = true }
                ending.end(success: isFlushed && summary.failed.isEmpty)
            }
        }
        let clock = engine.clock
        return (
            execution,
            {
                ending.expire(on: clock)
                execution.cancel()
            }
        )
    }
}

/// Ends a background task once: when its work is done, or soon after its time is over.
private final class PrefetchEnding: Sendable {
    // The system kills an app after some seconds; a flush may wait longer for a store.
    private static let grace = Duration.seconds(1)

    private let (isExpired, isOver) = (OnceFlag(), OnceFlag())
    private let timer = Guarded<(any PaginatorTimer)?>(nil)
    private let complete: @Sendable (Bool) -> Void

    init(_ complete: @escaping @Sendable (Bool) -> Void) {
        self.complete = complete
    }

    func end(success: Bool) {
        // Released without the lock.
        _ = timer.withLock { $0.take() }
        if isOver.take() { complete(success && !isExpired.isTaken) }
    }

    func expire(on clock: any PaginatorClock) {
        _ = isExpired.take()
        // A strong reference: the timer retains this until it fires, or the work is done.
        let timer = clock.makeTimer { self.end(success: false) }
        self.timer.withLock { $0 = timer }
        timer.arm(at: clock.now.advanced(by: Self.grace))
    }
}
