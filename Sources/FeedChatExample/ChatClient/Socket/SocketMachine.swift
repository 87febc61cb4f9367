package import PaginatorCore

/// The events of a ``SocketMachine``.
package enum SocketEvent: Sendable, Hashable {
    /// Whether a socket is wanted: signed in, connected, in the foreground.
    case wanted(Bool)
    /// An attempt to open has succeeded; the token names it.
    case opened(Int)
    case failed(Int)
    /// Data arrived from the server.
    case received(Int)
    case closed(Int)
    /// The armed deadline has passed.
    case time
}

/// The actions of a ``SocketMachine``.
package enum SocketAction: Sendable, Hashable {
    case open(Int)
    case ping(Int)
    case close(Int)
    case arm(PaginatorInstant)
    case disarm
    /// Events arrive from now on; missed ones have to be requested.
    case live(Int)
    /// No events arrive from now on.
    case lost(Int)
}

/// Decides when a socket is opened, pinged, closed and reopened.
///
/// A connection without any data is half-open: the socket stays writable long after the other end has vanished. So
/// pings are sent regularly, and silence after a ping ends the connection. They are also sent while the server sends,
/// because the server has to detect a client that only listens.
package struct SocketMachine: Sendable {
    /// Each attempt has a token, and events with an old one are ignored.
    private enum Phase: Hashable {
        /// No socket is wanted.
        case idle
        /// An attempt runs.
        case opening(Int)
        /// The next ping is due at `pingAt`.
        case open(Int, pingAt: PaginatorInstant)
        /// A ping was sent and must be answered before `until`.
        case asked(Int, until: PaginatorInstant)
        /// The next attempt is due at `until`.
        case waiting(until: PaginatorInstant)
    }

    private let config: SocketConfig
    private let backoff: Backoff
    private var random: SplitMix64
    private var phase = Phase.idle
    private var failures = 0
    private var lastToken = 0
    private var actions: [SocketAction] = []

    package init(config: SocketConfig = SocketConfig(), seed: UInt64) {
        self.config = config
        backoff = Backoff(base: config.backoffBase, cap: config.backoffCap)
        random = SplitMix64(seed: seed)
    }

    /// Handles an event and returns the actions, in order.
    package mutating func handle(_ event: SocketEvent, at now: PaginatorInstant) -> [SocketAction] {
        switch event {
        case .wanted(true):
            if phase == .idle { open() }
        case .wanted(false): stop()
        case .opened(let token):
            guard phase == .opening(token) else {
                actions.append(.close(token))
                break
            }
            stayOpen(token, now)
            actions.append(.live(token))
        case .failed(let token):
            if phase == .opening(token) { wait(now) }
        case .received(let token):
            guard liveToken == token else { break }
            failures = 0
            if case .asked = phase { stayOpen(token, now) }
        case .closed(let token):
            guard liveToken == token else { break }
            actions.append(.lost(token))
            wait(now)
        case .time: time(now)
        }
        defer { actions = [] }
        return actions
    }

    /// Returns whether an attempt to open is running.
    package func isOpening(_ token: Int) -> Bool { phase == .opening(token) }

    /// Whether events arrive.
    package var isLive: Bool { liveToken != nil }

    private var liveToken: Int? {
        switch phase {
        case .open(let token, _), .asked(let token, _): token
        case .idle, .opening, .waiting: nil
        }
    }

    private mutating func open() {
        lastToken &+= 1
        phase = .opening(lastToken)
        actions.append(.open(lastToken))
    }

    private mutating func stayOpen(_ token: Int, _ now: PaginatorInstant) {
        let pingAt = now.advanced(by: config.heartbeatInterval)
        phase = .open(token, pingAt: pingAt)
        actions.append(.arm(pingAt))
    }

    private mutating func wait(_ now: PaginatorInstant) {
        failures = min(failures + 1, 62)
        let until = now.advanced(by: backoff.delay(failures: failures, statedDelay: nil, using: &random))
        phase = .waiting(until: until)
        actions.append(.arm(until))
    }

    private mutating func stop() {
        if let token = liveToken { actions += [.close(token), .lost(token)] }
        if case .opening(let token) = phase { actions.append(.close(token)) }
        if phase != .idle { actions.append(.disarm) }
        phase = .idle
        failures = 0
    }

    private mutating func time(_ now: PaginatorInstant) {
        switch phase {
        case .open(let token, let pingAt) where pingAt <= now:
            let until = now.advanced(by: config.heartbeatTimeout)
            phase = .asked(token, until: until)
            actions += [.ping(token), .arm(until)]
        case .asked(let token, let until) where until <= now:
            actions += [.close(token), .lost(token)]
            wait(now)
        case .waiting(let until) where until <= now: open()
        case .open(_, let until), .asked(_, let until), .waiting(let until): actions.append(.arm(until))
        case .idle, .opening: break
        }
    }
}
