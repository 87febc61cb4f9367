package import PaginatorCore

/// Keeps an environment's link true: by what the system knows of the connection where it knows anything, and elsewhere by
/// asking the server. Releasing it ends that.
package final class ConnectionWatch: Sendable {
    #if canImport(Network)
        private let source: PathMonitor
    #else
        private let source: ConnectivityProbe
    #endif

    /// Begins to watch.
    ///
    /// - Parameter probe: asks the server, within a few seconds, and says whether it answered.
    package init(
        _ environment: AppEnvironment, clock: any PaginatorClock = SystemPaginatorClock(),
        probe: @escaping @Sendable () async -> Bool
    ) {
        #if canImport(Network)
            source = PathMonitor(environment)
        #else
            source = ConnectivityProbe(environment, clock: clock, probe: probe)
        #endif
    }
}
