/// The failure of an attempt, and its consequence.
package struct OutboxFailure: Error, Sendable, Hashable {
    /// The consequence of a failure.
    package struct Kind: Sendable, Hashable {
        let name: String

        /// The server was not reached, or is unavailable for now. It does not count; every lane waits, and one attempt at a
        /// time tries again.
        package static let unreachable = Kind(name: "unreachable")
        /// The server failed, or did not answer in time. It counts, and the lane waits for its next attempt.
        package static let retry = Kind(name: "retry")
        /// The server refuses the operation permanently. It is cancelled.
        package static let refused = Kind(name: "refused")
        /// The server refuses the token. It does not count, and nothing is sent before the next sign-in.
        package static let signedOut = Kind(name: "signedOut")
    }

    /// The consequence.
    package let kind: Kind
    /// A sentence for a log, without secrets and user data.
    package let reason: String
    /// The minimum delay that the server stated; `nil` if there is none.
    package let statedDelay: Duration?

    package init(_ kind: Kind, reason: String, statedDelay: Duration? = nil) {
        self.kind = kind
        self.reason = reason
        self.statedDelay = statedDelay
    }

    static let timedOut = OutboxFailure(.retry, reason: "no answer in time")

    /// Converts any error of an attempt; unknown errors count and are retried.
    init(_ error: any Error) {
        switch error {
        case let failure as OutboxFailure: self = failure
        case let error as APIError: self = error.outboxFailure
        default: self.init(.retry, reason: "\(type(of: error))")
        }
    }
}

/// The reasons why an outbox does not send.
package struct OutboxGates: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// There is no connection.
    package static let offline = OutboxGates(rawValue: 1)
    /// No user is signed in.
    package static let signedOut = OutboxGates(rawValue: 2)
    /// The app is in the background; ``Outbox/drainOnce()`` sends nevertheless.
    package static let background = OutboxGates(rawValue: 4)
    /// The app paused it.
    package static let paused = OutboxGates(rawValue: 8)
}
