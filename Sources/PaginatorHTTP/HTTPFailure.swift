import Foundation
import PaginatorCore

/// A failed request, and whether it may be retried.
///
/// A request that is not idempotent is only repeated after answers that say that it was not carried out.
struct HTTPFailure: Sendable {
    var error: HTTPSourceError
    var request: HTTPPageRequest
    /// Whether the request may be repeated safely.
    var isIdempotent: Bool
    /// The error that the body reports.
    var bodyError: BodyError?
    /// The delay that the server states.
    var statedDelay: Duration?
    /// Whether keys are the server's and may expire, unlike page numbers and offsets; also true for the rest of a page,
    /// which is loaded from its start if it cannot be continued.
    var keysExpire = true

    private static let notCarriedOut: Set<Int> = [408, 425, 429, 503, 511]

    /// Error codes in bodies after which a retry may succeed: those of spent rate limits.
    private static let passingErrors: Set<String> = [
        "ratelimited", "rate_limited", "RATE_LIMITED", "THROTTLED", "Throttling", "ThrottlingException",
        "TooManyRequestsException", "ProvisionedThroughputExceededException", "RequestLimitExceeded",
        "SERVICE_UNAVAILABLE", "rateLimitExceeded", "userRateLimitExceeded",
    ]

    /// Error codes in bodies of expired cursors, beside texts about cursors.
    private static let expiredErrors: Set<String> = [
        "ExpiredNextTokenException", "ExpiredNextToken", "InvalidNextToken", "InvalidNextTokenException",
        "InvalidPaginationTokenException", "InvalidPageToken", "INVALID_PAGE_TOKEN", "EXPIRED_PAGE_TOKEN",
    ]

    /// Error codes in bodies of refused credentials, some with the status 400. Facebook's is also that of spent rate
    /// limits, and of expired cursors, of which its message then speaks.
    private static let refusals: Set<String> = [
        "AccessDeniedException", "ExpiredTokenException", "InvalidSignatureException", "OAuthException",
        "UnrecognizedClientException",
    ]

    /// Returns the error for the paginator.
    func sourceError(_ options: HTTPSourceOptions) -> SourceError {
        let advice = options.decide?(error, request) ?? self.advice(options)
        guard advice.isRetryable, advice.statedDelay == nil, let statedDelay else { return advice }
        return .retry(advice.underlying, after: statedDelay)
    }

    private func advice(_ options: HTTPSourceOptions) -> SourceError {
        let code = bodyError?.code ?? ""
        let speaksOfCursor = bodyError?.speaksOfCursor == true
        if bodyError?.isTransient == true || Self.passingErrors.contains(code) { return .retry(error) }
        let mayHaveExpired = keysExpire && !request.isFirst && (speaksOfCursor || !Self.refusals.contains(code))
        if Self.expiredErrors.contains(code), mayHaveExpired { return .keyExpired(error) }
        switch error.code {
        case .status:
            let status = error.status ?? 0
            if options.retryableStatuses.contains(status) {
                return isIdempotent || Self.notCarriedOut.contains(status) ? .retry(error) : .fatal(error)
            }
            // Some APIs answer 403 for too many requests, and state a delay.
            if status == 403, statedDelay != nil { return .retry(error) }
            return options.expiredStatuses.contains(status) && mayHaveExpired ? .keyExpired(error) : .fatal(error)
        case .connection:
            return isPassing ? .retry(error) : .fatal(error)
        case .authenticationFailed:
            return isPassing || isRefusalPassing(options) ? .retry(error) : .fatal(error)
        case .endedEarly, .tooSlow:
            return isIdempotent ? .retry(error) : .fatal(error)
        case .webPage, .redirect, .otherOrigin:
            return isIdempotent && isOfPortal ? .retry(error) : .fatal(error)
        case .pageSizeDiffers where request.itemsBefore > 0:
            return .keyExpired(error)
        case .refusedInBody:
            return speaksOfCursor && mayHaveExpired ? .keyExpired(error) : .fatal(error)
        default:
            return .fatal(error)
        }
    }

    /// Whether the app's own request for credentials, sent by the session, may succeed next time.
    private func isRefusalPassing(_ options: HTTPSourceOptions) -> Bool {
        guard let refusal = error.underlying as? HTTPSourceError else { return false }
        return switch refusal.code {
        case .status: options.retryableStatuses.contains(refusal.status ?? 0)
        case .tooSlow, .endedEarly: true
        default: false
        }
    }

    /// Whether the failure looks like that of a captive portal, which lasts until the user has signed in.
    var isOfPortal: Bool {
        // Of the app's own request for credentials, if that has met the portal.
        let error = error.underlying as? HTTPSourceError ?? error
        return switch error.code {
        case .webPage: true
        case .status: error.status == 511
        // A portal redirects temporarily; an API that moves does so permanently.
        case .redirect, .otherOrigin: [302, 303, 307].contains(error.status)
        // The portal's certificate comes instead of the server's.
        case .connection, .authenticationFailed: error.urlErrorCode.map { Self.untrusted.contains($0) } ?? false
        default: false
        }
    }

    private static let untrusted: Set<URLError.Code> = [
        .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
    ]

    /// Whether a failed connection may succeed next time: timeouts, lost and refused connections, unresolved names,
    /// untrusted certificates, and no network. The same for a connection of the authentication.
    private var isPassing: Bool {
        switch error.urlErrorCode {
        case .cannotConnectToHost, .cannotFindHost: true
        // Apps throw it for a refusal, too.
        case .badServerResponse where error.code == .authenticationFailed: false
        case .timedOut, .networkConnectionLost, .dnsLookupFailed, .notConnectedToInternet, .resourceUnavailable,
            .badServerResponse, .internationalRoamingOff, .callIsActive, .dataNotAllowed,
            // On Linux, among others, a header that ended early.
            .unknown:
            // Without credentials the request was not sent, or refused.
            isIdempotent || error.code == .authenticationFailed
        default: isOfPortal
        }
    }
}
