#if canImport(Network)
    import Dispatch
    import Network

    /// Reports the system's state of the connection.
    final class PathMonitor: Sendable {
        private let monitor = NWPathMonitor()

        /// Starts watching; releasing the monitor ends it.
        init(_ handler: @escaping @Sendable (AppEnvironment.Link) -> Void) {
            monitor.pathUpdateHandler = { path in
                let isWeak = path.isConstrained || path.isExpensive
                let link: AppEnvironment.Link = path.status == .satisfied ? (isWeak ? .weak : .good) : .none
                handler(link)
            }
            monitor.start(queue: DispatchQueue(label: "path-monitor"))
        }

        deinit {
            monitor.cancel()
        }
    }
#endif
