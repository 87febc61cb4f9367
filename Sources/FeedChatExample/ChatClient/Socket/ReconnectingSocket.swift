package import Dispatch
package import Foundation
package import PaginatorCore

/// The events of a ``ReconnectingSocket``, in order, on the owner's queue.
package enum ReconnectingSocketEvent: Sendable {
    /// Texts arrive from now on; missed ones have to be requested.
    case live
    case text(String)
    /// No texts arrive from now on.
    case lost
    /// An attempt to open the socket failed; the next one follows automatically.
    case failed(any Error)
}

/// A socket that ``SocketMachine`` opens, pings, closes and reopens.
///
/// Everything runs on one serial queue, which may be the owner's; calls may be made on any thread and return at once.
package final class ReconnectingSocket: Sendable {
    private struct State {
        var machine: SocketMachine
        var onEvent: @Sendable (ReconnectingSocketEvent) -> Void = { _ in }
        var connections: [Int: any ChatConnection] = [:]
        /// Inputs that arrived before the socket was known to be open.
        var early: [Int: [SocketInput]] = [:]
        var attempts: [Int: Task<Void, Never>] = [:]
        var timer: (any PaginatorTimer)?
        var isEnded = false
    }

    private let url: URL
    private let token: @Sendable () async -> String?
    private let transport: any ChatTransport
    private let clock: any PaginatorClock
    private let queue: DispatchQueue
    private let state: Guarded<State>

    /// Creates a socket that is not wanted yet.
    ///
    /// - Parameters:
    ///   - url: the server, `ws` or `wss`.
    ///   - seed: the seed of the back-off's jitter.
    ///   - queue: a serial queue, on which events are delivered.
    ///   - token: the current bearer token; `nil` if there is none, which counts as a failed attempt.
    package init(
        _ url: URL, transport: any ChatTransport, config: SocketConfig, clock: any PaginatorClock, seed: UInt64,
        queue: DispatchQueue, token: @escaping @Sendable () async -> String?
    ) {
        self.url = url
        self.token = token
        self.transport = transport
        self.clock = clock
        self.queue = queue
        state = Guarded(State(machine: SocketMachine(config: config, seed: seed)))
        let timer = clock.makeTimer { [weak self] in self?.post { $0.handle(.time) } }
        state.withLock { $0.timer = timer }
    }

    /// Calls `handler` with each event from now on; only the last handler counts.
    package func onEvent(_ handler: @escaping @Sendable (ReconnectingSocketEvent) -> Void) {
        state.withLock { $0.onEvent = handler }
    }

    /// Opens the socket, or closes it.
    ///
    /// - Parameter isWanted: called on the queue, so that an older value never replaces a newer one.
    package func setWanted(_ isWanted: @escaping @Sendable () -> Bool) {
        post { $0.handle(.wanted(isWanted())) }
    }

    /// Opens the socket, or closes it.
    package func setWanted(_ isWanted: Bool) { setWanted { isWanted } }

    /// Sends a text, best effort: it is lost if the socket is not open.
    package func send(_ text: String) {
        post { socket in
            for connection in socket.state.withLock({ Array($0.connections.values) }) { connection.send(text: text) }
        }
    }

    /// Closes the socket permanently, and returns when no attempt is running.
    package func end() async {
        let attempts = await withCheckedContinuation { continuation in
            queue.async { [self] in
                handle(.wanted(false))
                let attempts = state.withLock { state in
                    state.isEnded = true
                    return Array(state.attempts.values)
                }
                continuation.resume(returning: attempts)
            }
        }
        for attempt in attempts { attempt.cancel() }
        for attempt in attempts { await attempt.value }
    }

    // MARK: Events and actions

    private func post(_ body: @escaping @Sendable (ReconnectingSocket) -> Void) {
        queue.async { [weak self] in if let self { body(self) } }
    }

    /// Runs only on the queue, like everything below.
    private func handle(_ event: SocketEvent) {
        let now = clock.now
        guard let actions = state.withLock({ $0.isEnded ? nil : $0.machine.handle(event, at: now) }) else { return }
        for action in actions { perform(action) }
    }

    private func perform(_ action: SocketAction) {
        switch action {
        case .open(let token): open(token)
        case .ping(let token): state.withLock { $0.connections[token] }?.ping()
        case .close(let token):
            let (connection, attempt) = state.withLock { state in
                state.early[token] = nil
                return (state.connections.removeValue(forKey: token), state.attempts[token])
            }
            // An unfinished attempt would be seen by contacts as a presence.
            attempt?.cancel()
            connection?.close()
        case .arm(let deadline): state.withLock { $0.timer }?.arm(at: deadline)
        case .disarm: state.withLock { $0.timer }?.disarm()
        case .live: tell(.live)
        case .lost(let token):
            _ = state.withLock { $0.connections.removeValue(forKey: token) }
            tell(.lost)
        }
    }

    private func tell(_ event: ReconnectingSocketEvent) { state.withLock { $0.onEvent }(event) }

    private func open(_ token: Int) {
        let attempt = Task.detached { [weak self] in
            guard let self else { return }
            do {
                guard let bearer = await self.token() else { throw ChatTransportError.noToken }
                let connection = try await transport.connect(url, token: bearer) { [weak self] input in
                    self?.post { $0.take(input, of: token) }
                }
                post { $0.opened(token, connection) }
            } catch {
                post { $0.failed(token, error) }
            }
        }
        state.withLock { $0.attempts[token] = attempt }
    }

    private func opened(_ token: Int, _ connection: any ChatConnection) {
        let isEnded = state.withLock { state in
            state.attempts[token] = nil
            if !state.isEnded { state.connections[token] = connection }
            return state.isEnded
        }
        guard !isEnded else { return connection.close() }
        handle(.opened(token))
        for input in state.withLock({ $0.early.removeValue(forKey: token) }) ?? [] { take(input, of: token) }
    }

    private func failed(_ token: Int, _ error: any Error) {
        let isCurrent = state.withLock { state in
            state.attempts[token] = nil
            state.early[token] = nil
            return !state.isEnded && state.machine.isOpening(token)
        }
        guard isCurrent else { return }
        handle(.failed(token))
        tell(.failed(error))
    }

    private func take(_ input: SocketInput, of token: Int) {
        let isOpen = state.withLock { state in
            if state.connections[token] != nil { return true }
            // Inputs of an abandoned socket are dropped.
            if !state.isEnded, state.machine.isOpening(token) { state.early[token, default: []].append(input) }
            return false
        }
        guard isOpen else { return }
        switch input {
        case .heartbeat: handle(.received(token))
        case .closed: handle(.closed(token))
        case .text(let text):
            handle(.received(token))
            tell(.text(text))
        }
    }
}
