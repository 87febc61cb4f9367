public import PaginatorCore

extension ScriptedDataSource {
    /// Every call so far, in order.
    public var calls: [SourceCall] { handshake.read(\.calls) }

    /// The calls that were neither answered nor cancelled, in order.
    public var pendingCalls: [SourceCall] { calls.filter(\.isPending) }

    /// The keys of the calls so far, in order.
    public var keys: [String] { calls.map(\.request.key) }

    /// The greatest number of calls that were pending at the same time.
    package var mostParallelCalls: Int { handshake.read(\.mostParallelCalls) }

    /// Answers a call on the calling thread, also a cancelled one, as a slow server does.
    ///
    /// Calls may be answered in any order.
    ///
    /// - Parameters:
    ///   - call: the call, identified by its ``SourceCall/id``.
    ///   - result: the page or the error.
    ///   - times: the number of times to answer; 1 by default, as a correct source does.
    /// - Returns: false if the call was answered before, unless the source was created with `keepsAnswered`.
    @discardableResult
    public func answer(
        _ call: SourceCall, with result: Result<PaginatorPage<T>, SourceError>, times: Int = 1
    ) -> Bool {
        give(Array(repeating: result, count: max(0, times)), to: call.id)
    }

    /// Waits until there are a number of calls.
    ///
    /// - Parameter count: the number of calls since the source was created.
    /// - Returns: every call so far.
    /// - Throws: `CancellationError` if the task is cancelled first.
    @discardableResult
    public func waitForCalls(_ count: Int) async throws(CancellationError) -> [SourceCall] {
        try await handshake.wait { $0.calls.count >= count }
        return calls
    }

    /// Waits until a number of calls have been cancelled.
    ///
    /// - Parameter count: the number of calls since the source was created.
    /// - Throws: `CancellationError` if the task is cancelled first.
    package func waitForCancelledCalls(_ count: Int) async throws(CancellationError) {
        try await handshake.wait { $0.calls.count(where: \.isCancelled) >= count }
    }

    /// Blocks the thread until there are a number of calls: ``waitForCalls(_:)`` for synchronous tests.
    ///
    /// - Parameter count: the number of calls since the source was created.
    /// - Returns: every call so far.
    @available(*, noasync, message: "use waitForCalls(_:)")
    @discardableResult
    public func blockUntilCalls(_ count: Int) -> [SourceCall] {
        handshake.block { $0.calls.count >= count }
        return calls
    }
}
