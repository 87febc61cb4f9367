#if Inspector
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
            let server = try await ListeningServer.start(port: port, access: access, source)
            lifetimes.withLock { $0.append(server) }
            let stop = server.stop
            return PaginatorInspectorServer(url: server.url, port: server.port, keeping: nil) {
                [weak self, weak server] in
                await stop()
                // Released outside the lock.
                guard let self, let server else { return }
                lifetimes.withLock { $0.removeAll { $0 as? ListeningServer === server } }
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
            let server = try await ListeningServer.start(port: port, access: access, LiveSource(self))
            return PaginatorInspectorServer(url: server.url, port: server.port, keeping: server, close: server.stop)
        }
    }
#endif
