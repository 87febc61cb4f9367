/// A source of pages: a server, a database, an array.
///
/// A paginator calls it on a background thread, never inside a call of the app, and concurrently.
///
/// ```swift
/// struct Posts: PaginatorDataSource {
///     let firstKey = "0"
///     func fetch(
///         _ request: SourceRequest, completion: @escaping @Sendable (Result<PaginatorPage<Post>, SourceError>) -> Void
///     ) -> SourceCancellation {
///         let task = api.posts(offset: request.key) { completion($0) }
///         return SourceCancellation { task.cancel() }
///     }
/// }
/// ```
public protocol PaginatorDataSource<T>: Sendable {
    /// The item type.
    associatedtype T: Sendable

    /// The key of the first page; not empty.
    var firstKey: String { get }

    /// Which keys its pages can have; `nil`, the default, for any. A fetch of another one fails at once with
    /// ``PaginatorError/Code/invalidKey``, also without a connection.
    var keyRule: KeyRule? { get }

    /// Whether it is not called while ``PaginatorConfig/connectivity`` reports no connection: `true`, the default. A
    /// source on the device returns `false`, one around another source what that one returns. It never changes.
    var needsConnection: Bool { get }

    /// Fetches one page and answers once, on any thread; it may answer before it returns.
    ///
    /// Further answers are ignored and reported. After the returned handle is cancelled, an answer is optional.
    ///
    /// A call keeps its slot of the scheduler until it answers. So it must not wait for a page of a paginator with the
    /// same scheduler: once such calls have all slots, they wait for each other until they time out.
    ///
    /// - Parameters:
    ///   - request: the requested page.
    ///   - completion: takes the page, whose key should be that of the request, or the error.
    /// - Returns: a handle to cancel the work.
    func fetch(
        _ request: SourceRequest,
        completion: @escaping @Sendable (Result<PaginatorPage<T>, SourceError>) -> Void
    ) -> SourceCancellation

    /// Returns the keys beside a page if they can be computed without loading it, as with offsets; else `nil`.
    ///
    /// With them, neighbors load in parallel. The default returns `nil`.
    ///
    /// - Parameters:
    ///   - key: a page's key.
    ///   - pageSize: the requested number of items.
    func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys?
}

/// A source whose `fetch` only starts a task that runs all user code, so it needs no thread that may block.
package protocol TaskStartingSource {}

extension PaginatorDataSource {
    /// `nil`: any key may have a page.
    public var keyRule: KeyRule? { nil }

    /// `true`.
    public var needsConnection: Bool { true }

    /// Returns `nil`: only the page contains the keys of its neighbors.
    public func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? { nil }
}
