package import AppFoundation
import PaginatorCore

/// A failure, as far as it concerns people.
package enum FeedProblem: Sendable, Hashable {
    case signedOut, offline, tooSlow, unreachable

    init(_ error: PaginatorError) {
        switch error.code {
        case _ where (error.underlying as? APIError)?.kind == .tokenRefused: self = .signedOut
        case .offline: self = .offline
        case .timedOut: self = .tooSlow
        default: self = .unreachable
        }
    }

    init(_ error: APIError) {
        switch error.kind {
        case .tokenRefused: self = .signedOut
        case .timedOut: self = .tooSlow
        default: self = .unreachable
        }
    }
}

extension AppTexts {
    /// Returns the message for people.
    package func message(_ problem: FeedProblem) -> String {
        switch problem {
        case .signedOut: youAreSignedOut
        case .offline: youAreOffline
        case .tooSlow: serverIsSlow
        case .unreachable: serverIsAway
        }
    }
}
