public import PaginatorCore

/// A listener of a fetch around a page that records what it is given, and on which a test can wait.
///
/// `@unchecked Sendable`: its state is reached through the lock of `handshake` only; the rest never changes.
public final class RecordingAroundListener<T: Sendable>: PaginatorFetchAroundListener<T>, @unchecked Sendable {
    /// A page that came, and how far from the asked page it lies.
    public typealias Delivery = (distance: Int, fetched: FetchedPage<T>)

    private struct State: Sendable {
        var previews: [FetchedPage<T>] = []
        var deliveries: [Delivery] = []
        var failures: [(distance: Int, error: PaginatorError)] = []
        var ends: [Result<AroundSummary, PaginatorError>] = []
        var callbacksAfterEnd = 0
        /// How many completions' closures are over: what waiting tests go by.
        var finishedEnds = 0
    }

    private let name: String
    private let journal: CallbackJournal
    private let handshake = Handshake(State())
    private let onDelivery: (@Sendable (Delivery) -> Void)?
    private let onEnd: (@Sendable (Result<AroundSummary, PaginatorError>) -> Void)?

    /// Makes a listener.
    ///
    /// - Parameters:
    ///   - name: its name in the journal; empty by default.
    ///   - journal: the journal to record in; give several listeners the same one to see their common order.
    ///   - onDelivery: called for each page that comes, on the callback's thread, after it was recorded.
    ///   - onEnd: called for each completion, on the callback's thread, after it was recorded and before waiting tests go
    ///     on.
    public init(
        name: String = "",
        journal: CallbackJournal = CallbackJournal(),
        onDelivery: (@Sendable (Delivery) -> Void)? = nil,
        onEnd: (@Sendable (Result<AroundSummary, PaginatorError>) -> Void)? = nil
    ) {
        self.name = name
        self.journal = journal
        self.onDelivery = onDelivery
        self.onEnd = onEnd
        super.init()
    }

    /// Records a preview.
    public override func fetchAroundDidPreview(_ page: FetchedPage<T>) {
        record("preview \(page.page.key)") { $0.previews.append(page) }
    }

    /// Records a page.
    public override func fetchAroundDidDeliver(_ page: FetchedPage<T>, at distance: Int) {
        let delivery: Delivery = (distance, page)
        record("deliver \(page.page.key) at \(distance)") {
            $0.deliveries.append(delivery)
        } finish: {
            onDelivery?(delivery)
        }
    }

    /// Records a failure.
    public override func fetchAroundDidFail(_ error: PaginatorError, at distance: Int) {
        record("fail \(error.code) at \(distance)") {
            $0.failures.append((distance, error))
        }
    }

    /// Records a completion.
    public override func fetchAroundDidEnd(_ result: Result<AroundSummary, PaginatorError>) {
        let text =
            switch result {
            case .success: "end"
            case .failure(let error): "error \(error.code)"
            }
        record(text) {
            $0.ends.append(result)
        } finish: {
            onEnd?(result)
            handshake.update { $0.finishedEnds += 1 }
        }
    }

    /// The previews, in order.
    public var previews: [FetchedPage<T>] { handshake.read(\.previews) }

    /// The pages that came, in order.
    public var deliveries: [Delivery] { handshake.read(\.deliveries) }

    /// The distances of the pages that came, in order.
    public var distances: [Int] { deliveries.map(\.distance) }

    /// The neighbors that failed, in order.
    public var failures: [(distance: Int, error: PaginatorError)] { handshake.read(\.failures) }

    /// The completions, in order; a correct paginator gives exactly one.
    public var ends: [Result<AroundSummary, PaginatorError>] { handshake.read(\.ends) }

    /// How many callbacks came after the first completion; a correct paginator makes none.
    public var callbacksAfterEnd: Int { handshake.read(\.callbacksAfterEnd) }

    /// Waits for the completion.
    ///
    /// - Returns: the first completion.
    /// - Throws: `CancellationError` when the task is cancelled first.
    @discardableResult
    public func waitForEnd() async throws(CancellationError) -> Result<AroundSummary, PaginatorError> {
        try await handshake.wait { $0.finishedEnds > 0 }
        return ends[0]
    }

    /// Blocks the thread until the completion comes: ``waitForEnd()`` for synchronous tests.
    ///
    /// - Returns: the first completion.
    @available(*, noasync, message: "use waitForEnd()")
    @discardableResult
    public func blockUntilEnd() -> Result<AroundSummary, PaginatorError> {
        handshake.block { $0.finishedEnds > 0 }
        return ends[0]
    }

    private func record(_ text: String, _ change: (inout State) -> Void, finish: () -> Void = {}) {
        journal.record(name, text) {
            handshake.update { state in
                if !state.ends.isEmpty { state.callbacksAfterEnd += 1 }
                change(&state)
            }
            finish()
        }
    }
}
