public import PaginatorCore

/// A data source that serves ``SamplePages``, which the test can change between two calls.
///
/// ```swift
/// let server = SampleServer(SamplePages(count: 100))
/// let source = ScriptedDataSource(serving: server, clock: clock)
/// server.change { $0.insert(3) }
/// ```
///
/// It answers before its calls return. Every method may be called from any thread.
public final class SampleServer: PaginatorDataSource {
    private let content: Guarded<SamplePages>

    /// The key of the first page.
    public let firstKey: String

    /// Creates a server.
    ///
    /// - Parameter pages: the initial table.
    public init(_ pages: SamplePages) {
        content = Guarded(pages)
        firstKey = pages.firstKey
    }

    /// The current table.
    public var pages: SamplePages { content.withLock { $0 } }

    /// Changes the table for later calls; `change` must not call the server.
    public func change(_ change: @Sendable (inout SamplePages) -> Void) {
        content.withLock { change(&$0) }
    }

    /// Answers from the current table, before the call returns.
    public func fetch(
        _ request: SourceRequest,
        completion: @escaping @Sendable (Result<PaginatorPage<SampleItem>, SourceError>) -> Void
    ) -> SourceCancellation {
        completion(pages.answer(to: request))
        return .none
    }

    /// Returns the keys before and after a page that is addressed by offset or number, else `nil`.
    public func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        pages.neighborKeys(of: key, pageSize: pageSize)
    }
}
