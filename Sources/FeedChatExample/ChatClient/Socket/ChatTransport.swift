package import Foundation

/// An event of a socket, in the order of arrival.
package enum SocketInput: Sendable, Hashable {
    case text(String)
    /// The answer to a ping, or a ping of the server.
    case heartbeat
    /// The last event: the connection has ended.
    case closed
}

/// One open socket. Every call returns at once, and does nothing on a closed socket.
package protocol ChatConnection: AnyObject, Sendable {
    func send(text: String)
    func ping()
    /// Closes without waiting for the other side.
    func close()
}

/// Opens sockets; tests add faults.
package protocol ChatTransport: Sendable {
    /// Opens a socket.
    ///
    /// - Parameters:
    ///   - url: `ws` or `wss`.
    ///   - token: the bearer token.
    ///   - onInput: called one at a time, in order; ``SocketInput/closed`` is delivered exactly once.
    /// - Throws: an error if there is no connection, or the server does not speak WebSocket here.
    func connect(
        _ url: URL, token: String, onInput: @escaping @Sendable (SocketInput) -> Void
    ) async throws -> any ChatConnection
}

/// The reason why a socket was not opened.
package enum ChatTransportError: Error, Sendable, Hashable {
    case badAddress
    /// The server answered without a socket or stream, for example because it refuses the token.
    case refused
    /// The server, or a proxy, answered that it is unavailable.
    case busy
    /// There is no token.
    case noToken

    /// Converts the status of an answer without a socket.
    init(status: UInt) {
        self = Self.isPassing(status) ? .busy : .refused
    }

    /// Returns whether another attempt may get another answer.
    static func isPassing(_ status: UInt) -> Bool {
        [408, 425, 429].contains(status) || ((500...599).contains(status) && ![501, 505].contains(status))
    }
}
