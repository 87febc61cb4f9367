package import Foundation
package import PaginatorCore

/// A WebSocket, or server-sent events if the network blocks sockets: if a socket is refused, or twice in a row gets no
/// answer, breaks or stays silent.
package final class FallbackTransport: ChatTransport {
    private let first: any ChatTransport
    private let second: any ChatTransport
    private let clock: any PaginatorClock
    private let machine = Guarded(FallbackMachine())

    package init(
        _ first: any ChatTransport = WebSocketTransport(), else second: any ChatTransport = EventStreamTransport(),
        clock: any PaginatorClock = SystemPaginatorClock()
    ) {
        self.first = first
        self.second = second
        self.clock = clock
    }

    package func connect(
        _ url: URL, token: String, onInput: @escaping @Sendable (SocketInput) -> Void
    ) async throws -> any ChatConnection {
        let now = clock.now
        let choice = machine.withLock { $0.choice(at: now) }
        do {
            return try await connect(choice, url, token, onInput)
        } catch {
            // The end of a cancelled attempt says nothing.
            guard !Task.isCancelled, failed(choice, isRefused: error as? ChatTransportError == .refused) else {
                throw error
            }
            return try await connect(.second, url, token, onInput)
        }
    }

    private func connect(
        _ choice: FallbackMachine.Choice, _ url: URL, _ token: String,
        _ onInput: @escaping @Sendable (SocketInput) -> Void
    ) async throws -> any ChatConnection {
        let judge = Judge(machine) { [weak self] in _ = self?.failed(choice, isRefused: false) }
        do {
            let transport = choice == .first ? first : second
            let connection = try await transport.connect(url, token: token) { input in
                judge.take(input)
                onInput(input)
            }
            return JudgedConnection(connection, judge)
        } catch  where choice == .second {
            if !Task.isCancelled { _ = failed(.second, isRefused: false) }
            throw error
        }
    }

    /// - Returns: whether to try the second one at once.
    private func failed(_ choice: FallbackMachine.Choice, isRefused: Bool) -> Bool {
        let now = clock.now
        return machine.withLock { $0.failed(choice, isRefused: isRefused, at: now) }
    }

    /// Detects whether any data arrives over a connection.
    private final class Judge: Sendable {
        private let state = Guarded((isHeard: false, isAsked: false))
        private let machine: Guarded<FallbackMachine>
        private let onFailure: @Sendable () -> Void

        init(_ machine: Guarded<FallbackMachine>, onFailure: @escaping @Sendable () -> Void) {
            self.machine = machine
            self.onFailure = onFailure
        }

        func take(_ input: SocketInput) {
            let wasHeard = state.withLock { state in
                defer { state.isHeard = true }
                return state.isHeard
            }
            guard !wasHeard else { return }
            if input == .closed { onFailure() } else { machine.withLock { $0.received() } }
        }

        func pinged() { state.withLock { $0.isAsked = true } }

        /// The owner closes after a ping without an answer.
        func closed() {
            let isSilent = state.withLock { state in
                defer { state.isHeard = true }
                return state.isAsked && !state.isHeard
            }
            if isSilent { onFailure() }
        }
    }

    private final class JudgedConnection: ChatConnection {
        private let connection: any ChatConnection
        private let judge: Judge

        init(_ connection: any ChatConnection, _ judge: Judge) {
            self.connection = connection
            self.judge = judge
        }

        func send(text: String) { connection.send(text: text) }

        func ping() {
            judge.pinged()
            connection.ping()
        }

        func close() {
            judge.closed()
            connection.close()
        }
    }
}

/// Decides which of two transports is used.
struct FallbackMachine: Sendable {
    enum Choice: Sendable, Hashable {
        case first, second
    }

    /// The time that the second one is used, because the device may move to another network.
    private static var stay: Duration { .minutes(10) }

    private var failures = 0
    private var secondUntil: PaginatorInstant?

    func choice(at now: PaginatorInstant) -> Choice { secondUntil.map { now < $0 } ?? false ? .second : .first }

    /// Data has arrived over the chosen transport.
    mutating func received() { failures = 0 }

    /// Handles a connection that failed, or over which no data arrived.
    ///
    /// - Parameter isRefused: whether an answer said that further attempts will fail, too.
    /// - Returns: whether to try the second one at once.
    mutating func failed(_ choice: Choice, isRefused: Bool, at now: PaginatorInstant) -> Bool {
        guard choice == .first else {
            (secondUntil, failures) = (nil, 0)
            return false
        }
        failures += 1
        // A short outage of the server is no reason.
        guard isRefused || failures >= 2 else { return false }
        (secondUntil, failures) = (now.advanced(by: Self.stay), 0)
        return true
    }
}
