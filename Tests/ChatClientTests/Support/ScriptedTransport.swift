import ChatClient
import Foundation
import PaginatorTesting

/// Sockets of no network: the test says which attempts fail, and drops what is open.
final class ScriptedTransport: ChatTransport {
    private struct State: Sendable {
        var attempts = 0
        var failuresAhead = 0
        var open: [Int: @Sendable (SocketInput) -> Void] = [:]
    }

    private let state = Handshake(State())

    /// How often a socket was asked for.
    var attempts: Int { state.read(\.attempts) }

    /// Lets the next attempts fail.
    func fail(next count: Int) { state.update { $0.failuresAhead = count } }

    /// Cuts every socket.
    func drop() {
        let open = state.update { state in
            defer { state.open = [:] }
            return state.open
        }
        for onInput in open.values { onInput(.closed) }
    }

    /// Lets every open socket receive a text.
    func receive(_ text: String) {
        for onInput in state.read({ Array($0.open.values) }) { onInput(.text(text)) }
    }

    func waitUntilOpen() async throws { try await state.wait { !$0.open.isEmpty } }

    func waitUntilClosed() async throws { try await state.wait { $0.open.isEmpty } }

    func connect(
        _ url: URL, token: String, onInput: @escaping @Sendable (SocketInput) -> Void
    ) async throws -> any ChatConnection {
        let id = state.update { state -> Int? in
            state.attempts += 1
            guard state.failuresAhead > 0 else {
                state.open[state.attempts] = onInput
                return state.attempts
            }
            state.failuresAhead -= 1
            return nil
        }
        guard let id else { throw ChatTransportError.refused }
        return Connection { [weak self] in self?.close(id) }
    }

    private func close(_ id: Int) { state.update { $0.open.removeValue(forKey: id) }?(.closed) }

    private final class Connection: ChatConnection {
        private let end: @Sendable () -> Void

        init(end: @escaping @Sendable () -> Void) { self.end = end }

        func send(text: String) {}
        func ping() {}
        func close() { end() }
    }
}
