import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

@testable import ChatClient

/// When the chat takes events in place of a socket.
@Suite(.timeLimit(.minutes(1))) struct FallbackTests {
    /// What a network does to one transport.
    private enum Network: Sendable {
        case open, refused, busy, unreachable
        /// Connections are made, and nothing comes over them.
        case silent
        /// They are closed at once.
        case reset
    }

    private final class Transport: ChatTransport {
        let network: Handshake<Network>
        let attempts = Handshake(0)

        init(_ network: Network) { self.network = Handshake(network) }

        struct TimedOut: Error {}

        func connect(
            _ url: URL, token: String, onInput: @escaping @Sendable (SocketInput) -> Void
        ) async throws -> any ChatConnection {
            attempts.update { $0 += 1 }
            switch network.read({ $0 }) {
            case .open: onInput(.heartbeat)
            case .refused: throw ChatTransportError.refused
            case .busy: throw ChatTransportError.busy
            case .unreachable: throw TimedOut()
            case .silent: break
            case .reset: onInput(.closed)
            }
            return Connection()
        }

        private final class Connection: ChatConnection {
            func send(text: String) {}
            func ping() {}
            func close() {}
        }
    }

    private let clock = ManualPaginatorClock()

    /// Opens a socket, asks it for a sign of life, and closes it.
    private func use(_ transport: FallbackTransport, asks: Bool = true) async {
        guard let url = URL(string: "ws://localhost/"),
            let connection = try? await transport.connect(url, token: "t", onInput: { _ in })
        else { return }
        if asks { connection.ping() }
        connection.close()
    }

    @Test(arguments: [(.refused, 1), (.busy, 2), (.unreachable, 2), (.silent, 2), (.reset, 2)] as [(Network, Int)])
    private func `events are taken where no socket comes through`(_ network: Network, _ patience: Int) async {
        let (socket, events) = (Transport(network), Transport(.open))
        let transport = FallbackTransport(socket, else: events, clock: clock)
        for _ in 0..<patience { await use(transport) }
        // Of one that opens, it shows only later that nothing comes.
        if events.attempts.read({ $0 }) == 0 { await use(transport) }
        #expect(socket.attempts.read { $0 } == patience)
        #expect(events.attempts.read { $0 } == 1)
        // They are kept to, and the socket is tried again later.
        for _ in 0..<3 { await use(transport) }
        #expect(events.attempts.read { $0 } == 4)
        clock.advance(by: .minutes(10))
        socket.network.update { $0 = .open }
        for _ in 0..<3 { await use(transport) }
        #expect(socket.attempts.read { $0 } == patience + 3)
        #expect(events.attempts.read { $0 } == 4)
    }

    @Test(arguments: [.busy, .unreachable, .silent, .reset] as [Network])
    private func `one bad moment takes nobody off the socket`(_ network: Network) async {
        let (socket, events) = (Transport(network), Transport(.open))
        let transport = FallbackTransport(socket, else: events, clock: clock)
        for _ in 0..<5 {
            socket.network.update { $0 = network }
            await use(transport)
            socket.network.update { $0 = .open }
            await use(transport)
        }
        #expect(socket.attempts.read { $0 } == 10 && events.attempts.read { $0 } == 0)
    }

    @Test func `a socket that is closed before it was asked says nothing of the network`() async {
        let (socket, events) = (Transport(.silent), Transport(.open))
        let transport = FallbackTransport(socket, else: events, clock: clock)
        for _ in 0..<5 { await use(transport, asks: false) }
        #expect(socket.attempts.read { $0 } == 5 && events.attempts.read { $0 } == 0)
    }

    @Test(arguments: [.refused, .unreachable, .silent, .reset] as [Network])
    private func `where events do not come either, the socket is tried again`(_ network: Network) async {
        let (socket, events) = (Transport(.refused), Transport(network))
        let transport = FallbackTransport(socket, else: events, clock: clock)
        for _ in 0..<2 { await use(transport) }
        #expect(socket.attempts.read { $0 } == 2 && events.attempts.read { $0 } == 2)
    }
}
