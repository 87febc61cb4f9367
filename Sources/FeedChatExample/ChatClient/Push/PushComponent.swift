package import AppFoundation
import ChatWire
import Dispatch
package import Foundation
package import PaginatorCore

/// The system's alert of a message while the app is in the background.
package struct PushAlert: Sendable, Hashable {
    package var contactId: String
    package var title: String
    package var text: String
    /// The number of unread messages, this one included, for the app's icon.
    package var unreadCount: Int

    package init(contactId: String, title: String, text: String, unreadCount: Int) {
        self.contactId = contactId
        self.title = title
        self.text = text
        self.unreadCount = unreadCount
    }
}

/// The user's consent to notifications.
package enum PushConsent: Sendable, Hashable {
    case notAsked
    case granted
    /// Shown in the settings, with the way to change it.
    case refused
}

/// Push notifications: asks for consent, registers the device, keeps the socket of the push service open, and converts
/// its notifications to a sync or an alert.
package final class PushComponent: Sendable {
    private struct State {
        var consent = PushConsent.notAsked
        var isRegistered = false
        var isLive = false
        /// The waiters for the first attempt to open the socket.
        var openers: [CheckedContinuation<Void, any Error>] = []
        /// Whether the server may have removed the device, as with a session that ends.
        var isForgotten = false
        var isRenewing = false
        var environment: (any AnyObject & Sendable)?
        var status: ChatSubscription?
        /// The messages that were announced in the background and may not be in the database yet.
        var announced: Set<Int64> = []
        var announcing: Task<Void, Never>?
    }

    private let service: ChatService
    private let socket: ReconnectingSocket
    private let environment: AppEnvironment
    private let deviceId: String
    private let pushToken: String
    private let askForConsent: @Sendable () async -> Bool
    private let raise: @Sendable (PushAlert) -> Void
    private let openConversation: @Sendable (String) -> Void
    private let state = Guarded(State())

    /// Creates a component that does nothing until ``register()``.
    ///
    /// - Parameters:
    ///   - provider: the socket of the push service, without its query.
    ///   - config: the configuration of that socket.
    ///   - clock: the clock of its back-off and its heartbeats.
    ///   - seed: the seed of its jitter; one of the system's by default.
    ///   - deviceId: the id of the device; constant for the installation.
    ///   - pushToken: the device's token at the push service.
    ///   - askForConsent: asks the user.
    ///   - raise: shows an alert.
    ///   - openConversation: navigates to a contact's conversation.
    package init(
        _ service: ChatService, provider: URL, transport: any ChatTransport = WebSocketTransport(),
        config: SocketConfig = SocketConfig(), clock: any PaginatorClock = SystemPaginatorClock(),
        seed: UInt64 = .random(in: 0 ... .max), environment: AppEnvironment, deviceId: String, pushToken: String,
        askForConsent: @escaping @Sendable () async -> Bool, raise: @escaping @Sendable (PushAlert) -> Void,
        openConversation: @escaping @Sendable (String) -> Void
    ) {
        self.service = service
        self.environment = environment
        self.deviceId = deviceId
        self.pushToken = pushToken
        self.askForConsent = askForConsent
        self.raise = raise
        self.openConversation = openConversation
        socket = ReconnectingSocket(
            provider.appending(queryItems: [URLQueryItem(name: "token", value: pushToken)]), transport: transport,
            config: config, clock: clock, seed: seed, queue: DispatchQueue(label: "push"), token: { pushToken })
        socket.onEvent { [weak self] in self?.take($0) }
    }

    deinit { socket.setWanted(false) }

    package var consent: PushConsent { state.withLock { $0.consent } }

    /// Asks for consent, and registers the device if it is given. From then on the socket of the push service is
    /// reopened whenever it closes, also in the background, while the device is connected.
    ///
    /// - Throws: an error if the backend or the push service was not reached; nothing is registered then.
    package func register() async throws {
        let isGranted = await askForConsent()
        state.withLock { $0.consent = isGranted ? .granted : .refused }
        guard isGranted else { return }
        do {
            try await open()
            try await service.api.register(DeviceBody(deviceId: deviceId, pushToken: pushToken))
        } catch {
            close()
            throw error
        }
        let observation = environment.observeState { [weak self] _ in self?.look() }
        let status = service.updates.observe { [weak self] in self?.registerAgain() }
        state.withLock { state in
            state.isRegistered = true
            state.environment = observation
            state.status = status
        }
        look()
    }

    /// Unregisters the device, as at a log-out, which ends its notifications.
    package func unregister() async throws {
        guard close() else { return }
        try await service.api.unregister(deviceId: deviceId)
    }

    /// Registers the device again after the user has signed in again; if that fails, at the next change of the
    /// connection.
    private func registerAgain() {
        let isSignedOut = service.updates.status.isSignedOut
        let isDue = state.withLock { state in
            if isSignedOut { state.isForgotten = state.isRegistered }
            guard !isSignedOut, state.isForgotten, !state.isRenewing else { return false }
            (state.isRenewing, state.isForgotten) = (true, false)
            return true
        }
        guard isDue else { return }
        let device = DeviceBody(deviceId: deviceId, pushToken: pushToken)
        Task { [weak self, api = service.api] in
            do {
                try await api.register(device)
                self?.state.withLock { $0.isRenewing = false }
                // The user may have signed out and in again meanwhile.
                self?.registerAgain()
            } catch {
                // It stays unregistered, and the next change of the connection tries again.
                self?.state.withLock { state in
                    (state.isRenewing, state.isForgotten) = (false, state.isRegistered)
                }
            }
        }
    }

    private func open() async throws {
        try await withCheckedThrowingContinuation { continuation in
            state.withLock { $0.openers.append(continuation) }
            // On the socket's queue, after its events of an earlier close.
            socket.setWanted { [weak self] in
                guard let self else { return false }
                if state.withLock({ $0.isLive }) { settle(.success(())) }
                return true
            }
        }
    }

    /// Closes the socket.
    ///
    /// - Returns: whether the device was registered.
    @discardableResult
    private func close() -> Bool {
        let wasRegistered = state.withLock { state in
            state.environment = nil
            state.status = nil
            state.isForgotten = false
            defer { state.isRegistered = false }
            return state.isRegistered
        }
        socket.setWanted(false)
        settle(.failure(CancellationError()))
        return wasRegistered
    }

    private func look() {
        if environment.state.lifecycle == .foreground { state.withLock { $0.announced = [] } }
        socket.setWanted { [weak self] in
            guard let self else { return false }
            return environment.state.isOnline && state.withLock { $0.isRegistered }
        }
    }

    private func settle(_ result: Result<Void, any Error>) {
        let openers = state.withLock { state in
            defer { state.openers = [] }
            return state.openers
        }
        for opener in openers { opener.resume(with: result) }
    }

    private func take(_ event: ReconnectingSocketEvent) {
        switch event {
        case .live:
            let isAgain = state.withLock { state in
                state.isLive = true
                return state.isRegistered
            }
            settle(.success(()))
            // Notifications in between were dropped.
            if isAgain { service.updates.syncNow() }
        case .lost: state.withLock { $0.isLive = false }
        case .failed(let error): settle(.failure(error))
        case .text(let text):
            // Anything but a notification is ignored.
            let notification = try? WireCoding.decoder().decode(PushNotification.self, from: Data(text.utf8))
            guard let notification else { return }
            service.updates.syncNow()
            // One after the other, so that the last alert has the last number.
            state.withLock { state in
                state.announcing = Task { [weak self, earlier = state.announcing] in
                    await earlier?.value
                    await self?.announce(notification)
                }
            }
        }
    }

    /// Handles a tap on an alert.
    package func tap(_ alert: PushAlert) {
        service.updates.syncNow()
        openConversation(alert.contactId)
    }

    private func announce(_ notification: PushNotification) async {
        // Read only now, because the user may have opened the app while the alerts before it were made.
        guard environment.state.lifecycle != .foreground else { return }
        let announced = state.withLock { state in
            state.announced.insert(notification.messageId)
            return state.announced
        }
        // If the database cannot be read, the announced messages count alone.
        let stored = try? await service.database.read { read in
            let messages = try announced.filter { try read.message($0) != nil }
            return (messages: messages, unread: try read.unreadTotal())
        }
        let unread = state.withLock { state in
            state.announced.subtract(stored?.messages ?? [])
            return (stored?.unread ?? 0) + state.announced.count
        }
        raise(
            PushAlert(
                contactId: notification.groupId ?? notification.fromUserId, title: notification.title,
                text: notification.text,
                unreadCount: unread))
    }
}
