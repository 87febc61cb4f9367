package import Foundation

/// The failure of an API call, as a value; it contains neither the token nor the address nor user data.
package struct APIError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    package struct Kind: Sendable, Hashable {
        let name: String

        /// The server was not reached, or the connection broke. The request may have had its effect.
        package static let unreachable = Kind(name: "unreachable")
        /// The server did not answer in time. Nothing shows whether the request reached it, so it counts in an outbox.
        package static let timedOut = Kind(name: "timed out")
        /// The calling task was cancelled.
        package static let cancelled = Kind(name: "cancelled")
        /// The server refuses the token (401).
        package static let tokenRefused = Kind(name: "token refused")
        /// The server answered with another status than 2xx.
        package static let status = Kind(name: "status")
        /// The answer is not in the API's format.
        package static let undecodable = Kind(name: "undecodable")
        /// The answer exceeds the client's limit.
        package static let tooLarge = Kind(name: "too large")
        /// The request could not be created from the caller's values.
        package static let badRequest = Kind(name: "bad request")
    }

    package let kind: Kind
    /// The status, if the server answered.
    package let status: Int?
    /// The beginning of the answer's body, at most 4,096 bytes.
    package let body: Data
    /// The delay that the server stated.
    package let retryAfter: Duration?

    package init(_ kind: Kind, status: Int? = nil, body: Data = Data(), retryAfter: Duration? = nil) {
        self.kind = kind
        self.status = status
        self.body = Data(body.prefix(4_096))
        self.retryAfter = retryAfter
    }

    /// The failure for a log: its kind, and the status.
    package var description: String { status.map { "\(kind.name) \($0)" } ?? kind.name }

    /// The failure for an outbox: some statuses ask for another attempt, others refuse permanently. A server or proxy that
    /// is unavailable for now (429, 502 to 504) counts as not reached.
    package var outboxFailure: OutboxFailure {
        let what: OutboxFailure.Kind
        switch (kind, status ?? 0) {
        case (.unreachable, _), (.cancelled, _), (.status, 429), (.status, 502...504): what = .unreachable
        case (.tokenRefused, _): what = .signedOut
        case (.status, 408), (.status, 425), (.status, 500...): what = .retry
        case (.status, _), (.badRequest, _), (.tooLarge, _): what = .refused
        default: what = .retry
        }
        return OutboxFailure(what, reason: description, statedDelay: retryAfter)
    }
}
