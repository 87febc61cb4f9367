public import PaginatorCore

/// What an ``HTTPDataSource`` does beyond its style. Every variable has a default, stated with it.
public struct HTTPSourceOptions: Sendable {
    /// What a server may send at the most.
    public var limits = HTTPLimits()

    /// Which failures pass, and which mean that a key has expired.
    public var failures = HTTPFailureRules()

    /// How long pages are fresh: by default as long as the response says, and 5 minutes where it says nothing.
    public var freshness: HTTPFreshness = .stated

    /// What happens to an item that cannot be decoded: by default the page fails, with the field's name.
    public var brokenItems: HTTPBrokenItems = .fail

    /// The field of an item that no two items of a page share; `nil`, the default, leaves it to the style.
    public var itemID: JSONPath?

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
    /// longer than somebody looks at it, in memory; it is obeyed by default, whatever ``freshness`` is.
    public var obeysNoStore = true

    /// Whether a page that memory or the store still has is renewed by `ETag` and `Last-Modified`, without its body
    /// being sent again; it is by default. A page that an edit changed is loaded in full.
    public var revalidates = true

    /// Origins beside the endpoint's own to which links and redirects may lead; none by default.
    ///
    /// They get neither the endpoint's header fields, nor its body, nor anything of the authentication.
    public var allowedOrigins: Set<HTTPOrigin> = []

    /// Adds to every request what proves who asks; `nil`, the default, for nothing.
    ///
    /// What it adds to a request's address is no part of a key, whatever its name is, also when the server repeats it in
    /// its links.
    public var authentication: HTTPAuthentication?

    /// The query parameters of the endpoint's own address that say who asks, by name, without regard to case; by default
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

    /// Takes what happens beside the pages, on any thread; `nil`, the default, for nobody.
    public var onEvent: (@Sendable (HTTPSourceEvent) -> Void)?

    /// The connections; by default those that all sources share.
    public var session = HTTPSession.shared

    /// Where the time comes from.
    public var clock: any PaginatorClock = SystemPaginatorClock()

    /// Makes options with every default.
    public init() {}
}

/// For how long pages are fresh; later versions may add ways.
public struct HTTPFreshness: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case stated(otherwise: Duration?)
        case forever
        case lasting(Duration)
    }

    let kind: Kind

    /// As long as `Cache-Control` or `Expires` says, RFC 9111, section 4.2; 5 minutes when neither is there.
    public static let stated = HTTPFreshness(kind: .stated(otherwise: .minutes(5)))

    /// As long as `Cache-Control` or `Expires` says, RFC 9111, section 4.2.
    ///
    /// - Parameter duration: how long when neither is there; `nil` for forever. Negative values count as zero.
    public static func stated(otherwise duration: Duration?) -> HTTPFreshness {
        HTTPFreshness(kind: .stated(otherwise: duration.map { max(.zero, $0) }))
    }

    /// Forever, whatever the response says.
    public static let forever = HTTPFreshness(kind: .forever)

    /// So long, whatever the response says; negative values count as zero.
    public static func lasting(_ duration: Duration) -> HTTPFreshness {
        HTTPFreshness(kind: .lasting(max(.zero, duration)))
    }
}

/// What happens to an item that cannot be decoded; later versions may add ways.
public struct HTTPBrokenItems: Sendable, Hashable {
    let skips: Bool

    /// The page fails with ``HTTPSourceError/Code/brokenItem``, which names the field.
    public static let fail = HTTPBrokenItems(skips: false)

    /// The item is left out and reported as ``HTTPSourceEvent/Kind/itemSkipped``.
    public static let skip = HTTPBrokenItems(skips: true)
}

/// Something that happened beside a page.
public struct HTTPSourceEvent: Sendable {
    /// What happened; later versions may add kinds.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// A short, constant name, the same as the static member's.
        public let description: String

        private init(_ name: String) { description = name }

        /// An item was left out; ``HTTPSourceEvent/error`` names its field.
        public static let itemSkipped = Kind("itemSkipped")
        /// The API told how many items there are in all: ``HTTPSourceEvent/count``.
        public static let total = Kind("total")
        /// A page was renewed without its body being sent again.
        public static let revalidated = Kind("revalidated")
        /// The server refused who asks, and the authentication was refreshed.
        public static let refreshed = Kind("refreshed")
    }

    /// What happened.
    public let kind: Kind
    /// The scope of the request.
    public let scope: String
    /// A number that belongs to it.
    public let count: Int?
    /// An error that belongs to it.
    public let error: HTTPSourceError?

    init(_ kind: Kind, scope: String, count: Int? = nil, error: HTTPSourceError? = nil) {
        self.kind = kind
        self.scope = scope
        self.count = count
        self.error = error
    }
}
