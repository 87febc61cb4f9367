public import PaginatorCore

extension ScriptedDataSource {
    /// Every call so far, in the order in which they came.
    public var calls: [SourceCall] { handshake.read(\.calls) }

    /// The calls that were neither answered nor cancelled, in the order in which they came.
    public var pendingCalls: [SourceCall] { calls.filter(\.isPending) }

    /// The keys asked for, in the order of the calls.
    public var keys: [String] { calls.map(\.request.key) }

    /// The largest number of calls that were pending at the same time.
    public var mostParallelCalls: Int { handshake.read(\.mostParallelCalls) }

    /// Answers a call, on the calling thread; also a cancelled one, as a slow server does.
    ///
    /// Answer several calls in any order to play a server that overtakes itself.
    ///
    /// - Parameters:
    ///   - call: the call; of what was recorded only its number matters.
    ///   - result: the page, or the error.
    ///   - times: how often to give the answer, 1 by default; more is what a source must not do.
    /// - Returns: false when the call has been answered before and the source does not keep such calls.
    @discardableResult
    public func answer(
        _ call: SourceCall, with result: Result<PaginatorPage<T>, SourceError>, times: Int = 1
    ) -> Bool {
        give(Array(repeating: result, count: max(0, times)), to: call.id)
    }

    /// Waits until calls have come.
    ///
    /// - Parameter count: how many, since the source was made.
    /// - Returns: every call so far.
    /// - Throws: `CancellationError` when the task is cancelled first.
    @discardableResult
    public func waitForCalls(_ count: Int) async throws(CancellationError) -> [SourceCall] {
        try await handshake.wait { $0.calls.count >= count }
        return calls
    }

    /// Waits until calls are pending at the same time.
    ///
    /// - Parameter count: how many.
    /// - Returns: the pending calls.
    /// - Throws: `CancellationError` when the task is cancelled first.
    @discardableResult
    public func waitForPendingCalls(_ count: Int) async throws(CancellationError) -> [SourceCall] {
        try await handshake.wait { $0.running >= count }
        return pendingCalls
    }

    /// Waits until calls have been cancelled.
    ///
    /// - Parameter count: how many, since the source was made.
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForCancelledCalls(_ count: Int) async throws(CancellationError) {
        try await handshake.wait { $0.calls.count(where: \.isCancelled) >= count }
    }

    /// Blocks the thread until calls have come: ``waitForCalls(_:)`` for synchronous tests.
    ///
    /// - Parameter count: how many, since the source was made.
    /// - Returns: every call so far.
    @available(*, noasync, message: "use waitForCalls(_:)")
    @discardableResult
    public func blockUntilCalls(_ count: Int) -> [SourceCall] {
        handshake.block { $0.calls.count >= count }
        return calls
    }

    /// Blocks the thread until calls are pending: ``waitForPendingCalls(_:)`` for synchronous tests.
    ///
    /// - Parameter count: how many at the same time.
    /// - Returns: the pending calls.
    @available(*, noasync, message: "use waitForPendingCalls(_:)")
    @discardableResult
    public func blockUntilPendingCalls(_ count: Int) -> [SourceCall] {
        handshake.block { $0.running >= count }
        return pendingCalls
    }

    /// Blocks the thread until calls have been cancelled: ``waitForCancelledCalls(_:)`` for synchronous tests.
    ///
    /// - Parameter count: how many, since the source was made.
    @available(*, noasync, message: "use waitForCancelledCalls(_:)")
    public func blockUntilCancelledCalls(_ count: Int) {
        handshake.block { $0.calls.count(where: \.isCancelled) >= count }
    }
}

extension ScriptedDataSource where T == SampleItem {
    /// Makes a source that answers every call from sample pages unless something is scripted.
    ///
    /// - Parameters:
    ///   - pages: the pages; their keys can be computed where they are addressed by offset or number.
    ///   - clock: what delays are measured by.
    public convenience init(serving pages: SamplePages, clock: any PaginatorClock = SystemPaginatorClock()) {
        self.init(
            firstKey: pages.firstKey,
            clock: clock,
            neighborKeys: { pages.neighborKeys(of: $0, pageSize: $1) },
            otherwise: { .result(pages.answer(to: $0)) })
    }
}
