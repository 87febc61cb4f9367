#if Inspector
    import FlyingFox
    import FlyingSocks
    import Foundation
    import PaginatorCore

    /// Where the server's sockets wait: what is written is sent at once, and a wait outlives its descriptor.
    ///
    /// When a message cannot be written, the server closes the connection while its reader still waits for it. The pool
    /// underneath knows sockets by number, and would take the closed one for watched for ever: the next connection with the
    /// number, such as that of a page that is loaded again, would wait in vain. So each wait is for a descriptor of its
    /// own, which is closed when the pool has forgotten it.
    struct InspectorSocketPool<Queue: EventQueue>: AsyncSocketPool {
        let pool: SocketPool<Queue>
        /// How many sockets wait; nobody needs so many as the limit.
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
                // May have been said of an earlier bearer of the number; reading or writing tells.
            } catch {
                failure = error
            }
            // Whoever waits is called before the pool forgets the descriptor.
            await pool.settle()
            if let failure { throw failure }
            // Never the bytes of the next connection.
            guard Self.file(of: own) == Self.file(of: socket.file.rawValue) else { throw SocketError.disconnected }
        }

        /// Sets what the connections are to do; returns whether a socket listens. Accepted ones take it over from that one.
        ///
        /// The head of an answer and its body are written apart, and the body would wait until the head is acknowledged. A
        /// browser that is gone without a word, such as that of a computer that sleeps, is noticed within a minute. Where an
        /// option is not granted, things only come later.
        private static func prepare(_ descriptor: Int32) -> Bool {
            let size = socklen_t(MemoryLayout<Int32>.size)
            var (isListening, length) = (Int32(0), size)
            guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0, isListening != 0 else {
                return false
            }
            #if canImport(Darwin)
                let idle = TCP_KEEPALIVE
            #else
                let idle = TCP_KEEPIDLE
            #endif
            let tcp = Int32(IPPROTO_TCP)
            let options: [(level: Int32, name: Int32, value: Int32)] = [
                (tcp, TCP_NODELAY, 1), (SOL_SOCKET, SO_KEEPALIVE, 1), (tcp, idle, 30), (tcp, TCP_KEEPINTVL, 10),
                (tcp, TCP_KEEPCNT, 3),
            ]
            for var option in options { _ = setsockopt(descriptor, option.level, option.name, &option.value, size) }
            return true
        }

        /// What is open under a descriptor, `nil` for nothing; Apple's systems tell sockets not apart.
        private static func file(of descriptor: Int32) -> ino_t? {
            var status = stat()
            return fstat(descriptor, &status) == 0 ? status.st_ino : nil
        }
    }

    extension SocketPool {
        /// Returns when what the pool was about is done.
        fileprivate func settle() {}
    }

    extension HTTPServer {
        /// Makes a server that answers nothing yet; port 0 takes a free one.
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

        /// Begins to listen, and returns the port; throws what keeps the server from it, such as a port that is taken.
        func listen() async throws -> UInt16 {
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
            return port
        }
    }
#endif
