public import PaginatorCore

/// What an ``HTTPDataSource`` does beyond its style. Every variable has a default, stated with it.
public struct HTTPSourceOptions: Sendable {
    /// What a server may send at the most.
    public var limits = HTTPLimits()

    /// Which failures pass, and which mean that a key has expired.
    public var failures = HTTPFailureRules()

    /// How long pages are fresh: by default as long as the response says.
    public var freshness: HTTPFreshness = .stated

    /// What happens to an item that cannot be decoded: by default the page fails, with the field's name.
    public var brokenItems: HTTPBrokenItems = .fail

    /// The field of an item that no two items of a page share; `nil`, the default, leaves it to the style.
    public var itemID: JSONPath?

    /// Whether pages with more items than asked for are taken as they are; by default they are refused, for everything
    /// that is computed from the page size would be wrong.
    public var allowsLargerPages = false

    /// Whether a page that memory or the store still has is renewed by `ETag` and `Last-Modified`, without its body
    /// being sent again; it is by default. A page that an edit changed is loaded in full.
    public var revalidates = true

    /// Origins beside the endpoint's own to which links and redirects may lead; none by default.
    ///
    /// They get neither the endpoint's header fields, nor its body, nor anything of the authentication.
    public var allowedOrigins: Set<HTTPOrigin> = []

    /// Adds to every request what proves who asks; `nil`, the default, for nothing.
    public var authentication: HTTPAuthentication?

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
        case stated
        case forever
        case lasting(Duration)
    }

    let kind: Kind

    /// As long as `Cache-Control` or `Expires` says, RFC 9111, section 4.2; forever when neither is there.
    public static let stated = HTTPFreshness(kind: .stated)

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
