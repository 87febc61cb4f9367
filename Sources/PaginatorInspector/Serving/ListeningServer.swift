#if Inspector
    import FlyingFox
    import FlyingSocks
    import Foundation
    import PaginatorCore
    import PaginatorInspectorPage

    /// A server that listens until it is released.
    final class ListeningServer: Sendable {
        let url: URL
        let port: UInt16
        /// The server that listens, or did until it failed; `nil` when it is to listen no longer.
        private let current: Guarded<HTTPServer?>
        /// Listens again; ends after a stop.
        private let again: Task<Void, Never>

        private init(_ current: Guarded<HTTPServer?>, _ again: Task<Void, Never>, url: URL, port: UInt16) {
            self.current = current
            self.again = again
            self.url = url
            self.port = port
        }

        deinit {
            Task { [stop] in await stop() }
        }

        /// Closes the port and every connection; does not retain this object.
        var stop: @Sendable () async -> Void {
            { [current, again] in
                await current.replace(with: nil)?.stop(timeout: 0)
                // It may have the port at this moment.
                await again.value
            }
        }

        /// Starts listening for browsers with access.
        static func start(
            port: UInt16, access: PaginatorInspectorAccess, _ source: LiveSource
        ) async throws(PaginatorInspectorServerError) -> ListeningServer {
            guard PageFiles.inspector != nil else {
                let folder = "paginator_PaginatorInspectorPage.resources"
                throw .system("the page's files are missing; copy \(folder) beside the executable")
            }
            var (token, host): (String?, String) = (nil, "127.0.0.1")
            if case .localNetwork(let given) = access.reach {
                guard let address = LocalNetwork.address() else { throw .noLocalNetwork }
                let fit = given ?? RequestGate.randomToken()
                guard RequestGate.isFit(fit) else { throw .unfitToken }
                (token, host) = (fit, address)
            }
            do {
                let isOnNetwork = token != nil
                let server = try HTTPServer.inspector(port: port, isOnNetwork: isOnNetwork)
                let (taken, end) = try await server.listen()
                let handler = InspectorHandler(gate: RequestGate(port: taken, token: token), source: source)
                await server.appendRoute("*", to: handler)
                let address = "http://\(host):\(taken)/" + (token.map { "?token=\($0)" } ?? "")
                guard let url = URL(string: address) else { throw SocketError.unsupportedAddress }
                let current = Guarded<HTTPServer?>(server)
                let again = Task {
                    await listenAgain(current, handler, port: taken, isOnNetwork: isOnNetwork, after: end)
                }
                return ListeningServer(current, again, url: url, port: taken)
            } catch SocketError.failed(_, EADDRINUSE, _) {
                throw .portTaken(port)
            } catch {
                throw .system("\(error.localizedDescription)")
            }
        }

        /// Listens again whenever listening has ended, until it is stopped. One connection that the system cannot
        /// accept, as for want of descriptors, ends a server.
        private static func listenAgain(
            _ current: Guarded<HTTPServer?>, _ handler: InspectorHandler, port: UInt16, isOnNetwork: Bool,
            after end: Task<Void, any Error>
        ) async {
            _ = await end.result
            while current.withLock({ $0 != nil }) {
                // Nobody cancels the task.
                try? await Task.sleep(for: .seconds(1))
                guard current.withLock({ $0 != nil }) else { return }
                do {
                    let server = try HTTPServer.inspector(port: port, isOnNetwork: isOnNetwork)
                    let (_, end) = try await server.listen()
                    await server.appendRoute("*", to: handler)
                    let isWanted = current.withLock { current in
                        if current != nil { current = server }
                        return current != nil
                    }
                    if !isWanted { return await server.stop(timeout: 0) }
                    _ = await end.result
                } catch {
                    // It is tried again.
                }
            }
        }
    }
#endif
