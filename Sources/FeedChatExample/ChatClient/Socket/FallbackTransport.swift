package import Foundation
package import PaginatorCore

/// A WebSocket, or server-sent events where the network lets no socket through: where it is refused, and where it is
/// answered with nothing, broken off or silent twice in a row.
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
            // Who gives up an attempt learns nothing from its end.
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

    /// - Returns: whether the second is to be tried at once.
    private func failed(_ choice: FallbackMachine.Choice, isRefused: Bool) -> Bool {
        let now = clock.now
        return machine.withLock { $0.failed(choice, isRefused: isRefused, at: now) }
    }

    /// Finds out whether anything comes over a connection.
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
            if input == .closed { onFailure() } else { machine.withLock { $0.heard() } }
        }

        func pinged() { state.withLock { $0.isAsked = true } }

        /// The owner closes: because of a silence where it had asked for a sign of life.
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

/// Decides which of two transports is taken.
struct FallbackMachine: Sendable {
    enum Choice: Sendable, Hashable {
        case first, second
    }

    /// How long the second is kept to: the device may have come to another network.
    private static var stay: Duration { .minutes(10) }

    private var failures = 0
    private var secondUntil: PaginatorInstant?

    func choice(at now: PaginatorInstant) -> Choice { secondUntil.map { now < $0 } ?? false ? .second : .first }

    /// Something came over the transport that was taken.
    mutating func heard() { failures = 0 }

    /// A connection was not made, or nothing came over it.
    ///
    /// - Parameter isRefused: whether an answer said that it would not be made the next time either.
    /// - Returns: whether the second is to be tried at once.
    mutating func failed(_ choice: Choice, isRefused: Bool, at now: PaginatorInstant) -> Bool {
        guard choice == .first else {
            (secondUntil, failures) = (nil, 0)
            return false
        }
        failures += 1
        // A server that is away for a moment is no reason.
        guard isRefused || failures >= 2 else { return false }
        (secondUntil, failures) = (now.advanced(by: Self.stay), 0)
        return true
    }
}
