package import PaginatorCore

/// Updates an environment's link: from the system if it reports the connection, otherwise by probing the server.
/// Releasing it ends that.
package final class ConnectionWatch: Sendable {
    #if canImport(Network)
        private let source: PathMonitor
    #else
        private let source: ConnectivityProbe
    #endif

    /// Starts watching.
    ///
    /// - Parameter probe: calls the server, within a few seconds, and returns whether it answered.
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
