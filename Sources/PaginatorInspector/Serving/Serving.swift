#if Inspector
    import FlyingFox
    import FlyingSocks
    import Foundation
    import PaginatorCore

    extension PaginatorInspector {
        /// Shows in the browser what happens, until the server is stopped or the inspector released.
        ///
        /// Needs the trait `Inspector`. Keys and messages are shown where ``PaginatorInspectorConfig/allowsKeys`` says so, and
        /// as hashes otherwise.
        ///
        /// - Parameters:
        ///   - port: where to listen; 0, the default, takes a free port.
        ///   - access: who may open the page; by default, browsers on this device.
        /// - Returns: the server, whose address is to be printed; the inspector keeps it.
        /// - Throws: why it cannot listen.
        @discardableResult
        public func serve(
            port: UInt16 = 0, access: PaginatorInspectorAccess = .thisDevice
        ) async throws(PaginatorInspectorServerError) -> PaginatorInspectorServer {
            guard config.isEnabled else { throw .disabled }
            let withKeys = config.allowsKeys
            let source = LiveSource(
                changes: { [weak self] cursor in
                    guard let self else { return nil }
                    let isFirst = cursor == nil
                    var changes = changes(since: &cursor, withKeys: withKeys)
                    // Of an app that is idle, the last event is long ago.
                    if isFirst {
                        let now = Int(start.duration(to: config.clock.now).wholeNanoseconds)
                        changes.append(chunk: .info, json: .members(["now": .count(now)]))
                    }
                    return changes
                },
                answer: { [weak self] command in
                    self?.answer(to: command) ?? .answer(to: command, error: "The inspector is gone.")
                },
                recording: { [weak self] in self?.recording() }, showsKeys: withKeys,
                visitor: { [weak self] in self.map(InspectorVisitor.init) })
            let (server, url, port) = try await PaginatorInspectorServer.start(port: port, access: access, source)
            let end = ServerEnd(server)
            lifetimes.withLock { $0.append(end) }
            return PaginatorInspectorServer(server, url: url, port: port, end: nil) { [weak self, weak end] in
                // Released outside the lock.
                guard let self, let end else { return }
                lifetimes.withLock { $0.removeAll { $0 as? ServerEnd === end } }
            }
        }
    }

    extension PaginatorRecording {
        /// Shows the recording in the browser, until the server is stopped or released.
        ///
        /// Needs the trait `Inspector`. Keys are shown where the recording has them.
        ///
        /// - Parameters:
        ///   - port: where to listen; 0, the default, takes a free port.
        ///   - access: who may open the page; by default, browsers on this device.
        /// - Returns: the server, which the caller keeps, and whose address is to be printed.
        /// - Throws: why it cannot listen.
        public func serve(
            port: UInt16 = 0, access: PaginatorInspectorAccess = .thisDevice
        ) async throws(PaginatorInspectorServerError) -> PaginatorInspectorServer {
            let (server, url, port) = try await PaginatorInspectorServer.start(
                port: port, access: access, LiveSource(self))
            return PaginatorInspectorServer(server, url: url, port: port, end: ServerEnd(server))
        }
    }

    extension PaginatorInspectorServer {
        fileprivate static func start(
            port: UInt16, access: PaginatorInspectorAccess, _ source: LiveSource
        ) async throws(PaginatorInspectorServerError) -> (server: HTTPServer, url: URL, port: UInt16) {
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
                return (server, url, taken)
            } catch SocketError.failed(_, EADDRINUSE, _) {
                throw .portTaken(port)
            } catch {
                throw .system("\(error.localizedDescription)")
            }
        }
    }
#endif
