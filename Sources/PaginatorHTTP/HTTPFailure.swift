import Foundation
import PaginatorCore

/// A failed request, and what it means for the next attempt.
///
/// A request that is not idempotent is repeated only after answers that say that it was not carried out.
struct HTTPFailure: Sendable {
    var error: HTTPSourceError
    var request: HTTPPageRequest
    /// Whether asking twice does no harm.
    var isIdempotent: Bool
    /// What the body says of the error.
    var bodyError: BodyError?
    /// How long the server wants to be left alone.
    var statedDelay: Duration?

    private static let notCarriedOut: Set<Int> = [408, 425, 429, 503, 511]

    /// Codes of errors in bodies after which another attempt may succeed: those of spent rate limits.
    private static let passingErrors: Set<String> = [
        "ratelimited", "rate_limited", "RATE_LIMITED", "THROTTLED", "Throttling", "ThrottlingException",
        "TooManyRequestsException", "ProvisionedThroughputExceededException", "RequestLimitExceeded",
        "SERVICE_UNAVAILABLE",
    ]

    /// Codes of errors in bodies that mean that a cursor is no longer known, beside what speaks of a cursor.
    private static let expiredErrors: Set<String> = [
        "ExpiredNextTokenException", "ExpiredNextToken", "InvalidNextToken", "InvalidNextTokenException",
        "InvalidPaginationTokenException", "InvalidPageToken", "INVALID_PAGE_TOKEN", "EXPIRED_PAGE_TOKEN",
    ]

    /// Returns the error for the paginator.
    func sourceError(_ options: HTTPSourceOptions) -> SourceError {
        let advice = options.decide?(error, request) ?? self.advice(options)
        guard advice.isRetryable, advice.statedDelay == nil, let statedDelay else { return advice }
        return .retry(advice.underlying, after: statedDelay)
    }

    private func advice(_ options: HTTPSourceOptions) -> SourceError {
        if let code = bodyError?.code, Self.passingErrors.contains(code) { return .retry(error) }
        if let code = bodyError?.code, Self.expiredErrors.contains(code), !request.isFirst { return .keyExpired(error) }
        switch error.code {
        case .status:
            let status = error.status ?? 0
            if options.retryableStatuses.contains(status) {
                return isIdempotent || Self.notCarriedOut.contains(status) ? .retry(error) : .fatal(error)
            }
            // Some APIs refuse those who ask too often with 403, and say until when.
            if status == 403, statedDelay != nil { return .retry(error) }
            return options.expiredStatuses.contains(status) && !request.isFirst ? .keyExpired(error) : .fatal(error)
        case .connection:
            return isPassing ? .retry(error) : .fatal(error)
        case .endedEarly, .tooSlow:
            return isIdempotent ? .retry(error) : .fatal(error)
        case .webPage, .redirect, .otherOrigin:
            return isIdempotent && isOfPortal ? .retry(error) : .fatal(error)
        case .refusedInBody:
            return bodyError?.speaksOfCursor == true && !request.isFirst ? .keyExpired(error) : .fatal(error)
        default:
            return .fatal(error)
        }
    }

    /// Whether it is what a network does that wants its users to sign in first, which stands in the way until they have.
    var isOfPortal: Bool {
        switch error.code {
        case .webPage: true
        case .status: error.status == 511
        // A portal sends everybody to itself for now; an API that moves says so for good.
        case .redirect, .otherOrigin: [302, 303, 307].contains(error.status)
        // Its certificate comes in place of the server's.
        case .connection: error.urlErrorCode.map { Self.untrusted.contains($0) } ?? false
        default: false
        }
    }

    private static let untrusted: Set<URLError.Code> = [
        .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
    ]

    /// Whether a failed connection may succeed next time: time-outs, lost and refused connections, names that cannot be
    /// resolved, servers that are not believed, and no network.
    private var isPassing: Bool {
        switch error.urlErrorCode {
        case .cannotConnectToHost, .cannotFindHost: true
        case .timedOut, .networkConnectionLost, .dnsLookupFailed, .notConnectedToInternet, .resourceUnavailable,
            .badServerResponse, .internationalRoamingOff, .callIsActive, .dataNotAllowed,
            // On Linux, a header that broke off, among others.
            .unknown:
            isIdempotent
        default: isOfPortal
        }
    }
}
