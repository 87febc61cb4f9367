public import PaginatorCore

/// The options of an ``HTTPDataSource``, beside its style. Each variable documents its default.
public struct HTTPSourceOptions: Sendable {
    /// The limits for what a server may send.
    public var limits = HTTPLimits()

    /// The format of bodies, and whether their first items are shown early; ``HTTPBodyFormat/json`` by default. It has
    /// no effect if a closure decodes the bodies.
    public var format: HTTPBodyFormat = .json

    /// Statuses after which a retry may succeed: 408, 425, 429, and 500 to 599 without 501 and 505; also 202, and 206
    /// without items and `Content-Range`, of servers that are still making the page.
    ///
    /// A request that is not idempotent is only repeated after 408, 425, 429, 503 and 511, which say that it was not
    /// carried out. Lost connections, untrusted certificates, web pages instead of data, temporary redirects to another
    /// origin, and bodies with the error code of a spent rate limit or `is_transient` are retried too.
    public var retryableStatuses: Set<Int> = Set([202, 206, 408, 425, 429] + (500...599)).subtracting([501, 505])

    /// Statuses of an expired cursor: 400, 404 and 410 by default.
    ///
    /// They are plain failures for the first page, which has no cursor; with page numbers and offsets, which do not
    /// expire; and if the body tells of refused credentials. But 404 ends the list with page numbers and offsets, and,
    /// with a `detail`, for an address with a number in `page`.
    public var expiredStatuses: Set<Int> = [400, 404, 410]

    /// Decides what a failure means, before the other rules; `nil`, the default, leaves that to them.
    ///
    /// It returns ``/PaginatorCore/SourceError/retry(_:after:)``, which waits at least as long as the server says,
    /// ``/PaginatorCore/SourceError/fatal(_:)``, ``/PaginatorCore/SourceError/keyExpired(_:)``, or `nil` for the other
    /// rules. Called on any thread.
    public var decide: (@Sendable (_ error: HTTPSourceError, _ request: HTTPPageRequest) -> SourceError?)?

    /// How long a page is fresh if the response does not say; 5 minutes by default, `nil` forever. Negative values
    /// count as zero.
    public var lifetime: Duration? = .minutes(5)

    /// Whether `Cache-Control` and `Expires` decide how long a page is fresh (RFC 9111, section 4.2); true by default.
    /// A response with neither uses ``lifetime``.
    public var obeysFreshness = true

    /// Whether an item that cannot be decoded is skipped and reported to ``onSkippedItem``. False by default: the page
    /// fails with ``HTTPSourceError/Code/brokenItem``.
    public var skipsBrokenItems = false

    /// The path of the field that identifies an item, such as `id`; if an item lacks it, and the path of the items has
    /// `[]`, that of the element around it. A page with two equal values fails with
    /// ``HTTPSourceError/Code/duplicateID``. `nil`, the default, uses the field that the style knows, or checks
    /// nothing.
    public var itemID: String?

    /// Whether pages may have more items than requested; false by default, because keys computed from the page size
    /// would be wrong.
    public var allowsLargerPages = false

    /// Whether a body without its list of items is an empty page, for servers that omit empty lists, such as those with
    /// proto3's JSON form.
    ///
    /// With `nil`, the default, it is an empty page if the response says that no items are left, else an error. A body
    /// that reports an error is never an empty page; a text in `message` or `detail` alone is no error there.
    public var missingItemsAreEmpty: Bool?

    /// Whether `Cache-Control: no-store` of a response or its request is obeyed: the page is not stored on disk, and is
    /// in memory only while its key is observed. True by default, whatever ``obeysFreshness`` is.
    public var obeysNoStore = true

    /// Whether an expired cached page is revalidated by `ETag` and `Last-Modified`, so that the server need not send
    /// its body again; true by default. A page that an edit has changed is loaded in full, and so is one of which items
    /// were skipped, or that was loaded with another method than `GET`, in another language, or for other fields that
    /// `Vary` names.
    ///
    /// A revalidated page keeps the items that were decoded before. So increase the `version` of the store's codec when
    /// an item gets a field, too.
    public var revalidates = true

    /// Other origins to which links and redirects may lead, such as `https://cdn.example.com`: scheme, host, and a port
    /// that is not the default one. Empty by default; a text that is no such address matches nothing.
    ///
    /// Requests to them have neither the endpoint's header fields and body nor credentials.
    public var allowedOrigins: Set<String> = []

    /// Adds credentials to every request to the endpoint's origin; `nil`, the default, for none.
    ///
    /// Query parameters that it adds are in no key, even if the server repeats them in its links.
    public var authentication: HTTPAuthentication?

    /// The names of query parameters of the endpoint's address that are credentials, in any case. By default names that
    /// APIs use, such as `access_token`, `api_key`, `appid`, `key`, `private_token` and `session`.
    ///
    /// They are in every request but in no key, even if the server repeats them in its links. So they appear neither in
    /// events nor in error texts nor on disk.
    public var secretParameters: Set<String> = QuerySecrets.usualNames

    /// Changes each request before the style does, for example to set a search text from the request's scope; `nil`,
    /// the default, changes nothing.
    public var prepare: (@Sendable (_ request: inout HTTPPageRequest) -> Void)?

    /// Returns a page's tags for ``/PaginatorCore/Paginator/invalidate(tags:)``, from its request, its items or a
    /// header field; `nil`, the default, for none. Called on any thread. An error that it throws fails the page.
    ///
    /// A page that the server reports as unchanged keeps its tags.
    ///
    /// ```swift
    /// var options = HTTPSourceOptions()
    /// options.tags = { response throws(HTTPSourceError) in
    ///     var tags = ["posts", "posts by \(response.request.scope)"]
    ///     for item in 0..<response.itemCount {
    ///         if let id = try response.text(of: "id", ofItem: item) { tags.append("post \(id)") }
    ///     }
    ///     return tags
    /// }
    /// ```
    public var tags: (@Sendable (_ response: HTTPPageResponse) throws(HTTPSourceError) -> [String])?

    /// Called on any thread with the error of each item skipped by ``skipsBrokenItems``, and the page's scope; `nil`,
    /// the default, reports none.
    public var onSkippedItem: (@Sendable (_ error: HTTPSourceError, _ scope: String) -> Void)?

    /// The session for connections; ``HTTPSession/shared`` by default.
    public var session = HTTPSession.shared

    /// The clock for freshness and rate limits; the device's by default.
    public var clock: any PaginatorClock = SystemPaginatorClock()

    /// Creates options with the default values.
    public init() {}
}
