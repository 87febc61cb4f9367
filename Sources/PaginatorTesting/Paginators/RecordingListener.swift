public import PaginatorCore

/// A fetch listener that records its callbacks, and for which a test can wait.
///
/// ```swift
/// let listener = RecordingListener<Post>()
/// paginator.fetch(key: "0", pageSize: 30, listener: listener)
/// let result = try await listener.waitForEnd()
/// ```
///
/// `@unchecked Sendable`: the lock of `log` guards everything that changes.
public final class RecordingListener<T: Sendable>: PaginatorFetchListener<T>, @unchecked Sendable {
    private let log: CallbackLog<[FetchedPage<T>], FetchedPage<T>>
    private let onPreview: (@Sendable (FetchedPage<T>) -> Void)?
    private let onEnd: (@Sendable (Result<FetchedPage<T>, PaginatorError>) -> Void)?

    /// Creates a listener.
    ///
    /// - Parameters:
    ///   - onPreview: called for each preview after it was recorded, on the thread of the callback.
    ///   - onEnd: called for each answer after it was recorded and before waiting tests continue, on the thread of the
    ///     callback.
    public convenience init(
        onPreview: (@Sendable (FetchedPage<T>) -> Void)? = nil,
        onEnd: (@Sendable (Result<FetchedPage<T>, PaginatorError>) -> Void)? = nil
    ) {
        self.init(name: "", journal: nil, onPreview: onPreview, onEnd: onEnd)
    }

    /// Creates a listener that also writes to a journal under its name.
    init(
        name: String = "", journal: CallbackJournal?,
        onPreview: (@Sendable (FetchedPage<T>) -> Void)? = nil,
        onEnd: (@Sendable (Result<FetchedPage<T>, PaginatorError>) -> Void)? = nil
    ) {
        log = CallbackLog([], name: name, journal: journal)
        self.onPreview = onPreview
        self.onEnd = onEnd
        super.init()
    }

    /// Records a preview.
    public override func fetchDidPreview(_ page: FetchedPage<T>) {
        log.note("preview \(page.page.key)") {
            $0.append(page)
        } then: {
            onPreview?(page)
        }
    }

    /// Records an answer.
    public override func fetchDidEnd(_ result: Result<FetchedPage<T>, PaginatorError>) {
        log.noteEnd(result) {
            "page \($0.page.key)"
        } then: {
            onEnd?(result)
        }
    }

    /// The previews, in order.
    public var previews: [FetchedPage<T>] { log.read { $0 } }

    /// The answers, in order; exactly one with a correct paginator.
    public var ends: [Result<FetchedPage<T>, PaginatorError>] { log.ends }

    /// The number of callbacks after the first answer; none with a correct paginator.
    var callbacksAfterEnd: Int { log.callbacksAfterEnd }

    /// The page of the first answer; `nil` before it, or if it is an error.
    public var page: PaginatorPage<T>? { fetched?.page }

    /// The first answer with its origin and age; `nil` before it, or if it is an error.
    public var fetched: FetchedPage<T>? {
        if case .success(let fetched)? = ends.first { fetched } else { nil }
    }

    /// The error of the first answer; `nil` before it, or if it is a page.
    public var error: PaginatorError? {
        if case .failure(let error)? = ends.first { error } else { nil }
    }

    /// Waits for the answer.
    ///
    /// - Returns: the first answer.
    /// - Throws: `CancellationError` if the task is cancelled first.
    @discardableResult
    public func waitForEnd() async throws(CancellationError) -> Result<FetchedPage<T>, PaginatorError> {
        try await log.waitForEnd()
    }

    /// Blocks the thread until the answer: ``waitForEnd()`` for synchronous tests.
    ///
    /// - Returns: the first answer.
    @available(*, noasync, message: "use waitForEnd()")
    @discardableResult
    public func blockUntilEnd() -> Result<FetchedPage<T>, PaginatorError> {
        log.blockUntilEnd()
    }
}
