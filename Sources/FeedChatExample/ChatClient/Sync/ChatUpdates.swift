package import AppFoundation
import ChatWire
import Dispatch
import Foundation
import PaginatorCore

/// What the screens follow beside the database.
package struct ChatStatus: Sendable, Hashable {
    /// Whether the server's events come as they happen.
    package var isLive = false
    /// Whether something may be missing at the end of the conversations until the server has answered.
    package var hasGap = false
    /// How often the device has had everything.
    package var catchUps = 0
    /// Whether the server does not take the user's token any more: nothing comes and nothing is sent until the user signs
    /// in again, and nothing is lost.
    package var isSignedOut = false
}

/// The one socket, and what comes through it: fetches what was missed, commits what comes.
///
/// A ``KeptSocket`` keeps the socket and a ``SyncMachine`` decides, on one serial queue; calls may come from any thread
/// and return at once.
package final class ChatUpdates: Sendable {
    private struct State {
        var sync: SyncMachine
        var presence = PresenceTable()
        var status = ChatStatus()
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
    private let socket: KeptSocket
    private let config: SocketConfig
    private let clock: any PaginatorClock
    private let log: AppLog?
    /// Called after each commit of events.
    private let onCommit: @Sendable () -> Void
    private let state: Guarded<State>
    private let queue: DispatchQueue
    private let timers = Guarded<[any PaginatorTimer]>([])

    /// Makes updates that stand still until ``follow(_:)``.
    ///
    /// - Parameters:
    ///   - place: the last event that the database has.
    ///   - url: the socket, `ws` or `wss`.
    ///   - token: the present token; `nil` while nobody is signed in.
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
        socket = KeptSocket(
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

    /// What the socket is doing.
    package var status: ChatStatus { state.withLock { $0.status } }

    /// What a contact is doing now, as far as it may be believed.
    package func info(of contactId: String) -> ContactInfo? {
        let now = clock.now
        return state.withLock { $0.presence.info(of: contactId, at: now) }
    }

    /// Calls `handler` after each change of ``status`` or of what a contact is doing.
    package func observe(_ handler: @escaping @Sendable () -> Void) -> ChatSubscription {
        let id = state.withLock { state in
            state.lastObserver += 1
            state.observers[state.lastObserver] = handler
            return state.lastObserver
        }
        return ChatSubscription { [weak self] in _ = self?.state.withLock { $0.observers.removeValue(forKey: id) } }
    }

    /// Follows the device: the socket is there while the app is in the foreground and connected, and nobody's token was
    /// refused.
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
        // The session is asked on the queue, so that an old answer never follows a new one.
        post { updates in
            let isSignedIn = session.isSignedIn(user)
            updates.change { $0.status.isSignedOut = !isSignedIn }
            updates.sync(.signedIn(isSignedIn))
            updates.look()
        }
    }

    /// Asks the server for what waits, also without a socket: a push said that there is something.
    package func syncNow() { post { $0.sync(.wanted) } }

    /// Says that the user is typing, or has stopped; best effort.
    package func sendTyping(_ isTyping: Bool, to contactId: String) {
        // A frame that cannot be written is one that is not sent.
        guard let frame = try? WireCoding.encoder().encode(TypingFrame(toUserId: contactId, isTyping: isTyping))
        else { return }
        socket.send(String(decoding: frame, as: UTF8.self))
    }

    /// Stops for good, and returns when the database is not used any more.
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

    /// Runs on the queue only, as everything below.
    private func sync(_ event: SyncEvent) {
        let now = clock.now
        guard let actions = state.withLock({ $0.isClosed ? nil : $0.sync.handle(event, at: now) }) else { return }
        for action in actions { perform(action) }
    }

    private func take(_ event: KeptSocketEvent) {
        switch event {
        case .live:
            log?(.network, .info, "chat: connected")
            change { $0.status.isLive = true }
            sync(.opened)
        case .text(let text):
            // A frame that is no event is as good as a lost one: the next one shows the gap.
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
            // Why, the server says to who asks over HTTP: the token may be good no more.
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
                    updates.post { $0.sync(.fetchFailed(token)) }
                }
            }
        case .commit(let token, let events, let place):
            run { updates in
                do {
                    try await updates.database.write { try $0.apply(events, upTo: place) }
                    updates.onCommit()
                    updates.post { $0.sync(.committed(token)) }
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

    private func show(_ status: ContactStatus) {
        let now = clock.now
        change { $0.presence.take(status, at: now) }
        armPresence()
        guard let time = status.lastConnectedAt else { return }
        run { updates in
            // When somebody was last seen is told again; a write that fails loses nothing.
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
