public import PaginatorCore

/// A paginator that hands every call on to a real one and records it, with its end.
public final class RecordingPaginator<T: Sendable>: Paginator {
    private struct State: Sendable {
        var calls: [PaginatorCall] = []
        var ends: [(request: PageRequest, result: Result<FetchedPage<T>, PaginatorError>)] = []
        var aroundEnds: [(request: AroundRequest, result: Result<AroundSummary, PaginatorError>)] = []
    }

    private let paginator: any Paginator<T>
    private let handshake = Handshake(State())

    /// Wraps a paginator.
    public init(_ paginator: any Paginator<T>) {
        self.paginator = paginator
    }

    /// Records the call and makes it.
    @discardableResult
    public func fetch(_ request: PageRequest, listener: PaginatorFetchListener<T>) -> PaginatorExecution {
        handshake.update { $0.calls.append(.fetch(request)) }
        let relay = FetchRelay(to: listener) { [handshake] result in
            handshake.update { $0.ends.append((request, result)) }
        }
        return paginator.fetch(request, listener: relay)
    }

    /// Records the call and makes it.
    @discardableResult
    public func fetchAround(
        _ request: AroundRequest, listener: PaginatorFetchAroundListener<T>
    ) -> PaginatorExecution {
        handshake.update { $0.calls.append(.fetchAround(request)) }
        let relay = AroundRelay(to: listener) { [handshake] result in
            handshake.update { $0.aroundEnds.append((request, result)) }
        }
        return paginator.fetchAround(request, listener: relay)
    }

    /// Records the call and makes it.
    public func clear(key: String) {
        handshake.update { $0.calls.append(.clear(key: key)) }
        paginator.clear(key: key)
    }

    /// Every call so far, in order.
    public var calls: [PaginatorCall] { handshake.read(\.calls) }

    /// How fetches of one page ended, in order; the listener was told before.
    public var ends: [(request: PageRequest, result: Result<FetchedPage<T>, PaginatorError>)] {
        handshake.read(\.ends)
    }

    /// How fetches around a page ended, in order; the listener was told before.
    public var aroundEnds: [(request: AroundRequest, result: Result<AroundSummary, PaginatorError>)] {
        handshake.read(\.aroundEnds)
    }

    /// Waits until fetches of one page have ended.
    ///
    /// - Parameter count: how many, since the paginator was wrapped.
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForEnds(_ count: Int) async throws(CancellationError) {
        try await handshake.wait { $0.ends.count >= count }
    }
}

/// Hands callbacks on.
///
/// `@unchecked Sendable`: its state never changes.
private final class FetchRelay<T: Sendable>: PaginatorFetchListener<T>, @unchecked Sendable {
    private let listener: PaginatorFetchListener<T>
    private let ended: @Sendable (Result<FetchedPage<T>, PaginatorError>) -> Void

    init(
        to listener: PaginatorFetchListener<T>,
        ended: @escaping @Sendable (Result<FetchedPage<T>, PaginatorError>) -> Void
    ) {
        self.listener = listener
        self.ended = ended
    }

    override var wantsMain: Bool { listener.wantsMain }

    override func fetchDidPreview(_ page: FetchedPage<T>) { listener.fetchDidPreview(page) }

    override func fetchDidEnd(_ result: Result<FetchedPage<T>, PaginatorError>) {
        listener.fetchDidEnd(result)
        ended(result)
    }
}

/// Hands callbacks on.
///
/// `@unchecked Sendable`: its state never changes.
private final class AroundRelay<T: Sendable>: PaginatorFetchAroundListener<T>, @unchecked Sendable {
    private let listener: PaginatorFetchAroundListener<T>
    private let ended: @Sendable (Result<AroundSummary, PaginatorError>) -> Void

    init(
        to listener: PaginatorFetchAroundListener<T>,
        ended: @escaping @Sendable (Result<AroundSummary, PaginatorError>) -> Void
    ) {
        self.listener = listener
        self.ended = ended
    }

    override var wantsMain: Bool { listener.wantsMain }

    override func fetchAroundDidPreview(_ page: FetchedPage<T>) { listener.fetchAroundDidPreview(page) }

    override func fetchAroundDidDeliver(_ page: FetchedPage<T>, at distance: Int) {
        listener.fetchAroundDidDeliver(page, at: distance)
    }

    override func fetchAroundDidFail(_ error: PaginatorError, at distance: Int) {
        listener.fetchAroundDidFail(error, at: distance)
    }

    override func fetchAroundDidEnd(_ result: Result<AroundSummary, PaginatorError>) {
        listener.fetchAroundDidEnd(result)
        ended(result)
    }
}
