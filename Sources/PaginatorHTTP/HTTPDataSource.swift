public import Foundation
public import PaginatorCore

/// A data source for an HTTP API with JSON bodies: an address, an item type, and one line that names how it pages.
///
/// ```swift
/// let issues = HTTPDataSource<Issue>(
///     "https://api.github.com/repos/swiftlang/swift/issues?state=all", style: .linkHeader)
/// let feed = CallbackPaginator(dataSource: issues)
/// ```
///
/// What the server says decides as far as it can: `Cache-Control` and `Expires` say for how long a page is fresh, `ETag`
/// and `Last-Modified` whether an expired one has to come again, `Retry-After` and rate limits when to ask again. Errors
/// are ``HTTPSourceError``, behind the paginator's own, and name the field or the limit that they are about.
///
/// Copies of a source share what it knows: totals and walks. Validators stay with their pages, on disk too.
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
    ///   - endpoint: what is asked for; a text is an address.
    ///   - first: what is asked for instead for the first page; `nil`, the default, for the same.
    ///   - items: where the items are in a body: names and indices between dots, such as `data.items`, and with `[]` a
    ///     part of each element, such as `hits.hits[]._source`; `nil`, the default, for where the style says, mostly the
    ///     whole body.
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
    ///   - endpoint: what is asked for; a text is an address.
    ///   - first: what is asked for instead for the first page; `nil`, the default, for the same.
    ///   - items: where the items are in a body: names and indices between dots, such as `data.items`, and with `[]` a
    ///     part of each element, such as `hits.hits[]._source`; `nil`, the default, for where the style says, mostly the
    ///     whole body.
    ///   - style: how the API pages.
    ///   - options: everything else.
    ///   - decode: makes an item of its JSON, as the server sent it, or throws; called on any thread.
    public init(
        _ endpoint: HTTPEndpoint, first: HTTPEndpoint? = nil, items: String? = nil, style: some HTTPPagingStyle,
        options: HTTPSourceOptions = HTTPSourceOptions(), decode: @escaping @Sendable (Data) throws -> Item
    ) {
        let decoding = ItemDecoding<Item>(one: decode, many: nil)
        self.init(endpoint, first: first, items: items, style: style, decoding: decoding, options: options)
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
            style: style, itemsPath: items.map { JSONPath($0) } ?? style.defaultItems,
            itemID: options.itemID.map { JSONPath($0) } ?? style.itemID,
            limits: options.limits, allowsLargerPages: options.allowsLargerPages,
            missingItemsAreEmpty: options.missingItemsAreEmpty)
        memory = HTTPSourceMemory(limits: options.limits)
        allowedOrigins = Set(options.allowedOrigins.compactMap { HTTPOrigin($0) })
        secretNames = Set(options.secretParameters.map { $0.lowercased() })
    }

    /// The style's first key.
    public var firstKey: String { style.firstKey }

    /// What the style computes.
    public func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        style.neighborKeys(of: key, pageSize: pageSize)
    }

    /// How many items there are in all, as the latest page of the scope told; `nil` where none did.
    ///
    /// - Parameter scope: the scope; empty, the default, for requests without one.
    public func total(scope: String = "") -> Int? { memory.total(scope: scope) }

    /// Requests a page, and answers once, on any thread. Cancel stops the transfer.
    public func fetch(
        _ request: SourceRequest,
        completion: @escaping @Sendable (Result<PaginatorPage<Item>, SourceError>) -> Void
    ) -> SourceCancellation {
        let task = Task { completion(await load(request)) }
        return SourceCancellation { task.cancel() }
    }
}
