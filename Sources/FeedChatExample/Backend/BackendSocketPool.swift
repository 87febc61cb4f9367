package import FlyingFox
package import FlyingSocks
import Foundation

/// The socket pool of the backend, which sends written data at once, and whose waits outlive a descriptor.
///
/// The server writes the head and the body of an answer separately, and the system would delay the body until the
/// client has acknowledged the head, which it does 40 ms later (RFC 896, and RFC 1122, section 4.2.3.2). Accepted
/// sockets inherit the option from the listening one, which waits here before the first of them.
///
/// A connection may be closed while a task waits for its bytes, if a WebSocket frame cannot be written, and when the
/// server stops. The underlying pool identifies sockets by descriptor: it would treat the closed one as watched
/// forever, and so never watch the next connection with the same descriptor, whose client would time out. So each wait
/// uses a duplicate descriptor, which is closed after the pool has forgotten it.
package struct BackendSocketPool<Queue: EventQueue>: AsyncSocketPool {
    private let pool: SocketPool<Queue>

    package init(_ pool: SocketPool<Queue>) { self.pool = pool }

    package func prepare() async throws { try await pool.prepare() }

    package func run() async throws { try await pool.run() }

    package func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        var isOn: Int32 = 1
        // If this fails, answers only arrive later.
        _ = setsockopt(
            socket.file.rawValue, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        let own = fcntl(socket.file.rawValue, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { throw SocketError.makeFailed("Duplicate") }
        defer { close(own) }
        var failure: (any Error)?
        do {
            try await pool.suspendSocket(Socket(file: .init(rawValue: own)), untilReadyFor: events)
        } catch SocketError.disconnected {
            // May concern an earlier socket with the same descriptor; reading or writing shows that.
        } catch {
            failure = error
        }
        // The waiter is resumed before the pool forgets the descriptor.
        await pool.settle()
        if let failure { throw failure }
        // The bytes of another connection must not be read.
        guard Self.file(of: own) == Self.file(of: socket.file.rawValue) else { throw SocketError.disconnected }
    }

    /// Returns the open file of a descriptor, `nil` for none; Apple's systems do not distinguish sockets.
    private static func file(of descriptor: Int32) -> ino_t? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status.st_ino : nil
    }
}

extension SocketPool {
    /// Returns when the pool has finished its current work.
    fileprivate func settle() {}
}

extension HTTPServer.Configuration {
    /// A server on the loopback interface; port 0 uses a free one.
    package static func loopback(port: UInt16) throws -> HTTPServer.Configuration {
        #if canImport(Darwin)
            let pool = BackendSocketPool(.kQueue())
        #else
            let pool = BackendSocketPool(.ePoll())
        #endif
        return HTTPServer.Configuration(
            address: try .inet(ip4: "127.0.0.1", port: port), timeout: 7_200, pool: pool, logger: .disabled)
    }
}
