package import AppFoundation
import ChatWire
import Dispatch
import Foundation
import PaginatorCore

/// The state that screens follow in addition to the database.
package struct ChatStatus: Sendable, Hashable {
    /// Whether the server's events arrive in real time.
    package var isLive = false
    /// Whether messages may be missing at the end of the conversations until the server has answered.
    package var hasGap = false
    /// The number of times that the device was up to date.
    package var catchUps = 0
    /// Whether the server refuses the user's token: nothing is sent or received until the user signs in again, and
    /// nothing is lost.
    package var isSignedOut = false
}

/// The socket and its events: requests missed events, and commits them.
///
/// ``ReconnectingSocket`` keeps the socket open and ``SyncMachine`` decides, on one serial queue; calls may be made on any
/// thread and return at once.
package final class ChatUpdates: Sendable {
    private struct State {
        var sync: SyncMachine
        var presence = PresenceTable()
        var status = ChatStatus()
        /// Whether the names of users are missing, and whether they are being requested.
        var names = (areMissing: false, areRequested: false)
        var isClosed = false
        var tasks: [Int: Task<Void, Never>] = [:]
        var lastTask = 0
        var environment: AppEnvironment?
        var observations: [any AnyObject & Sendable] = []
        var observers: [Int: @Sendable () -> Void] = [:]
        var lastObserver = 0
    }

    private let database: ChatDatabase
    private let api: any ChatAPI
    private let socket: ReconnectingSocket
    private let config: SocketConfig
    private let clock: any PaginatorClock
    private let log: AppLog?
    /// Called after each commit of events.
    private let onCommit: @Sendable () -> Void
    private let state: Guarded<State>
    private let queue: DispatchQueue
    private let timers = Guarded<[any PaginatorTimer]>([])

    /// Creates updates that do nothing until ``follow(_:)``.
    ///
    /// - Parameters:
    ///   - place: the last event in the database.
    ///   - url: the socket, `ws` or `wss`.
    ///   - token: the current token; `nil` while no user is signed in.
    init(
        _ database: ChatDatabase, place: Int64, api: any ChatAPI, transport: any ChatTransport, url: URL,
        config: SocketConfig, clock: any PaginatorClock, seed: UInt64, log: AppLog?,
        token: @escaping @Sendable () async -> String?,
        onCommit: @escaping @Sendable () -> Void
    ) {
        self.database = database
        self.api = api
        self.config = config
        self.clock = clock
        self.log = log
        self.onCommit = onCommit
        queue = DispatchQueue(label: "chat-updates")
        socket = ReconnectingSocket(
            url, transport: transport, config: config, clock: clock, seed: seed, queue: queue, token: token)
        state = Guarded(State(sync: SyncMachine(place: place, config: config, seed: seed &+ 1)))
        timers.withLock { timers in
            timers = [
                clock.makeTimer { [weak self] in self?.post { $0.sync(.time) } },
                clock.makeTimer { [weak self] in self?.post { $0.presenceChanged() } },
            ]
        }
        socket.onEvent { [weak self] in self?.take($0) }
    }

    // MARK: Calls

    /// The status of the socket.
    package var status: ChatStatus { state.withLock { $0.status } }

    /// Returns the current activity of a contact, as far as it is known.
    package func info(of contactId: String) -> ContactInfo? {
        let now = clock.now
        return state.withLock { $0.presence.info(of: contactId, at: now) }
    }

    /// Calls `handler` after each change of ``status`` or of a contact's activity.
    package func observe(_ handler: @escaping @Sendable () -> Void) -> ChatSubscription {
        let id = state.withLock { state in
            state.lastObserver += 1
            state.observers[state.lastObserver] = handler
            return state.lastObserver
        }
        return ChatSubscription { [weak self] in _ = self?.state.withLock { $0.observers.removeValue(forKey: id) } }
    }

    /// Follows the device: the socket is open while the app is in the foreground and connected, and the token is valid.
    package func follow(_ environment: AppEnvironment) {
        let observation = environment.observeState { [weak self] _ in self?.look() }
        state.withLock { state in
            state.environment = environment
            state.observations.append(observation)
        }
        look()
    }

    /// Follows a user's session.
    package func follow(_ session: AppSession, of user: AppSession.User) {
        let observation = session.observe { [weak self, weak session] in
            if let session { self?.look(at: session, of: user) }
        }
        state.withLock { $0.observations.append(observation) }
        look(at: session, of: user)
    }

    private func look() { socket.setWanted { [weak self] in self?.isSocketWanted ?? false } }

    private var isSocketWanted: Bool {
        let (environment, isSignedOut) = state.withLock { ($0.environment, $0.status.isSignedOut) }
        guard let device = environment?.state else { return false }
        return device.isOnline && device.lifecycle == .foreground && !isSignedOut
    }

    private func look(at session: AppSession, of user: AppSession.User) {
        // The session is read on the queue, so that an old state never follows a new one.
        post { updates in
            let isSignedIn = session.isSignedIn(user)
            updates.change { $0.status.isSignedOut = !isSignedIn }
            updates.sync(.signedIn(isSignedIn))
            updates.look()
        }
    }

    /// Requests waiting events, even without a socket, because of a push.
    package func syncNow() { post { $0.sync(.wanted) } }

    /// Reports that the user is typing, or has stopped; best effort.
    package func sendTyping(_ isTyping: Bool, to contactId: String) {
        // A frame that cannot be encoded is not sent.
        guard let frame = try? WireCoding.encoder().encode(TypingFrame(toUserId: contactId, isTyping: isTyping))
        else { return }
        socket.send(String(decoding: frame, as: UTF8.self))
    }

    /// Stops permanently, and returns when the database is no longer used.
    package func shutDown() async {
        await socket.end()
        let tasks = await withCheckedContinuation { continuation in
            queue.async { [self] in
                let tasks = state.withLock { state in
                    state.isClosed = true
                    state.environment = nil
                    state.observations = []
                    return Array(state.tasks.values)
                }
                continuation.resume(returning: tasks)
            }
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    // MARK: Events and actions

    private func post(_ body: @escaping @Sendable (ChatUpdates) -> Void) {
        queue.async { [weak self] in if let self { body(self) } }
    }

    /// Runs only on the queue, like everything below.
    private func sync(_ event: SyncEvent) {
        let now = clock.now
        guard let actions = state.withLock({ $0.isClosed ? nil : $0.sync.handle(event, at: now) }) else { return }
        for action in actions { perform(action) }
    }

    private func take(_ event: ReconnectingSocketEvent) {
        switch event {
        case .live:
            log?(.network, .info, "chat: connected")
            change { $0.status.isLive = true }
            sync(.opened)
        case .text(let text):
            // An invalid frame counts as lost: the next one shows the gap.
            if let event = try? WireCoding.decoder().decode(ChatEvent.self, from: Data(text.utf8)) {
                sync(.live(event))
            }
        case .lost:
            log?(.network, .info, "chat: connection lost")
            change { state in
                state.status.isLive = false
                state.presence.clear()
            }
            sync(.closed)
        case .failed(let error):
            log?(.network, .info, "chat: no connection")
            // An HTTP request gets the reason, which may be an invalid token.
            if error as? ChatTransportError == .refused { sync(.wanted) }
        }
    }

    private func perform(_ action: SyncAction) {
        switch action {
        case .fetch(let token, let place):
            run { updates in
                do {
                    let page = try await updates.api.sync(after: place, limit: updates.config.syncLimit)
                    updates.post { $0.sync(.fetched(token, page)) }
                } catch {
                    let delay = (error as? APIError)?.retryAfter
                    updates.post { $0.sync(.fetchFailed(token, statedDelay: delay)) }
                }
            }
        case .commit(let token, let events, let place):
            run { updates in
                do {
                    let hasNewUsers = try await updates.database.write { write in
                        try write.apply(events, upTo: place)
                        return write.hasNewUsers
                    }
                    updates.onCommit()
                    updates.post { updates in
                        updates.sync(.committed(token))
                        updates.requestNames(areMissing: hasNewUsers)
                    }
                } catch {
                    updates.post { $0.sync(.commitFailed(token)) }
                }
            }
            for event in events {
                if case .newMessage(let message) = event.content {
                    change { $0.presence.stopTyping(message.fromUserId) }
                }
            }
        case .show(let status): show(status)
        case .arm(let deadline): timers.withLock { $0[0] }.arm(at: deadline)
        case .gap(let hasGap): change { $0.status.hasGap = hasGap }
        case .caughtUp:
            log?(.sync, .info, "chat: caught up")
            change { $0.status.catchUps += 1 }
        }
    }

    /// Requests the contacts if a message came from a user who is not among them, one request at a time. If it fails,
    /// the next commit requests them again.
    private func requestNames(areMissing: Bool) {
        let isWanted = state.withLock { state in
            if areMissing { state.names.areMissing = true }
            guard state.names == (true, false), !state.isClosed else { return false }
            state.names = (false, true)
            return true
        }
        guard isWanted else { return }
        run { updates in
            do {
                try await ContactRefresh(database: updates.database, api: updates.api)()
                updates.post { updates in
                    updates.state.withLock { $0.names.areRequested = false }
                    // Another one may have written meanwhile.
                    updates.requestNames(areMissing: false)
                }
            } catch {
                updates.post { $0.state.withLock { $0.names = (true, false) } }
            }
        }
    }

    private func show(_ status: ContactStatus) {
        let now = clock.now
        change { $0.presence.take(status, at: now) }
        armPresence()
        guard let time = status.lastConnectedAt else { return }
        run { updates in
            // The time is reported again later, so a failed write loses nothing.
            try? await updates.database.write { try $0.noteConnection(of: status.userId, at: time) }
        }
    }

    private func presenceChanged() {
        armPresence()
        change { _ in }
    }

    private func armPresence() {
        let now = clock.now
        guard let next = state.withLock({ $0.presence.nextExpiry(after: now) }) else { return }
        timers.withLock { $0[1] }.arm(at: next)
    }

    private func change(_ body: (inout State) -> Void) {
        let observers = state.withLock { state in
            body(&state)
            return Array(state.observers.values)
        }
        for observer in observers { observer() }
    }

    private func run(_ work: @escaping @Sendable (ChatUpdates) async -> Void) {
        state.withLock { state in
            state.lastTask += 1
            let id = state.lastTask
            state.tasks[id] = Task.detached { [weak self] in
                guard let self else { return }
                await work(self)
                _ = self.state.withLock { $0.tasks.removeValue(forKey: id) }
            }
        }
    }
}
