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
}
