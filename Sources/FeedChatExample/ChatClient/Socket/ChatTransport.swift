package import Foundation

/// Something that a socket tells its owner, in the order in which it came.
package enum SocketInput: Sendable, Hashable {
    case text(String)
    /// The answer to a ping, or a ping of the server.
    case heartbeat
    /// The last one: the connection is gone.
    case closed
}

/// One open socket. Every call returns at once, and does nothing on a socket that is closed.
package protocol ChatConnection: AnyObject, Sendable {
    func send(text: String)
    func ping()
    /// Closes without waiting for the other side.
    func close()
}

/// How sockets are opened; tests put faults in between.
package protocol ChatTransport: Sendable {
    /// Opens a socket.
    ///
    /// - Parameters:
    ///   - url: `ws` or `wss`.
    ///   - token: the bearer token.
    ///   - onInput: called one at a time, in order; ``SocketInput/closed`` comes exactly once.
    /// - Throws: when there is no connection, or the server does not speak WebSocket here.
    func connect(
        _ url: URL, token: String, onInput: @escaping @Sendable (SocketInput) -> Void
    ) async throws -> any ChatConnection
}

/// Why a socket was not opened.
package enum ChatTransportError: Error, Sendable, Hashable {
    case badAddress
    /// The server answered, but gave no socket and no stream, as it does not for a token that it refuses.
    case refused
    /// The server, or one before it, answered that it cannot now.
    case busy
    /// There is no token to show.
    case noToken

    /// What an answer means that brings no socket.
    init(status: UInt) {
        self = Self.isPassing(status) ? .busy : .refused
    }

    /// Whether the same may be answered otherwise the next time.
    static func isPassing(_ status: UInt) -> Bool {
        [408, 425, 429].contains(status) || ((500...599).contains(status) && ![501, 505].contains(status))
    }
}
