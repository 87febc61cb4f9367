public import Foundation
import PaginatorCore

/// Which failures pass by themselves, and which mean that a key has expired.
///
/// A request that is not idempotent is repeated only after answers that say that it was not carried out: 408, 425, 429
/// and 503. An error of a body is known by its code, which is looked for where APIs put it: `code`, `error`,
/// `error.code`, `__type`, `errors.0.extensions.code`, `errors.0.type`, `errors.0.code`.
public struct HTTPFailureRules: Sendable {
    /// Statuses after which another attempt may succeed: 408, 425, 429, and 500 to 599 without 501, 505 and 511.
    public var retryableStatuses: Set<Int> = Set([408, 425, 429] + (500...599)).subtracting([501, 505, 511])

    /// Statuses that mean that a cursor is no longer known: 400, 404 and 410. The first page has no cursor, and fails.
    public var expiredStatuses: Set<Int> = [400, 404, 410]

    /// Failures of the connection after which another attempt may succeed: time-outs, lost and refused connections,
    /// names that cannot be resolved, and no network.
    public var retryableConnectionFailures: Set<URLError.Code> = [
        .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .dnsLookupFailed,
        .notConnectedToInternet, .resourceUnavailable, .badServerResponse, .internationalRoamingOff, .callIsActive,
        .dataNotAllowed,
    ]

    /// Codes of errors in bodies after which another attempt may succeed: those of spent rate limits.
    public var retryableErrors: Set<String> = [
        "ratelimited", "rate_limited", "RATE_LIMITED", "THROTTLED", "Throttling", "ThrottlingException",
        "TooManyRequestsException", "ProvisionedThroughputExceededException", "RequestLimitExceeded",
        "SERVICE_UNAVAILABLE",
    ]

    /// Codes of errors in bodies that mean that a cursor is no longer known. Any code or message that speaks of a cursor
    /// counts too, when a page beyond the first was asked for.
    public var expiredErrors: Set<String> = [
        "ExpiredNextTokenException", "ExpiredNextToken", "InvalidNextToken", "InvalidNextTokenException",
        "InvalidPaginationTokenException", "InvalidPageToken", "INVALID_PAGE_TOKEN", "EXPIRED_PAGE_TOKEN",
    ]

    /// Decides before all other rules; `nil`, the default, and the answer `nil`, leave it to them. Called on any thread.
    public var decide: (@Sendable (HTTPFailure) -> HTTPAdvice?)?

    /// Makes rules with every default.
    public init() {}

    /// Returns what a failure means.
    package func advice(_ failure: HTTPFailure) -> HTTPAdvice {
        if let decision = decide?(failure) { return decision }
        let error = failure.error
        if let code = failure.errorCode, retryableErrors.contains(code) { return .retry }
        if let code = failure.errorCode, expiredErrors.contains(code), !failure.isFirst { return .expired }
        switch error.code {
        case .status:
            let status = error.status ?? 0
            if retryableStatuses.contains(status) {
                return failure.isIdempotent || [408, 425, 429, 503].contains(status) ? .retry : .fatal
            }
            // Some APIs refuse those who ask too often with 403, and say until when.
            if status == 403, failure.statedDelay != nil { return .retry }
            return expiredStatuses.contains(status) && !failure.isFirst ? .expired : .fatal
        case .connection:
            guard let code = error.urlErrorCode, retryableConnectionFailures.contains(code) else { return .fatal }
            return failure.isIdempotent || code == .cannotConnectToHost || code == .cannotFindHost ? .retry : .fatal
        case .endedEarly, .tooSlow:
            return failure.isIdempotent ? .retry : .fatal
        case .refusedInBody:
            return failure.speaksOfCursor && !failure.isFirst ? .expired : .fatal
        default:
            return .fatal
        }
    }
}

/// A failed request, for ``HTTPFailureRules/decide``.
public struct HTTPFailure: Sendable {
    /// What went wrong.
    public let error: HTTPSourceError
    /// Whether the first page was asked for, which no expired cursor can be the reason of.
    public let isFirst: Bool
    /// Whether asking twice does no harm.
    public let isIdempotent: Bool
    /// The header fields of the response; empty when there was none.
    public let headers: HTTPHeaderFields
    /// The code of an error in the body, as the server wrote it.
    public let errorCode: String?
    /// How long the server wants to be left alone.
    public let statedDelay: Duration?
    /// Whether the error in the body is about a cursor.
    public let speaksOfCursor: Bool
}

/// What a failure means; later versions may add advice.
public struct HTTPAdvice: Sendable, Hashable {
    package enum Kind: Sendable, Hashable { case retry, fatal, expired }

    package let kind: Kind

    /// Another attempt may succeed; it waits for as long as the server says.
    public static let retry = HTTPAdvice(kind: .retry)
    /// The failure would repeat.
    public static let fatal = HTTPAdvice(kind: .fatal)
    /// The server no longer knows the key; a list starts again from the first page, once.
    public static let expired = HTTPAdvice(kind: .expired)
}

extension HTTPFailure {
    /// Returns the error for the paginator.
    func sourceError(_ rules: HTTPFailureRules) -> SourceError {
        switch rules.advice(self).kind {
        case .retry: statedDelay.map { .retry(error, after: $0) } ?? .retry(error)
        case .fatal: .fatal(error)
        case .expired: .keyExpired(error)
        }
    }
}

/// What a body says of the error that it reports.
package struct BodyError: Equatable {
    package var code: String?
    package var speaksOfCursor = false

    private static let codePlaces: [JSONPath] = [
        "errors.0.extensions.code", "errors.0.type", "errors.0.code", "__type", "error.code", "error.status",
        "error.type", "code", "error",
    ]
    private static let messagePlaces: [JSONPath] = [
        "errors.0.message", "error.message", "message", "error", "detail", "error_description",
    ]

    /// Looks for an error; `nil` when the body reports none.
    package static func find(in body: JSONDocument) -> BodyError? {
        var found: BodyError?
        for place in codePlaces {
            guard let value = body.value(at: place), case .string(let text) = value else { continue }
            // AWS puts a namespace before the name.
            let code = text.split(separator: "#").last.map(String.init) ?? text
            found = BodyError(code: code, speaksOfCursor: speaksOfCursor(text))
            break
        }
        for place in messagePlaces {
            guard case .string(let text)? = body.value(at: place) else { continue }
            var error = found ?? BodyError()
            error.speaksOfCursor = error.speaksOfCursor || speaksOfCursor(text)
            found = error
        }
        if found == nil, case .array(let errors)? = body.value(at: "errors"), !errors.isEmpty { found = BodyError() }
        return found
    }

    private static func speaksOfCursor(_ text: String) -> Bool {
        let text = text.lowercased()
        return ["cursor", "page token", "page_token", "pagetoken", "next token", "nexttoken"].contains {
            text.contains($0)
        }
    }
}
