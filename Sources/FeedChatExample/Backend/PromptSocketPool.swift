import FlyingFox
import FlyingSocks
import Foundation

/// A pool whose sockets send what is written at once.
///
/// The server writes the head of an answer and its body apart, and the system would hold the body back until the client has
/// acknowledged the head, which it does 40 ms later (RFC 896, and RFC 1122, section 4.2.3.2). Accepted sockets take
/// the setting over from the one that listens, which waits here before the first of them.
struct PromptSocketPool<Pool: AsyncSocketPool>: AsyncSocketPool {
    let pool: Pool

    func prepare() async throws { try await pool.prepare() }

    func run() async throws { try await pool.run() }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        var isOn: Int32 = 1
        // Where it is not granted, answers only come later.
        _ = setsockopt(
            socket.file.rawValue, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        try await pool.suspendSocket(socket, untilReadyFor: events)
    }
}

extension HTTPServer.Configuration {
    /// A server on the loopback interface; port 0 takes a free one.
    static func loopback(port: UInt16) throws -> HTTPServer.Configuration {
        HTTPServer.Configuration(
            address: try .inet(ip4: "127.0.0.1", port: port), timeout: 7_200,
            pool: PromptSocketPool(pool: HTTPServer.defaultPool()), logger: .disabled)
    }
}
