public import PaginatorCore

/// What an ``HTTPDataSource`` does beyond its style. Every variable has a default, stated with it.
public struct HTTPSourceOptions: Sendable {
    /// What a server may send at the most.
    public var limits = HTTPLimits()

    /// Statuses after which another attempt may succeed: 408, 425, 429, and 500 to 599 without 501, 505 and 511.
    ///
    /// A request that is not idempotent is repeated only after answers that say that it was not carried out: 408, 425,
    /// 429 and 503. Lost connections and codes of spent rate limits in a body pass, too.
    public var retryableStatuses: Set<Int> = Set([408, 425, 429] + (500...599)).subtracting([501, 505, 511])

    /// Statuses that mean that a cursor is no longer known: 400, 404 and 410. The first page has no cursor, and fails.
    public var expiredStatuses: Set<Int> = [400, 404, 410]

    /// Decides before all other rules what a failure means: ``/PaginatorCore/SourceError/retry(_:after:)``, which waits for as
    /// long as the server says, ``/PaginatorCore/SourceError/fatal(_:)`` or
    /// ``/PaginatorCore/SourceError/keyExpired(_:)``. `nil`, the default, and the answer `nil`, leave it to the rules.
    /// Called on any thread.
    public var decide: (@Sendable (_ error: HTTPSourceError, _ request: HTTPPageRequest) -> SourceError?)?

    /// For how long pages are fresh where the response does not decide it: 5 minutes by default, `nil` for ever. Negative
    /// values count as zero.
    public var lifetime: Duration? = .minutes(5)

    /// Whether `Cache-Control` and `Expires` decide for how long a page is fresh, RFC 9111, section 4.2; they do by default,
    /// and ``lifetime`` counts where neither is there.
    public var obeysFreshness = true

    /// Whether an item that cannot be decoded is left out, and reported to ``onSkippedItem``; by default the page fails
    /// with ``HTTPSourceError/Code/brokenItem``, which names the field.
    public var skipsBrokenItems = false

    /// The field of an item that no two items of a page share; `nil`, the default, leaves it to the style.
    public var itemID: String?

    /// Whether pages with more items than asked for are taken as they are; by default they are refused, for everything
    /// that is computed from the page size would be wrong.
    public var allowsLargerPages = false

    /// Whether a page without its list of items is an empty page: so it is with servers that leave out empty lists, such
    /// as those that write proto3's JSON form.
    ///
    /// `nil`, the default, leaves it to the style: those that are told how many items there are take the list's absence
    /// for an empty page where there is nothing left, and every other absence for an error. A body that reports an error
    /// is never an empty page.
    public var missingItemsAreEmpty: Bool?

    /// Whether a response that says `Cache-Control: no-store`, or whose request does, is kept neither on disk nor, for
    /// longer than somebody looks at it, in memory; it is obeyed by default, whatever ``obeysFreshness`` is.
    public var obeysNoStore = true

    /// Whether a page that memory or the store still has is renewed by `ETag` and `Last-Modified`, without its body
    /// being sent again; it is by default. A page that an edit changed is loaded in full.
    public var revalidates = true

    /// Origins beside the endpoint's own to which links and redirects may lead, such as `https://cdn.example.com`: scheme,
    /// host and, where it is not the scheme's own, port. None by default; what is no such address matches nothing.
    ///
    /// They get neither the endpoint's header fields, nor its body, nor anything of the authentication.
    public var allowedOrigins: Set<String> = []

    /// Adds credentials to every request; `nil`, the default, for none.
    ///
    /// What it adds to a request's address is no part of a key, whatever its name is, also when the server repeats it in
    /// its links.
    public var authentication: HTTPAuthentication?

    /// The query parameters of the endpoint's own address that are credentials, by name, without regard to case; by default
    /// names that APIs use, such as `access_token`, `api_key`, `appid`, `key`, `private_token` and `session`.
    ///
    /// They are in every request, and in no key, also when the server repeats them in its links; so they reach neither
    /// events nor error texts nor a disk.
    public var secretParameters: Set<String> = [
        "access_token", "accesstoken", "api-key", "api_key", "api_token", "apikey", "apitoken", "app_id", "app_key",
        "appid", "appkey", "appsecret_proof", "auth", "auth_key", "auth_token", "client_secret", "code", "credential",
        "hmac", "id_token", "jsessionid", "jwt", "key", "oauth_signature", "oauth_token", "pass", "passwd", "password",
        "personal_token", "phpsessid", "private_token", "pwd", "refresh_token", "secret", "session", "session_id",
        "session_key", "session_token", "sessionid", "sid", "sig", "sign", "signature", "subscription-key", "ticket",
        "token", "user_key", "user_token", "x-amz-credential", "x-amz-security-token", "x-amz-signature", "x-api-key",
        "x-goog-credential", "x-goog-signature",
    ]

    /// Changes each request before the style says which page is wanted, for what depends on the request's scope: a
    /// search's text, a filter.
    public var prepare: (@Sendable (_ request: inout HTTPPageRequest) -> Void)?

    /// Takes the error of each item that was left out, with the scope of its page, on any thread; `nil`, the default, for
    /// nobody.
    public var onSkippedItem: (@Sendable (_ error: HTTPSourceError, _ scope: String) -> Void)?

    /// The connections; by default those that all sources share.
    public var session = HTTPSession.shared

    /// Where the time comes from.
    public var clock: any PaginatorClock = SystemPaginatorClock()

    /// Makes options with every default.
    public init() {}
}
