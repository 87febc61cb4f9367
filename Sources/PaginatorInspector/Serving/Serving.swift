#if Inspector
    import Foundation
    import PaginatorCore

    extension PaginatorInspector {
        /// Serves a live page for the browser until the server is stopped or the inspector is released.
        ///
        /// Needs the trait `Inspector`. Keys and messages are shown if ``PaginatorInspectorConfig/allowsKeys`` is true,
        /// else as hashes.
        ///
        /// - Parameters:
        ///   - port: the port to listen on; 0, the default, takes a free one.
        ///   - access: which browsers may open the page; those on this device by default.
        /// - Returns: the server, whose address the app should print. The inspector retains it.
        /// - Throws: the reason why it cannot listen.
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
                    // In an idle app the last event is long ago.
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
        /// Serves the recording for the browser until the server is stopped or released.
        ///
        /// Needs the trait `Inspector`. Keys are shown if the recording has them.
        ///
        /// - Parameters:
        ///   - port: the port to listen on; 0, the default, takes a free one.
        ///   - access: which browsers may open the page; those on this device by default.
        /// - Returns: the server, which the caller retains, and whose address it should print.
        /// - Throws: the reason why it cannot listen.
        public func serve(
            port: UInt16 = 0, access: PaginatorInspectorAccess = .thisDevice
        ) async throws(PaginatorInspectorServerError) -> PaginatorInspectorServer {
            let server = try await ListeningServer.start(port: port, access: access, LiveSource(self))
            return PaginatorInspectorServer(url: server.url, port: server.port, keeping: server, close: server.stop)
        }
    }
#endif
