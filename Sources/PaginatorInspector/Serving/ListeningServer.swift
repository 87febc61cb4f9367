#if Inspector
    import FlyingFox
    import FlyingSocks
    import Foundation

    /// A server that listens until it is released.
    final class ListeningServer: Sendable {
        let url: URL
        let port: UInt16
        private let server: HTTPServer

        private init(_ server: HTTPServer, url: URL, port: UInt16) {
            self.server = server
            self.url = url
            self.port = port
        }

        deinit {
            Task { [server] in await server.stop(timeout: 0) }
        }

        /// Closes the port and every connection; does not retain this object.
        var stop: @Sendable () async -> Void {
            { [server] in await server.stop(timeout: 0) }
        }

        /// Starts listening for browsers with access.
        static func start(
            port: UInt16, access: PaginatorInspectorAccess, _ source: LiveSource
        ) async throws(PaginatorInspectorServerError) -> ListeningServer {
            var (token, host): (String?, String) = (nil, "127.0.0.1")
            if case .localNetwork(let given) = access.reach {
                guard let address = LocalNetwork.address() else { throw .noLocalNetwork }
                let fit = given ?? RequestGate.randomToken()
                guard RequestGate.isFit(fit) else { throw .unfitToken }
                (token, host) = (fit, address)
            }
            do {
                let server = try HTTPServer.inspector(port: port, isOnNetwork: token != nil)
                let taken = try await server.listen()
                let gate = RequestGate(port: taken, token: token)
                await server.appendRoute("*", to: InspectorHandler(gate: gate, source: source))
                let address = "http://\(host):\(taken)/" + (token.map { "?token=\($0)" } ?? "")
                guard let url = URL(string: address) else { throw SocketError.unsupportedAddress }
                return ListeningServer(server, url: url, port: taken)
            } catch SocketError.failed(_, EADDRINUSE, _) {
                throw .portTaken(port)
            } catch {
                throw .system("\(error.localizedDescription)")
            }
        }
    }
#endif
