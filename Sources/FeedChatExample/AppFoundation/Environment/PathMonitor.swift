#if canImport(Network)
    import Dispatch
    import Network

    /// Updates an environment with the system's state of the connection.
    package final class PathMonitor: Sendable {
        private let monitor = NWPathMonitor()

        /// Starts watching; releasing the monitor ends it.
        package init(_ environment: AppEnvironment) {
            monitor.pathUpdateHandler = { [weak environment] path in
                let isWeak = path.isConstrained || path.isExpensive
                let link: AppEnvironment.Link = path.status == .satisfied ? (isWeak ? .weak : .good) : .none
                environment?.update { $0.link = link }
            }
            monitor.start(queue: DispatchQueue(label: "path-monitor"))
        }

        deinit {
            monitor.cancel()
        }
    }
#endif
