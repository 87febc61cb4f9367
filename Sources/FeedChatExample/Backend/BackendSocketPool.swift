package import FlyingFox
package import FlyingSocks
import Foundation

/// The pool in which the backend's sockets wait: what is written is sent at once, and a wait outlives its descriptor.
///
/// The server writes the head of an answer and its body apart, and the system would hold the body back until the client has
/// acknowledged the head, which it does 40 ms later (RFC 896, and RFC 1122, section 4.2.3.2). Accepted sockets take
/// the setting over from the one that listens, which waits here before the first of them.
///
/// A connection is closed while somebody waits for its bytes where a frame of a WebSocket cannot be written any more,
/// and where the server stops. The pool underneath knows sockets by number: it would take the closed one for watched
/// forever, and so never watch the next connection that gets the number, whose client would wait until it gives up.
/// So each wait is for a descriptor of its own, which is closed when the pool has forgotten it.
package struct BackendSocketPool<Queue: EventQueue>: AsyncSocketPool {
    private let pool: SocketPool<Queue>

    package init(_ pool: SocketPool<Queue>) { self.pool = pool }

    package func prepare() async throws { try await pool.prepare() }

    package func run() async throws { try await pool.run() }

    package func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        var isOn: Int32 = 1
        // Where it is not granted, answers only come later.
        _ = setsockopt(
            socket.file.rawValue, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
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

extension HTTPServer.Configuration {
    /// A server on the loopback interface; port 0 takes a free one.
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
