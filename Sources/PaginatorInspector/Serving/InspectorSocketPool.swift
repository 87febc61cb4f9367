#if Inspector
    import FlyingFox
    import FlyingSocks
    import Foundation
    import PaginatorCore

    /// The socket pool of the server. Writes are sent at once, and a wait outlives its descriptor.
    ///
    /// If a message cannot be written, the server closes the connection while its reader is still waiting. The
    /// underlying pool identifies sockets by descriptor, and would consider the closed one watched forever: the next
    /// connection with the same descriptor, such as that of a reloaded page, would wait in vain. So each wait has its
    /// own descriptor, which is closed after the pool has forgotten it.
    struct InspectorSocketPool<Queue: EventQueue>: AsyncSocketPool {
        let pool: SocketPool<Queue>
        /// The number of waiting sockets, which never reaches the limit.
        private let waiting = Guarded(0)
        private var limit: Int { 128 }

        init(pool: SocketPool<Queue>) {
            self.pool = pool
        }

        func prepare() async throws { try await pool.prepare() }

        func run() async throws { try await pool.run() }

        func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
            let isListening = Self.prepare(socket.file.rawValue)
            let isFull = waiting.withLock { waiting in
                waiting += 1
                return waiting > limit
            }
            defer { waiting.withLock { $0 -= 1 } }
            guard !isFull || isListening else { throw SocketError.disconnected }
            let own = fcntl(socket.file.rawValue, F_DUPFD_CLOEXEC, 0)
            guard own >= 0 else { throw SocketError.makeFailed("Duplicate") }
            defer { close(own) }
            var failure: (any Error)?
            do {
                try await pool.suspendSocket(Socket(file: .init(rawValue: own)), untilReadyFor: events)
            } catch SocketError.disconnected {
                // This may concern an earlier socket with the same descriptor; reading or writing shows that.
            } catch {
                failure = error
            }
            // The pool calls the waiter before it forgets the descriptor.
            await pool.settle()
            if let failure { throw failure }
            // The bytes of another connection must not be read.
            guard Self.file(of: own) == Self.file(of: socket.file.rawValue) else { throw SocketError.disconnected }
        }

        /// Sets the options of connections; returns whether the socket listens. Accepted connections inherit them.
        ///
        /// The head of an answer and its body are written separately, and the body must not wait for the
        /// acknowledgement of the head. A browser that disappeared, such as that of a sleeping computer, is noticed
        /// within a minute. Without an option, this only takes longer.
        private static func prepare(_ descriptor: Int32) -> Bool {
            let size = socklen_t(MemoryLayout<Int32>.size)
            var (isListening, length) = (Int32(0), size)
            guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0, isListening != 0 else {
                return false
            }
            let tcp = Int32(IPPROTO_TCP)
            var options: [(level: Int32, name: Int32, value: Int32)] = [
                (tcp, TCP_NODELAY, 1), (SOL_SOCKET, SO_KEEPALIVE, 1), (tcp, TCP_KEEPINTVL, 10), (tcp, TCP_KEEPCNT, 3),
            ]
            #if canImport(Darwin)
                options.append((tcp, TCP_KEEPALIVE, 30))
            #else
                options.append((tcp, TCP_KEEPIDLE, 30))
                // Linux does not probe while data waits to be acknowledged, which it repeats for a quarter of an hour.
                options.append((tcp, TCP_USER_TIMEOUT, 30_000))
            #endif
            for var option in options { _ = setsockopt(descriptor, option.level, option.name, &option.value, size) }
            return true
        }

        /// The file of a descriptor, `nil` for none. Apple's systems do not distinguish sockets.
        private static func file(of descriptor: Int32) -> ino_t? {
            var status = stat()
            return fstat(descriptor, &status) == 0 ? status.st_ino : nil
        }
    }

    extension SocketPool {
        /// Returns when the pool's current work is done.
        fileprivate func settle() {}
    }

    extension HTTPServer {
        /// Creates a server without routes; port 0 takes a free one.
        static func inspector(port: UInt16, isOnNetwork: Bool) throws -> HTTPServer {
            #if canImport(Darwin)
                let pool = InspectorSocketPool(pool: .kQueue())
            #else
                let pool = InspectorSocketPool(pool: .ePoll())
            #endif
            return HTTPServer(
                config: Configuration(
                    address: try .inet(ip4: isOnNetwork ? "0.0.0.0" : "127.0.0.1", port: port), timeout: 60, pool: pool,
                    logger: .disabled))
        }

        /// Starts listening; throws the error that prevents it, such as a port in use.
        ///
        /// - Returns: the port, and a task that ends when the server listens no longer.
        func listen() async throws -> (port: UInt16, end: Task<Void, any Error>) {
            let serving = Task { try await run() }
            let listening = Task { try await waitUntilListening(timeout: 60) }
            Task {
                _ = await serving.result
                listening.cancel()
            }
            guard case .success = await listening.result, case .ip4(_, port: let port)? = listeningAddress else {
                serving.cancel()
                try await serving.value
                throw SocketError.disconnected
            }
            return (port, serving)
        }
    }
#endif
