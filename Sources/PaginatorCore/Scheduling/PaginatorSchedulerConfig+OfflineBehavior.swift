extension PaginatorSchedulerConfig {
    /// What happens to loads that somebody waits for while there is no connection; later versions may add more.
    public struct OfflineBehavior: Sendable, Hashable {
        enum Kind: Sendable { case failFast, wait }

        let kind: Kind

        /// They fail at once with the error ``PaginatorError/Code/offline``, or show a cached page where the error
        /// strategy says so.
        public static let failFast = OfflineBehavior(kind: .failFast)

        /// They wait for the connection, each as long as its own deadline allows.
        public static let wait = OfflineBehavior(kind: .wait)
    }
}
