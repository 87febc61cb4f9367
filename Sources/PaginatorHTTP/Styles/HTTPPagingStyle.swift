public import PaginatorCore

/// How an API pages: where a request says which page it wants, and where a response names the pages beside it.
///
/// The styles of this module fit most APIs. One of your own is a value with two methods:
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
/// Both methods are pure: what they return follows from what they are given.
public protocol HTTPPagingStyle: Sendable {
    /// The key of the first page; not empty.
    var firstKey: String { get }

    /// Statuses that mean: past the last page. Such an answer counts as an empty page; none by default.
    var endStatuses: Set<Int> { get }

    /// Says in the request which page is wanted.
    ///
    /// - Parameter request: the request as the endpoint begins it.
    /// - Throws: ``HTTPSourceError/Code/badKey`` when the key is none of this style's.
    func prepare(_ request: inout HTTPPageRequest) throws(HTTPSourceError)

    /// Reads the keys of the pages beside the one that came.
    ///
    /// - Parameter response: the response.
    /// - Throws: an error that names the field that is missing or wrong.
    func keys(in response: HTTPPageResponse) throws(HTTPSourceError) -> HTTPPageKeys

    /// Returns the keys beside a page where they can be computed, so that neighbors load in parallel; `nil` by default.
    ///
    /// - Parameters:
    ///   - key: a page's key.
    ///   - pageSize: the number of items asked for.
    func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys?
}

extension HTTPPagingStyle {
    /// No status means the end.
    public var endStatuses: Set<Int> { [] }

    /// Returns `nil`: only the page itself tells.
    public func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? { nil }
}

/// What a response tells about the pages beside it.
public struct HTTPPageKeys: Sendable, Hashable {
    /// The key of the page before; `nil` at the start, or where the API does not go back.
    public var previous: String?
    /// The key of the page after; `nil` at the end.
    public var next: String?
    /// How many items there are in all; `nil` where the API does not tell.
    public var total: Int?

    /// Makes keys.
    public init(previous: String? = nil, next: String? = nil, total: Int? = nil) {
        self.previous = previous
        self.next = next
        self.total = total
    }
}
