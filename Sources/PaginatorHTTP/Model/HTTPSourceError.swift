public import Foundation

/// Why an HTTP API gave no page.
///
/// Neither ``message`` nor any other text of it contains an address, a header's value, a body or an item: nothing
/// secret can stand in a log because of it. It comes as the `underlying` error of a paginator's own.
public struct HTTPSourceError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, as a value to compare with; later versions may add codes.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// A short, constant name, the same as the static member's.
        public let description: String

        private init(_ name: String) { description = name }

        /// The endpoint's address is none, or not one of HTTP.
        public static let badAddress = Code("badAddress")
        /// The page's key is none that this style makes.
        public static let badKey = Code("badKey")
        /// More items were asked for than the API gives.
        public static let pageSizeTooLarge = Code("pageSizeTooLarge")
        /// The server answered with a status of failure.
        public static let status = Code("status")
        /// A rate limit is spent, and nothing was sent; ``HTTPSourceError/retryAfter`` tells for how long.
        public static let rateLimited = Code("rateLimited")
        /// The server refuses the credentials, also after a refresh.
        public static let unauthorized = Code("unauthorized")
        /// The request adapter failed, or the refresh did; ``HTTPSourceError/underlying`` tells why.
        public static let authenticationFailed = Code("authenticationFailed")
        /// The body says that the request failed, as GraphQL does.
        public static let refusedInBody = Code("refusedInBody")
        /// The connection failed; ``HTTPSourceError/urlErrorCode`` tells how.
        public static let connection = Code("connection")
        /// The body ended before it was whole.
        public static let endedEarly = Code("endedEarly")
        /// The body came too slowly.
        public static let tooSlow = Code("tooSlow")
        /// What came is more than one of ``HTTPLimits`` allows, which ``HTTPSourceError/field`` names.
        public static let limitExceeded = Code("limitExceeded")
        /// The body is not JSON.
        public static let notJSON = Code("notJSON")
        /// Something that the style needs is not in the response.
        public static let missingField = Code("missingField")
        /// Something in the response is of another type than it should be.
        public static let wrongType = Code("wrongType")
        /// An item cannot be decoded.
        public static let brokenItem = Code("brokenItem")
        /// Two items of a page have the same id.
        public static let duplicateID = Code("duplicateID")
        /// The server names a page that was there before as the next one.
        public static let repeatedCursor = Code("repeatedCursor")
        /// The server answered with pages of another size than asked for.
        public static let pageSizeDiffers = Code("pageSizeDiffers")
        /// A link, a key or a redirect leads to another host, scheme or port.
        public static let otherOrigin = Code("otherOrigin")
        /// The server redirects more often than allowed, or in a way that loses the request.
        public static let redirect = Code("redirect")
        /// The call was cancelled.
        public static let cancelled = Code("cancelled")
        /// A paging style of the user's own refused the response.
        public static let style = Code("style")
    }

    /// What went wrong.
    public let code: Code

    /// A sentence for people, free of secrets and of user data.
    public let message: String

    /// The field or the limit that it is about, such as `meta.next_token` or `bodyBytes`.
    public let field: String?

    /// The status of the response, where there was one.
    public let status: Int?

    /// The error of the request adapter, where that is what failed. It is the app's own, and not part of any text.
    public let underlying: (any Error)?

    /// What the system says of a failed connection.
    public let urlErrorCode: URLError.Code?

    /// For how long the server wants to be left alone; `nil` when it does not say.
    public internal(set) var retryAfter: Duration?

    /// What the server said about the failure, for the app to read; `nil` when it said nothing. It is part of no text.
    public internal(set) var body: HTTPErrorBody?

    /// Makes an error, for paging styles of one's own and for tests.
    ///
    /// - Parameters:
    ///   - code: what went wrong.
    ///   - message: a sentence for people; it should name fields and limits, not values.
    ///   - field: the field or the limit that it is about.
    ///   - status: the response's status.
    ///   - underlying: the error behind this one.
    ///   - urlErrorCode: what the system says of the connection.
    public init(
        _ code: Code, _ message: String, field: String? = nil, status: Int? = nil, underlying: (any Error)? = nil,
        urlErrorCode: URLError.Code? = nil
    ) {
        self.code = code
        self.message = message
        self.field = field
        self.status = status
        self.underlying = underlying
        self.urlErrorCode = urlErrorCode
    }

    /// The error of what is more than a limit allows.
    ///
    /// - Parameters:
    ///   - limit: the limit's name.
    ///   - excess: what is too much, such as "The body has more than 10 bytes".
    ///   - status: the response's status.
    static func limitExceeded(_ limit: String, _ excess: String, status: Int? = nil) -> HTTPSourceError {
        HTTPSourceError(.limitExceeded, "\(excess), the limit \(limit).", field: limit, status: status)
    }

    static func notJSON(status: Int?) -> HTTPSourceError {
        HTTPSourceError(.notJSON, "The body is not JSON.", field: "body", status: status)
    }

    static func tooDeep(_ limits: HTTPLimits, status: Int?) -> HTTPSourceError {
        limitExceeded("jsonDepth", "The body nests deeper than \(limits.jsonDepth) levels", status: status)
    }

    static func tooManyItems(_ limits: HTTPLimits, status: Int?) -> HTTPSourceError {
        limitExceeded("itemsPerPage", "The page has more than \(limits.itemsPerPage) items", status: status)
    }

    static func wrongType(_ field: String, _ expected: String) -> HTTPSourceError {
        HTTPSourceError(.wrongType, "The field \(field) of the response should be \(expected).", field: field)
    }

    static func missing(_ field: String, _ reason: String) -> HTTPSourceError {
        HTTPSourceError(.missingField, "The response has no field \(field), \(reason).", field: field)
    }

    static func rateLimited(_ status: Int, for delay: Duration) -> HTTPSourceError {
        var error = HTTPSourceError(.rateLimited, "The server's rate limit is spent.", status: status)
        error.retryAfter = delay
        return error
    }

    /// The code, the message, and how long the server wants to be left alone.
    public var description: String {
        "\(code): \(message)" + (retryAfter.map { " It wants to be left alone for \($0)." } ?? "")
    }
}
