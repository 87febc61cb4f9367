extension PaginatorSchedulerConfig {
    /// What happens to loads that somebody waits for while there is no connection.
    public enum OfflineBehavior: Sendable {
        /// They fail at once with the error ``PaginatorError/Code/offline``, or show a cached page where the error
        /// strategy says so.
        case failFast

        /// They wait for the connection, each as long as its own deadline allows.
        case wait
    }
}
