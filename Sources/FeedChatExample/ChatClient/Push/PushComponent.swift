package import AppFoundation
import ChatWire
package import Foundation
import PaginatorCore

/// What the system shows of a message while the app is in the background.
package struct PushAlert: Sendable, Hashable {
    package var contactId: String
    package var title: String
    package var text: String
    /// All that is unread, this message included: the number on the app's icon.
    package var unreadCount: Int

    package init(contactId: String, title: String, text: String, unreadCount: Int) {
        self.contactId = contactId
        self.title = title
        self.text = text
        self.unreadCount = unreadCount
    }
}

/// Whether messages may be announced.
package enum PushConsent: Sendable, Hashable {
    case notAsked
    case granted
    /// Shown in the settings, with the way to change it.
    case refused
}

/// Push notifications: asks for consent, registers the device, and turns what comes into a sync or an alert.
package final class PushComponent: Sendable {
    private struct State {
        var consent = PushConsent.notAsked
        var connection: (any ChatConnection)?
    }

    private let service: ChatService
    private let provider: URL
    private let transport: any ChatTransport
    private let environment: AppEnvironment
    private let deviceId: String
    private let pushToken: String
    private let askForConsent: @Sendable () async -> Bool
    private let raise: @Sendable (PushAlert) -> Void
    private let openConversation: @Sendable (String) -> Void
    private let state = Guarded(State())

    /// Makes a component that does nothing until ``register()``.
    ///
    /// - Parameters:
    ///   - provider: the socket of the push service, without its query.
    ///   - deviceId: names the device; the same over the life of the installation.
    ///   - pushToken: by which the push service knows the device.
    ///   - askForConsent: asks the user.
    ///   - raise: shows an alert.
    ///   - openConversation: navigates to a contact's conversation.
    package init(
        _ service: ChatService, provider: URL, transport: any ChatTransport = WebSocketTransport(),
        environment: AppEnvironment, deviceId: String, pushToken: String,
        askForConsent: @escaping @Sendable () async -> Bool, raise: @escaping @Sendable (PushAlert) -> Void,
        openConversation: @escaping @Sendable (String) -> Void
    ) {
        self.service = service
        self.provider = provider
        self.transport = transport
        self.environment = environment
        self.deviceId = deviceId
        self.pushToken = pushToken
        self.askForConsent = askForConsent
        self.raise = raise
        self.openConversation = openConversation
    }

    package var consent: PushConsent { state.withLock { $0.consent } }

    /// Asks for consent, and registers the device if it is given.
    ///
    /// - Throws: when the backend or the push service was not reached.
    package func register() async throws {
        let isGranted = await askForConsent()
        state.withLock { $0.consent = isGranted ? .granted : .refused }
        guard isGranted else { return }
        var parts = URLComponents(url: provider, resolvingAgainstBaseURL: false)
        parts?.queryItems = [URLQueryItem(name: "token", value: pushToken)]
        guard let url = parts?.url else { throw ChatTransportError.badAddress }
        let connection = try await transport.connect(url, token: pushToken) { [weak self] input in
            guard case .text(let text) = input else { return }
            // What is no notification announces nothing.
            let notification = try? WireCoding.decoder().decode(PushNotification.self, from: Data(text.utf8))
            guard let notification else { return }
            Task { await self?.take(notification) }
        }
        state.withLock { $0.connection = connection }
        try await service.api.register(DeviceBody(deviceId: deviceId, pushToken: pushToken))
    }

    /// Removes the device, as a log-out does: nothing more is announced here.
    package func unregister() async throws {
        let connection = state.withLock { state in
            defer { state.connection = nil }
            return state.connection
        }
        connection?.close()
        guard connection != nil else { return }
        try await service.api.unregister(deviceId: deviceId)
    }

    /// The user has tapped an alert.
    package func tap(_ alert: PushAlert) {
        service.updates.syncNow()
        openConversation(alert.contactId)
    }

    private func take(_ notification: PushNotification) async {
        service.updates.syncNow()
        guard environment.state.lifecycle != .foreground else { return }
        // A count that cannot be read announces the message alone.
        let unread = try? await service.database.read { read in
            let isKnown = try read.message(notification.messageId) != nil
            return try read.unreadTotal() + (isKnown ? 0 : 1)
        }
        raise(
            PushAlert(
                contactId: notification.fromUserId, title: notification.title, text: notification.text,
                unreadCount: unread ?? 1))
    }
}
