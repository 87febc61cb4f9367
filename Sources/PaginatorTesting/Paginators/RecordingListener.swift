public import PaginatorCore

/// A fetch listener that records its callbacks, and that a test can wait for.
///
/// ```swift
/// let listener = RecordingListener<Post>()
/// paginator.fetch(key: "0", pageSize: 30, listener: listener)
/// let result = try await listener.waitForEnd()
/// ```
///
/// `@unchecked Sendable`: nothing of it changes but what the lock of `log` guards.
public final class RecordingListener<T: Sendable>: PaginatorFetchListener<T>, @unchecked Sendable {
    private let log: CallbackLog<[FetchedPage<T>], FetchedPage<T>>
    private let onPreview: (@Sendable (FetchedPage<T>) -> Void)?
    private let onEnd: (@Sendable (Result<FetchedPage<T>, PaginatorError>) -> Void)?

    /// Makes a listener.
    ///
    /// - Parameters:
    ///   - onPreview: called for each preview after it was recorded, on the thread of the callback.
    ///   - onEnd: called for each answer after it was recorded and before waiting tests go on, on the thread of the
    ///     callback.
    public convenience init(
        onPreview: (@Sendable (FetchedPage<T>) -> Void)? = nil,
        onEnd: (@Sendable (Result<FetchedPage<T>, PaginatorError>) -> Void)? = nil
    ) {
        self.init(name: "", journal: nil, onPreview: onPreview, onEnd: onEnd)
    }

    /// Makes a listener that also writes into a journal, by its name.
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

    /// The answers, in order; a correct paginator gives exactly one.
    public var ends: [Result<FetchedPage<T>, PaginatorError>] { log.ends }

    /// How many callbacks came after the first answer; a correct paginator makes none.
    package var callbacksAfterEnd: Int { log.callbacksAfterEnd }

    /// The page of the first answer; `nil` before it, and when it is an error.
    public var page: PaginatorPage<T>? { fetched?.page }

    /// The first answer with its origin and age; `nil` before it, and when it is an error.
    public var fetched: FetchedPage<T>? {
        if case .success(let fetched)? = ends.first { fetched } else { nil }
    }

    /// The error of the first answer; `nil` before it, and when it is a page.
    public var error: PaginatorError? {
        if case .failure(let error)? = ends.first { error } else { nil }
    }

    /// Waits for the answer.
    ///
    /// - Returns: the first answer.
    /// - Throws: `CancellationError` when the task is cancelled first.
    @discardableResult
    public func waitForEnd() async throws(CancellationError) -> Result<FetchedPage<T>, PaginatorError> {
        try await log.waitForEnd()
    }

    /// Blocks the thread until the answer comes: ``waitForEnd()`` for synchronous tests.
    ///
    /// - Returns: the first answer.
    @available(*, noasync, message: "use waitForEnd()")
    @discardableResult
    public func blockUntilEnd() -> Result<FetchedPage<T>, PaginatorError> {
        log.blockUntilEnd()
    }
}
