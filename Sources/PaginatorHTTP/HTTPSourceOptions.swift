public import PaginatorCore

/// How an ``HTTPDataSource`` works, apart from its style. Every variable has a default, stated with it.
public struct HTTPSourceOptions: Sendable {
    /// The limits of what a server may send.
    public var limits = HTTPLimits()

    /// How the items lie in a body, and whether the first are shown before the others have come; ``HTTPBodyFormat/json`` by
    /// default. A source whose bodies an app's own closure decodes has no use for it.
    public var format: HTTPBodyFormat = .json

    /// Statuses after which another attempt may succeed: 408, 425, 429, and 500 to 599 without 501 and 505.
    ///
    /// A request that is not idempotent is repeated only after the statuses that say that it was not carried out: 408,
    /// 425, 429, 503 and 511. Lost connections, certificates that are not believed, web pages in place of data, passing
    /// redirects to another origin, and bodies with the error code of a spent rate limit are tried again too.
    public var retryableStatuses: Set<Int> = Set([408, 425, 429] + (500...599)).subtracting([501, 505])

    /// Statuses that mean that the server no longer knows a cursor: 400, 404 and 410 by default. The first page has no
    /// cursor, so for it they are plain failures.
    public var expiredStatuses: Set<Int> = [400, 404, 410]

    /// Decides what a failure means, before the other rules; `nil`, the default, leaves every failure to them.
    ///
    /// It returns ``/PaginatorCore/SourceError/retry(_:after:)``, which waits at least as long as the server says,
    /// ``/PaginatorCore/SourceError/fatal(_:)``, ``/PaginatorCore/SourceError/keyExpired(_:)``, or `nil` to leave the
    /// failure to the other rules. Called on any thread.
    public var decide: (@Sendable (_ error: HTTPSourceError, _ request: HTTPPageRequest) -> SourceError?)?

    /// How long a page is fresh where the response does not say it: 5 minutes by default; `nil` for ever. Negative
    /// values count as zero.
    public var lifetime: Duration? = .minutes(5)

    /// Whether `Cache-Control` and `Expires` decide how long a page is fresh (RFC 9111, section 4.2); true by default.
    /// Where a response has neither, ``lifetime`` counts.
    public var obeysFreshness = true

    /// Whether an item that cannot be decoded is left out and reported to ``onSkippedItem``; false by default: the page
    /// fails with ``HTTPSourceError/Code/brokenItem``.
    public var skipsBrokenItems = false

    /// The path of the field that identifies an item, such as `id`; a page with two equal values fails with
    /// ``HTTPSourceError/Code/duplicateID``. `nil`, the default, takes the field that the style knows, or checks
    /// nothing.
    public var itemID: String?

    /// Whether pages with more items than asked for are accepted; false by default, because keys that are computed from
    /// the page size would be wrong.
    public var allowsLargerPages = false

    /// Whether a body without its list of items is an empty page, as with servers that leave out empty lists, such as
    /// those that write proto3's JSON form.
    ///
    /// With `nil`, the default, it is an empty page where the response says that no items are left, and an error
    /// otherwise. A body that reports an error is never an empty page.
    public var missingItemsAreEmpty: Bool?

    /// Whether `Cache-Control: no-store`, of a response or of its request, is obeyed: such a page is not stored on
    /// disk, and is in memory only while its key is observed. True by default, whatever ``obeysFreshness`` is.
    public var obeysNoStore = true

    /// Whether an expired page that is still cached is revalidated by `ETag` and `Last-Modified`, so that the server
    /// need not send its body again; true by default. A page that an edit has changed is loaded in full.
    public var revalidates = true

    /// Other origins to which links and redirects may lead, such as `https://cdn.example.com`: scheme, host, and the
    /// port where it is not the default one. None by default; a text that is no such address matches nothing.
    ///
    /// Requests to them have neither the endpoint's header fields, nor its body, nor credentials.
    public var allowedOrigins: Set<String> = []

    /// Adds credentials to every request to the endpoint's origin; `nil`, the default, for none.
    ///
    /// Parameters that it adds to an address are in no key, also when the server repeats them in its links.
    public var authentication: HTTPAuthentication?

    /// The names of query parameters of the endpoint's own address that are credentials, in any case; by default names
    /// that APIs use, such as `access_token`, `api_key`, `appid`, `key`, `private_token` and `session`.
    ///
    /// They are in every request and in no key, also when the server repeats them in its links, so they reach neither
    /// events nor error texts nor the disk.
    public var secretParameters: Set<String> = QuerySecrets.usualNames

    /// Changes each request before the style does, for example to set a search text from the request's scope; `nil`,
    /// the default, changes nothing.
    public var prepare: (@Sendable (_ request: inout HTTPPageRequest) -> Void)?

    /// Says what a page is about, for ``/PaginatorCore/Paginator/invalidate(tags:)``: by its request, its items or a
    /// field of the header; `nil`, the default, says nothing. Called on any thread. An error that it throws fails the page.
    ///
    /// A page that the server says has not changed keeps its tags.
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

    /// Takes the error of each item that was left out because of ``skipsBrokenItems``, with the scope of its page;
    /// called on any thread. `nil`, the default, takes none.
    public var onSkippedItem: (@Sendable (_ error: HTTPSourceError, _ scope: String) -> Void)?

    /// The session that makes the connections; by default ``HTTPSession/shared``.
    public var session = HTTPSession.shared

    /// The clock for freshness and rate limits; the device's by default.
    public var clock: any PaginatorClock = SystemPaginatorClock()

    /// Makes options with every default.
    public init() {}
}
