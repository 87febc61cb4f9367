public import Foundation

/// The error of an HTTP API.
///
/// It is the `underlying` error of a `PaginatorError`. Its texts contain no address, header value, body or item, so
/// they may be logged.
public struct HTTPSourceError: Error, Sendable, CustomStringConvertible {
    /// The kind of error. Later versions may add codes: switch over it with a `default`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: String, Sendable {
        /// The endpoint's address is not an HTTP address.
        case badAddress
        /// The key does not belong to this style.
        case badKey
        /// The page size is larger than the style's `maxSize`.
        case pageSizeTooLarge
        /// The server answered with a failure status.
        case status
        /// A rate limit is spent, so nothing was sent; ``HTTPSourceError/retryAfter`` is the time to wait.
        case rateLimited
        /// The server refused the credentials, even after a refresh.
        case unauthorized
        /// The authentication's `adapt` or `refresh` threw ``HTTPSourceError/underlying``.
        case authenticationFailed
        /// The body reports a failure, as GraphQL responses do.
        case refusedInBody
        /// The connection failed; see ``HTTPSourceError/urlErrorCode``.
        case connection
        /// A replaying session has no file for the answer, or cannot read or write it; ``HTTPSourceError/field`` names
        /// it.
        case notRecorded
        /// The connection ended before the whole body had arrived.
        case endedEarly
        /// The body arrived too slowly.
        case tooSlow
        /// The response exceeds one of the ``HTTPLimits``, named by ``HTTPSourceError/field``.
        case limitExceeded
        /// The body is not JSON, or that of the endpoint has no place for a parameter.
        case notJSON
        /// A web page came where data was asked for, as from a network that wants its users to sign in first.
        case webPage
        /// The response lacks a field that the style needs.
        case missingField
        /// A field of the response has another type than the style expects.
        case wrongType
        /// An item cannot be decoded.
        case brokenItem
        /// Two items of a page have the same id.
        case duplicateID
        /// The server names a next page that came before.
        case repeatedCursor
        /// The page has another size than requested.
        case pageSizeDiffers
        /// A link, a key or a redirect leads to another origin: another scheme, host or port.
        case otherOrigin
        /// The server redirects too often, or in a way that would change the request.
        case redirect
        /// The call was cancelled.
        case cancelled
        /// A paging style of your own refused the response.
        case style
    }

    /// The kind of error.
    public let code: Code

    /// A sentence without secrets and user data.
    public let message: String

    /// The field or limit that the error is about, such as `meta.next_token` or `bodyBytes`; `nil` for none.
    public let field: String?

    /// The status of the response; `nil` without one.
    public let status: Int?

    /// The error that the app's own code threw: the authentication, its own transport, or `decodeBody`; `nil` for other
    /// failures. No text of this error contains it.
    public let underlying: (any Error)?

    /// The system's code of a failed connection, also of a `URLError` that the authentication threw; `nil` for other
    /// failures.
    public let urlErrorCode: URLError.Code?

    /// The time that the server asks to wait before the next request; `nil` if it does not say.
    public internal(set) var retryAfter: Duration?

    /// The body of the failed response; `nil` if there is none. No text of this error contains it.
    public internal(set) var body: HTTPErrorBody?

    /// Creates an error, for paging styles of your own and for tests.
    ///
    /// - Parameters:
    ///   - code: the kind of error.
    ///   - message: a sentence; it should name fields and limits, not values.
    ///   - field: the field or limit that the error is about; `nil`, the default, for none.
    ///   - status: the status of the response; `nil`, the default, without one.
    ///   - underlying: the underlying error; `nil`, the default, for none.
    ///   - urlErrorCode: the system's code of a failed connection; `nil`, the default, for other failures.
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

    /// The error of an exceeded limit.
    ///
    /// - Parameters:
    ///   - limit: the limit's name.
    ///   - excess: what exceeds it, such as "The body has more than 10 bytes".
    ///   - status: the response's status.
    static func limitExceeded(_ limit: String, _ excess: String, status: Int? = nil) -> HTTPSourceError {
        HTTPSourceError(.limitExceeded, "\(excess), the limit \(limit).", field: limit, status: status)
    }

    static let cancelledCall = HTTPSourceError(.cancelled, "The call was cancelled.")

    static func tooDeep(_ limits: HTTPLimits, status: Int?) -> HTTPSourceError {
        limitExceeded("jsonDepth", "The body nests deeper than \(limits.jsonDepth) levels", status: status)
    }

    static func tooManyItems(_ limits: HTTPLimits, status: Int?) -> HTTPSourceError {
        limitExceeded("itemsPerPage", "The page has more than \(limits.itemsPerPage) items", status: status)
    }

    static func wrongType(_ field: String, _ expected: String) -> HTTPSourceError {
        HTTPSourceError(.wrongType, "The field \(field) of the response should be \(expected).", field: field)
    }

    static let noEventStream = wrongType("header Content-Type", "text/event-stream")

    static func missing(_ field: String, _ reason: String) -> HTTPSourceError {
        HTTPSourceError(.missingField, "The response has no field \(field), \(reason).", field: field)
    }

    static func refused(_ field: String, by error: BodyError, status: Int) -> HTTPSourceError {
        guard !error.refusesCredentials else { return .unauthorized(field, status: status) }
        return HTTPSourceError(
            .refusedInBody, "The response has no items but reports an error.", field: field, status: status)
    }

    static func unauthorized(_ field: String? = nil, status: Int) -> HTTPSourceError {
        HTTPSourceError(.unauthorized, "The server refuses the credentials.", field: field, status: status)
    }

    static func rateLimited(_ status: Int, for delay: Duration) -> HTTPSourceError {
        var error = HTTPSourceError(.rateLimited, "The server's rate limit is spent.", status: status)
        error.retryAfter = delay
        return error
    }

    /// The code, the message, and the time that the server asks to wait.
    public var description: String {
        "\(code): \(message)" + (retryAfter.map { " It wants to be left alone for \($0)." } ?? "")
    }
}
