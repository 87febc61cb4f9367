import AppFoundation
import PaginatorCore

/// The reason why a medium cannot be shown.
package struct MediaError: Error, Sendable, Hashable {
    /// The kind of failure.
    package struct Kind: Sendable, Hashable {
        let name: String

        /// There is no connection, and it is not cached.
        package static let offline = Kind(name: "offline")
        /// The backend has no such medium, or it is not valid.
        package static let missing = Kind(name: "missing")
        /// The backend failed; a retry may succeed.
        package static let failed = Kind(name: "failed")
        /// It is no longer wanted.
        package static let cancelled = Kind(name: "cancelled")
    }

    package let kind: Kind

    package init(_ kind: Kind) { self.kind = kind }

    init(_ error: PaginatorError) {
        switch error.code {
        case .offline, .notInCache: self.init(.offline)
        case .cancelled, .released, .superseded: self.init(.cancelled)
        case .expiredKey, .rejectedByValidation, .invalidKey: self.init(.missing)
        default:
            let cause = (error.underlying as? SourceError)?.underlying ?? error.underlying
            self.init((cause as? APIError)?.outboxFailure.kind == .refused ? .missing : .failed)
        }
    }
}
