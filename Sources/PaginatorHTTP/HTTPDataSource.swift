public import Foundation
public import PaginatorCore

/// A data source for an HTTP API with JSON bodies, made of an address, an item type, and a paging style.
///
/// ```swift
/// let issues = HTTPDataSource<GitHubIssue>(
///     "https://api.github.com/repos/swiftlang/swift/issues?state=all", style: .linkHeader)
/// let feed = CallbackPaginator(dataSource: issues)
/// ```
///
/// It obeys the server: `Cache-Control` and `Expires` set how long a page is fresh, `ETag` and `Last-Modified` avoid
/// sending an expired page again, and `Retry-After` and rate limits delay retries. A failed fetch has an
/// ``HTTPSourceError`` as the `underlying` error of its `PaginatorError`.
///
/// If the style knows the total, pages and list statuses have it. Copies of a source share the keys that were passed.
/// Entity tags are kept with their pages, also on disk.
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
    /// The names of secret parameters in lower case.
    let secretNames: Set<String>

    /// Creates a source of `Decodable` items.
    ///
    /// - Parameters:
    ///   - endpoint: the request that each page's request is based on; a string literal is an address to `GET`.
    ///   - first: the endpoint of the first page, if it differs; `nil`, the default, if it is the same. With a style
    ///     that goes back by cursors, addresses or items, such a page may be in the middle, and pages may be before it.
    ///     With page numbers and offsets it is always the first.
    ///   - items: the path of the items in a body: names and indices separated by dots, such as `data.items`; `[]`
    ///     takes a part of each element, as in `hits.hits[]._source`. `nil`, the default, uses the path that the style
    ///     knows, or else the whole body.
    ///   - style: how the API pages.
    ///   - decoder: decodes the items.
    ///   - options: further options.
    public init(
        _ endpoint: HTTPEndpoint, first: HTTPEndpoint? = nil, items: String? = nil, style: some HTTPPagingStyle,
        decoder: JSONDecoder = JSONDecoder(), options: HTTPSourceOptions = HTTPSourceOptions()
    ) where Item: Decodable {
        let decoding = ItemDecoding<Item>(
            one: { try decoder.decode(Item.self, from: $0) },
            many: { try decoder.decode([Item].self, from: $0) })
        self.init(endpoint, first: first, items: items, style: style, decoding: decoding, options: options)
    }

    /// Creates a source of items that a closure decodes.
    ///
    /// - Parameters:
    ///   - endpoint: the request that each page's request is based on; a string literal is an address to `GET`.
    ///   - first: the endpoint of the first page, if it differs; `nil`, the default, if it is the same. With a style
    ///     that goes back by cursors, addresses or items, such a page may be in the middle, and pages may be before it.
    ///     With page numbers and offsets it is always the first.
    ///   - items: the path of the items in a body: names and indices separated by dots, such as `data.items`; `[]`
    ///     takes a part of each element, as in `hits.hits[]._source`. `nil`, the default, uses the path that the style
    ///     knows, or else the whole body.
    ///   - style: how the API pages.
    ///   - options: further options.
    ///   - decode: decodes an item from its JSON, or throws; called on any thread.
    public init(
        _ endpoint: HTTPEndpoint, first: HTTPEndpoint? = nil, items: String? = nil, style: some HTTPPagingStyle,
        options: HTTPSourceOptions = HTTPSourceOptions(), decode: @escaping @Sendable (Data) throws -> Item
    ) {
        let decoding = ItemDecoding<Item>(one: decode, many: nil)
        self.init(endpoint, first: first, items: items, style: style, decoding: decoding, options: options)
    }

    /// Creates a source of bodies in another format than JSON, such as XML or CSV; for lines of JSON see
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
    /// Transfer, limits, freshness, authentication and retries work as for every source, without the limits of JSON.
    /// The options that look into items, `itemID` and `skipsBrokenItems`, have no effect. A web page is refused as the
    /// answer of a network that asks its users to sign in, unless the endpoint's own `Accept` allows `text/html`.
    ///
    /// - Parameters:
    ///   - endpoint: the request that each page's request is based on; a string literal is an address to `GET`.
    ///   - first: the endpoint of the first page, if it differs; `nil`, the default, if it is the same. With a style
    ///     that goes back by cursors, addresses or items, such a page may be in the middle, and pages may be before it.
    ///     With page numbers and offsets it is always the first.
    ///   - style: how the API pages. Styles that read items, such as `.lastItem(_:)`, cannot be used.
    ///   - options: further options.
    ///   - decodeBody: decodes a body's items, and the fields that the style reads, by name, such as `["next": "abc"]`
    ///     for `.cursor("cursor", from: "next")`; called on any thread. An error ends the fetch with
    ///     ``HTTPSourceError/Code/brokenItem``, unless it is an ``HTTPSourceError``.
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

    /// With `.pageNumber` and `.offset`, whole numbers from that of the first page; otherwise `nil`.
    public var keyRule: KeyRule? { style.keyRule }

    /// Returns the keys before and after a page if the style can compute them, else `nil`.
    public func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        style.neighborKeys(of: key, pageSize: pageSize)
    }

    /// Requests a page and answers once, on any thread. Cancelling stops the transfer.
    ///
    /// A part of a page is requested if the style's pages can have any size: with `.offset`, and with `.cursor`,
    /// `.lastItem` and `.keyset` if the API takes a page size. Other styles return the whole page.
    public func fetch(
        _ request: SourceRequest,
        completion: @escaping @Sendable (Result<PaginatorPage<Item>, SourceError>) -> Void
    ) -> SourceCancellation {
        let task = Task { completion(await load(request)) }
        return SourceCancellation { task.cancel() }
    }
}
