public import Foundation
public import PaginatorCore

/// A data source for an HTTP API with JSON bodies: an address, an item type, and one line that names how it pages.
///
/// ```swift
/// let issues = HTTPDataSource<GitHubIssue>(
///     "https://api.github.com/repos/swiftlang/swift/issues?state=all", style: .linkHeader)
/// let feed = CallbackPaginator(dataSource: issues)
/// ```
///
/// It follows what the server says: `Cache-Control` and `Expires` for how long a page is fresh, `ETag` and
/// `Last-Modified` whether an expired page has to be sent again, `Retry-After` and rate limits when to try again. A
/// failed fetch has an ``HTTPSourceError`` as the `underlying` error of its `PaginatorError`.
///
/// Where the style knows how many items there are, pages have it as their total, and lists in their status. Copies of a
/// source share the keys that it has passed. Entity tags are kept with their pages, also on disk.
public struct HTTPDataSource<Item: Sendable>: PaginatorDataSource {
    let endpoint: HTTPEndpoint
    let firstEndpoint: HTTPEndpoint
    let hasOwnFirst: Bool
    let style: any BuiltInStyle
    let options: HTTPSourceOptions
    let decoding: ItemDecoding<Item>
    let reading: PageReading
    let memory: HTTPSourceMemory
    let allowedOrigins: Set<HTTPOrigin>
    /// The names of secret parameters, in lower case.
    let secretNames: Set<String>

    /// Makes a source of items that decode themselves.
    ///
    /// - Parameters:
    ///   - endpoint: the request that each page's request begins with; a string literal is an address to `GET`.
    ///   - first: the endpoint of the first page, where it is another one; `nil`, the default, where it is the same.
    ///   - items: the path of the items in a body: names and indices with dots between them, such as `data.items`; `[]`
    ///     takes a part of each element, as in `hits.hits[]._source`. `nil`, the default, takes the path that the style
    ///     knows, or else the whole body.
    ///   - style: how the API pages.
    ///   - decoder: decodes the items.
    ///   - options: everything else.
    public init(
        _ endpoint: HTTPEndpoint, first: HTTPEndpoint? = nil, items: String? = nil, style: some HTTPPagingStyle,
        decoder: JSONDecoder = JSONDecoder(), options: HTTPSourceOptions = HTTPSourceOptions()
    ) where Item: Decodable {
        let decoding = ItemDecoding<Item>(
            one: { try decoder.decode(Item.self, from: $0) },
            many: { try decoder.decode([Item].self, from: $0) })
        self.init(endpoint, first: first, items: items, style: style, decoding: decoding, options: options)
    }

    /// Makes a source of items that a closure decodes.
    ///
    /// - Parameters:
    ///   - endpoint: the request that each page's request begins with; a string literal is an address to `GET`.
    ///   - first: the endpoint of the first page, where it is another one; `nil`, the default, where it is the same.
    ///   - items: the path of the items in a body: names and indices with dots between them, such as `data.items`; `[]`
    ///     takes a part of each element, as in `hits.hits[]._source`. `nil`, the default, takes the path that the style
    ///     knows, or else the whole body.
    ///   - style: how the API pages.
    ///   - options: everything else.
    ///   - decode: makes an item from its JSON, as the server sent it, or throws; called on any thread.
    public init(
        _ endpoint: HTTPEndpoint, first: HTTPEndpoint? = nil, items: String? = nil, style: some HTTPPagingStyle,
        options: HTTPSourceOptions = HTTPSourceOptions(), decode: @escaping @Sendable (Data) throws -> Item
    ) {
        let decoding = ItemDecoding<Item>(one: decode, many: nil)
        self.init(endpoint, first: first, items: items, style: style, decoding: decoding, options: options)
    }

    /// Makes a source of bodies in another format than JSON, such as XML or CSV; for lines of JSON see
    /// ``HTTPSourceOptions/format``.
    ///
    /// ```swift
    /// let words = HTTPDataSource<Substring>(
    ///     "https://api.example.com/words.txt", style: .pageNumber(page: "page", size: "rows")
    /// ) { body in
    ///     (items: String(decoding: body, as: UTF8.self).split(separator: "\n"), fields: [:])
    /// }
    /// ```
    ///
    /// Transfer, limits, freshness, authentication and retries are those of every source; of the limits, those of JSON do
    /// not count. Of ``HTTPSourceOptions``, what looks into items has no effect: `itemID` and `skipsBrokenItems`.
    ///
    /// - Parameters:
    ///   - endpoint: the request that each page's request begins with; a string literal is an address to `GET`.
    ///   - first: the endpoint of the first page, where it is another one; `nil`, the default, where it is the same.
    ///   - style: how the API pages. Styles that read items, such as `.lastItem(_:)`, cannot be used.
    ///   - options: everything else.
    ///   - decodeBody: makes the items of a body, and what a style is to find in it: fields by name, such as
    ///     `["next": "abc"]` for `.cursor("cursor", from: "next")`; called on any thread. What it throws ends the fetch,
    ///     with ``HTTPSourceError/Code/brokenItem`` unless it is an ``HTTPSourceError``.
    public init(
        _ endpoint: HTTPEndpoint, first: HTTPEndpoint? = nil, style: some HTTPPagingStyle,
        options: HTTPSourceOptions = HTTPSourceOptions(),
        decodeBody: @escaping @Sendable (_ body: Data) throws -> (items: [Item], fields: [String: String])
    ) {
        let decoding = ItemDecoding<Item>(
            one: { _ in throw HTTPSourceError(.brokenItem, "Items have no JSON.") }, many: nil, body: decodeBody)
        self.init(endpoint, first: first, items: nil, style: style, decoding: decoding, options: options)
    }

    private init(
        _ endpoint: HTTPEndpoint, first: HTTPEndpoint?, items: String?, style: any HTTPPagingStyle,
        decoding: ItemDecoding<Item>, options: HTTPSourceOptions
    ) {
        self.endpoint = endpoint
        firstEndpoint = first ?? endpoint
        hasOwnFirst = first != nil
        let style = (style as? HTTPStyle)?.base ?? OwnStyle(base: style)
        self.style = style
        self.options = options
        self.decoding = decoding
        reading = PageReading(
            style: style, format: decoding.body == nil ? options.format : .json,
            declaredItems: items.map { JSONPath($0) } ?? style.defaultItems,
            itemID: options.itemID.map { JSONPath($0) } ?? style.itemID,
            limits: options.limits, allowsLargerPages: options.allowsLargerPages,
            missingItemsAreEmpty: options.missingItemsAreEmpty)
        memory = HTTPSourceMemory(limits: options.limits)
        allowedOrigins = Set(options.allowedOrigins.compactMap { HTTPOrigin($0) })
        secretNames = Set(options.secretParameters.map { $0.lowercased() })
    }

    /// The key of the first page, which the style chooses.
    public var firstKey: String { style.firstKey }

    /// Returns the keys before and after a page where the style can compute them; `nil` otherwise.
    public func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        style.neighborKeys(of: key, pageSize: pageSize)
    }

    /// Requests a page, and answers once, on any thread; cancelling stops the transfer.
    ///
    /// A part of a page is asked for where the style's pages can be of any size: with `.offset`, and with `.cursor`,
    /// `.lastItem` and `.keyset` where the API takes a page size. Other styles give the whole page.
    public func fetch(
        _ request: SourceRequest,
        completion: @escaping @Sendable (Result<PaginatorPage<Item>, SourceError>) -> Void
    ) -> SourceCancellation {
        let task = Task { completion(await load(request)) }
        return SourceCancellation { task.cancel() }
    }
}
