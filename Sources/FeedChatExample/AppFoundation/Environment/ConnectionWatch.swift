package import PaginatorCore

/// Updates an environment's link: by probing the server, and from the system if it reports the connection. Releasing it
/// ends that.
package final class ConnectionWatch: Sendable {
    private let probe: ConnectivityProbe
    #if canImport(Network)
        private let monitor: PathMonitor
    #endif

    /// Starts watching.
    ///
    /// - Parameter probe: calls the server, within a few seconds, and returns whether it answered.
    package init(
        _ environment: AppEnvironment, clock: any PaginatorClock = SystemPaginatorClock(),
        probe: @escaping @Sendable () async -> Bool
    ) {
        let source = ConnectivityProbe(environment, clock: clock, probe: probe)
        self.probe = source
        #if canImport(Network)
            // The system may report a connection through which nothing goes.
            monitor = PathMonitor { [weak source] link in source?.systemReports(link) }
        #endif
    }
}
