public import PaginatorCore

/// How an API pages: where a request has its page's key, and where a response has the neighbors' keys.
///
/// ``HTTPStyle`` has the styles of this module, which fit most APIs. A style of your own is a value with two methods:
///
/// ```swift
/// struct SinceID: HTTPPagingStyle {
///     let firstKey = "start"
///
///     func prepare(_ request: inout HTTPPageRequest) {
///         request.setPageSize("count")
///         if !request.isFirst { request.set("since_id", to: request.key) }
///     }
///
///     func keys(in response: HTTPPageResponse) throws(HTTPSourceError) -> HTTPPageKeys {
///         HTTPPageKeys(next: try response.text(of: "newest_id"))
///     }
/// }
/// ```
///
/// Both methods are pure, and may be called on any thread: the same arguments give the same result.
public protocol HTTPPagingStyle: Sendable {
    /// The key of the first page; not empty.
    var firstKey: String { get }

    /// Statuses by which the API reports a page past the last one, so that the response counts as an empty page; none
    /// by default.
    var endStatuses: Set<Int> { get }

    /// Adds the page's key and size to its request.
    ///
    /// - Parameter request: the request, based on the endpoint.
    /// - Throws: ``HTTPSourceError/Code/badKey`` if the key does not belong to this style.
    func prepare(_ request: inout HTTPPageRequest) throws(HTTPSourceError)

    /// Reads the keys of the pages before and after the page of a response.
    ///
    /// - Parameter response: the response.
    /// - Throws: ``HTTPSourceError/Code/missingField`` or ``HTTPSourceError/Code/wrongType``, with the name of the
    ///   field, or an error of your own with ``HTTPSourceError/Code/style``.
    func keys(in response: HTTPPageResponse) throws(HTTPSourceError) -> HTTPPageKeys

    /// Returns the keys before and after a page if they can be computed, so that neighbors load in parallel; `nil` by
    /// default.
    ///
    /// - Parameters:
    ///   - key: a page's key.
    ///   - pageSize: the requested number of items.
    func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys?
}

extension HTTPPagingStyle {
    /// Returns no status.
    public var endStatuses: Set<Int> { [] }

    /// Returns `nil`: the keys are read from the page.
    public func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? { nil }
}

/// The keys of the pages before and after a page, and the number of all items.
public struct HTTPPageKeys: Sendable, Hashable {
    /// The key of the page before; `nil` at the start, or if the API does not go back.
    public var previous: String?
    /// The key of the page after; `nil` at the end.
    public var next: String?
    /// The number of all items; `nil` if the API does not state it.
    public var total: Int?

    /// Creates keys.
    public init(previous: String? = nil, next: String? = nil, total: Int? = nil) {
        self.previous = previous
        self.next = next
        self.total = total
    }
}
