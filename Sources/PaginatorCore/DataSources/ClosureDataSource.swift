/// A data source made of closures.
///
/// ```swift
/// let posts = ClosureDataSource<Post>(firstKey: "0") { request, completion in
///     let task = api.posts(offset: request.key, limit: request.pageSize) { completion($0) }
///     return SourceCancellation { task.cancel() }
/// }
/// ```
public struct ClosureDataSource<T: Sendable>: PaginatorDataSource {
    /// Answers a call of the source.
    public typealias Completion = @Sendable (Result<PaginatorPage<T>, SourceError>) -> Void

    /// The key of the first page.
    public let firstKey: String

    /// The value that the initializer was given.
    public let needsConnection: Bool

    private let neighborRule: (@Sendable (String, Int) -> NeighborKeys?)?
    private let body: @Sendable (SourceRequest, @escaping Completion) -> SourceCancellation

    /// Creates a source from a closure that answers asynchronously.
    ///
    /// - Parameters:
    ///   - firstKey: the key of the first page; not empty.
    ///   - needsConnection: ``PaginatorDataSource/needsConnection``; pass `false` if the pages are on the device.
    ///   - neighborKeys: computes the keys beside a page; `nil`, the default, if only the page tells them.
    ///   - fetch: fetches one page; see ``PaginatorDataSource/fetch(_:completion:)``.
    public init(
        firstKey: String, needsConnection: Bool = true,
        neighborKeys: (@Sendable (_ key: String, _ pageSize: Int) -> NeighborKeys?)? = nil,
        fetch: @escaping @Sendable (_ request: SourceRequest, _ completion: @escaping Completion) -> SourceCancellation
    ) {
        self.firstKey = firstKey
        self.needsConnection = needsConnection
        neighborRule = neighborKeys
        body = fetch
    }

    /// Creates a source from a closure that returns a page or throws. It may block, and cannot be cancelled.
    ///
    /// - Parameters:
    ///   - firstKey: the key of the first page; not empty.
    ///   - needsConnection: ``PaginatorDataSource/needsConnection``; pass `false` if the pages are on the device.
    ///   - neighborKeys: computes the keys beside a page; `nil`, the default, if only the page tells them.
    ///   - load: loads one page on a background thread. A ``SourceError`` that it throws is used as it is; any other
    ///     error becomes ``SourceError/retry(_:after:)``.
    public init(
        firstKey: String,
        needsConnection: Bool = true,
        neighborKeys: (@Sendable (_ key: String, _ pageSize: Int) -> NeighborKeys?)? = nil,
        load: @escaping @Sendable (_ request: SourceRequest) throws -> PaginatorPage<T>
    ) {
        self.init(firstKey: firstKey, needsConnection: needsConnection, neighborKeys: neighborKeys) { request, answer in
            do {
                answer(.success(try load(request)))
            } catch {
                answer(.failure(error as? SourceError ?? .retry(error)))
            }
            return .none
        }
    }

    /// Calls the closure.
    public func fetch(_ request: SourceRequest, completion: @escaping Completion) -> SourceCancellation {
        body(request, completion)
    }

    /// Calls the closure for neighbor keys, if there is one.
    public func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        neighborRule?(key, pageSize)
    }
}
