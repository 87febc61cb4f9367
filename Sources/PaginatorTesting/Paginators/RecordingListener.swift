public import PaginatorCore

/// A fetch listener that records what it is given, and on which a test can wait.
///
/// ```swift
/// let listener = RecordingListener<Post>()
/// paginator.fetch(key: "0", pageSize: 30, listener: listener)
/// let result = try await listener.waitForEnd()
/// ```
///
/// `@unchecked Sendable`: its state is reached through the lock of `handshake` only; the rest never changes.
public final class RecordingListener<T: Sendable>: PaginatorFetchListener<T>, @unchecked Sendable {
    private struct State: Sendable {
        var previews: [FetchedPage<T>] = []
        var ends: [Result<FetchedPage<T>, PaginatorError>] = []
        var callbacksAfterEnd = 0
        /// How many answers' closures are over: what waiting tests go by.
        var finishedEnds = 0
    }

    private let name: String
    private let journal: CallbackJournal
    private let handshake = Handshake(State())
    private let onPreview: (@Sendable (FetchedPage<T>) -> Void)?
    private let onEnd: (@Sendable (Result<FetchedPage<T>, PaginatorError>) -> Void)?

    /// Makes a listener.
    ///
    /// - Parameters:
    ///   - name: its name in the journal; empty by default.
    ///   - journal: the journal to record in; give several listeners the same one to see their common order.
    ///   - onPreview: called for each preview, on the callback's thread, after it was recorded.
    ///   - onEnd: called for each answer, on the callback's thread, after it was recorded and before waiting tests go on.
    public init(
        name: String = "",
        journal: CallbackJournal = CallbackJournal(),
        onPreview: (@Sendable (FetchedPage<T>) -> Void)? = nil,
        onEnd: (@Sendable (Result<FetchedPage<T>, PaginatorError>) -> Void)? = nil
    ) {
        self.name = name
        self.journal = journal
        self.onPreview = onPreview
        self.onEnd = onEnd
        super.init()
    }

    /// Records a preview.
    public override func fetchDidPreview(_ page: FetchedPage<T>) {
        journal.record(name, "preview \(page.page.key)") {
            handshake.update { state in
                if !state.ends.isEmpty { state.callbacksAfterEnd += 1 }
                state.previews.append(page)
            }
            onPreview?(page)
        }
    }

    /// Records an answer.
    public override func fetchDidEnd(_ result: Result<FetchedPage<T>, PaginatorError>) {
        journal.record(name, Self.text(result)) {
            handshake.update { state in
                if !state.ends.isEmpty { state.callbacksAfterEnd += 1 }
                state.ends.append(result)
            }
            onEnd?(result)
            handshake.update { $0.finishedEnds += 1 }
        }
    }

    /// The previews, in order.
    public var previews: [FetchedPage<T>] { handshake.read(\.previews) }

    /// The answers, in order; a correct paginator gives exactly one.
    public var ends: [Result<FetchedPage<T>, PaginatorError>] { handshake.read(\.ends) }

    /// How many callbacks came after the first answer; a correct paginator makes none.
    public var callbacksAfterEnd: Int { handshake.read(\.callbacksAfterEnd) }

    /// The page of the first answer; `nil` while there is none, and when it was an error.
    public var page: PaginatorPage<T>? { fetched?.page }

    /// The first answer, when it was a page.
    public var fetched: FetchedPage<T>? {
        if case .success(let fetched)? = ends.first { fetched } else { nil }
    }

    /// The error of the first answer; `nil` while there is none, and when it was a page.
    public var error: PaginatorError? {
        if case .failure(let error)? = ends.first { error } else { nil }
    }

    /// Waits for the answer.
    ///
    /// - Returns: the first answer.
    /// - Throws: `CancellationError` when the task is cancelled first.
    @discardableResult
    public func waitForEnd() async throws(CancellationError) -> Result<FetchedPage<T>, PaginatorError> {
        try await handshake.wait { $0.finishedEnds > 0 }
        return ends[0]
    }

    /// Blocks the thread until the answer comes: ``waitForEnd()`` for synchronous tests.
    ///
    /// - Returns: the first answer.
    @available(*, noasync, message: "use waitForEnd()")
    @discardableResult
    public func blockUntilEnd() -> Result<FetchedPage<T>, PaginatorError> {
        handshake.block { $0.finishedEnds > 0 }
        return ends[0]
    }

    private static func text(_ result: Result<FetchedPage<T>, PaginatorError>) -> String {
        switch result {
        case .success(let fetched): "page \(fetched.page.key)"
        case .failure(let error): "error \(error.code)"
        }
    }
}
