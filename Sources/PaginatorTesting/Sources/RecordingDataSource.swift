public import PaginatorCore

/// A data source that hands every call on to a real one and records it.
public final class RecordingDataSource<T: Sendable>: PaginatorDataSource {
    private struct State: Sendable {
        var calls: [SourceCall] = []
        var results: [(request: SourceRequest, result: Result<PaginatorPage<T>, SourceError>)] = []
    }

    private let source: any PaginatorDataSource<T>
    private let handshake = Handshake(State())

    /// Wraps a source.
    public init(_ source: any PaginatorDataSource<T>) {
        self.source = source
    }

    /// The real source's first key.
    public var firstKey: String { source.firstKey }

    /// Records the call and makes it.
    public func fetch(
        _ request: SourceRequest,
        completion: @escaping @Sendable (Result<PaginatorPage<T>, SourceError>) -> Void
    ) -> SourceCancellation {
        let handshake = handshake
        let id = handshake.update { state in
            state.calls.append(SourceCall(id: state.calls.count, request: request))
            return state.calls.count - 1
        }
        let cancellation = source.fetch(request) { result in
            completion(result)
            handshake.update { state in
                state.calls[id].answers += 1
                state.results.append((request, result))
            }
        }
        return SourceCancellation {
            handshake.update { $0.calls[id].isCancelled = true }
            cancellation.cancel()
        }
    }

    /// What the real source computes; not recorded.
    public func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        source.neighborKeys(of: key, pageSize: pageSize)
    }

    /// Every call so far, in the order in which they came.
    public var calls: [SourceCall] { handshake.read(\.calls) }

    /// The keys asked for, in the order of the calls.
    public var keys: [String] { calls.map(\.request.key) }

    /// The answers, in the order in which they came.
    public var results: [(request: SourceRequest, result: Result<PaginatorPage<T>, SourceError>)] {
        handshake.read(\.results)
    }

    /// Waits until calls have come.
    ///
    /// - Parameter count: how many, since the source was wrapped.
    /// - Returns: every call so far.
    /// - Throws: `CancellationError` when the task is cancelled first.
    @discardableResult
    public func waitForCalls(_ count: Int) async throws(CancellationError) -> [SourceCall] {
        try await handshake.wait { $0.calls.count >= count }
        return calls
    }

    /// Waits until answers have come and been handed on.
    ///
    /// - Parameter count: how many, since the source was wrapped.
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForAnswers(_ count: Int) async throws(CancellationError) {
        try await handshake.wait { $0.results.count >= count }
    }
}
