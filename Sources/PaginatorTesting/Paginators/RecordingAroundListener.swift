public import PaginatorCore

/// A listener of a fetch around a page that records its callbacks, and for which a test can wait.
///
/// `@unchecked Sendable`: the lock of `log` guards everything that changes.
public final class RecordingAroundListener<T: Sendable>: PaginatorFetchAroundListener<T>, @unchecked Sendable {
    /// A page, and its distance from the requested page.
    public typealias Delivery = (distance: Int, fetched: FetchedPage<T>)

    private struct Callbacks: Sendable {
        var previews: [FetchedPage<T>] = []
        var deliveries: [Delivery] = []
        var failures: [(distance: Int, error: PaginatorError)] = []
    }

    private let log: CallbackLog<Callbacks, AroundSummary>
    private let onDelivery: (@Sendable (Delivery) -> Void)?
    private let onEnd: (@Sendable (Result<AroundSummary, PaginatorError>) -> Void)?

    /// Creates a listener.
    ///
    /// - Parameters:
    ///   - onDelivery: called for each page after it was recorded, on the thread of the callback.
    ///   - onEnd: called for each completion after it was recorded and before waiting tests continue, on the thread of
    ///     the callback.
    public convenience init(
        onDelivery: (@Sendable (Delivery) -> Void)? = nil,
        onEnd: (@Sendable (Result<AroundSummary, PaginatorError>) -> Void)? = nil
    ) {
        self.init(name: "", journal: nil, onDelivery: onDelivery, onEnd: onEnd)
    }

    /// Creates a listener that also writes to a journal under its name.
    init(
        name: String = "", journal: CallbackJournal?,
        onDelivery: (@Sendable (Delivery) -> Void)? = nil,
        onEnd: (@Sendable (Result<AroundSummary, PaginatorError>) -> Void)? = nil
    ) {
        log = CallbackLog(Callbacks(), name: name, journal: journal)
        self.onDelivery = onDelivery
        self.onEnd = onEnd
        super.init()
    }

    /// Records a preview.
    public override func fetchAroundDidPreview(_ page: FetchedPage<T>) {
        log.note("preview \(page.page.key)", { $0.previews.append(page) })
    }

    /// Records a page.
    public override func fetchAroundDidDeliver(_ page: FetchedPage<T>, at distance: Int) {
        log.note("deliver \(page.page.key) at \(distance)") {
            $0.deliveries.append((distance, page))
        } then: {
            onDelivery?((distance, page))
        }
    }

    /// Records a failure.
    public override func fetchAroundDidFail(_ error: PaginatorError, at distance: Int) {
        log.note("fail \(error.code) at \(distance)", { $0.failures.append((distance, error)) })
    }

    /// Records a completion.
    public override func fetchAroundDidEnd(_ result: Result<AroundSummary, PaginatorError>) {
        log.noteEnd(result) { _ in
            "end"
        } then: {
            onEnd?(result)
        }
    }

    /// The previews, in order.
    public var previews: [FetchedPage<T>] { log.read(\.previews) }

    /// The delivered pages, in order.
    public var deliveries: [Delivery] { log.read(\.deliveries) }

    /// The distances of the delivered pages, in order.
    public var distances: [Int] { deliveries.map(\.distance) }

    /// The failed neighbors, in order.
    public var failures: [(distance: Int, error: PaginatorError)] { log.read(\.failures) }

    /// The completions, in order; exactly one with a correct paginator.
    public var ends: [Result<AroundSummary, PaginatorError>] { log.ends }

    /// The number of callbacks after the first completion; none with a correct paginator.
    var callbacksAfterEnd: Int { log.callbacksAfterEnd }

    /// Waits for the completion.
    ///
    /// - Returns: the first completion.
    /// - Throws: `CancellationError` if the task is cancelled first.
    @discardableResult
    public func waitForEnd() async throws(CancellationError) -> Result<AroundSummary, PaginatorError> {
        try await log.waitForEnd()
    }

    /// Blocks the thread until the completion: ``waitForEnd()`` for synchronous tests.
    ///
    /// - Returns: the first completion.
    @available(*, noasync, message: "use waitForEnd()")
    @discardableResult
    public func blockUntilEnd() -> Result<AroundSummary, PaginatorError> {
        log.blockUntilEnd()
    }
}
