package import AppFoundation
package import Foundation

/// The chat of whoever is signed in: session, connection and service, put together.
package final class ChatApp: Sendable {
    package let session: AppSession
    package let user: AppSession.User
    package let service: ChatService

    private init(session: AppSession, user: AppSession.User, service: ChatService) {
        self.session = session
        self.user = user
        self.service = service
    }

    /// Why nothing was opened.
    package enum OpenError: Error {
        case nobodySignedIn
        case badAddress
    }

    /// Opens the chat of the signed-in user, who is signed in first where a name is given.
    ///
    /// - Parameters:
    ///   - baseURL: the backend; the socket is `wss` where it is `https`.
    ///   - root: the app's folder.
    package static func open(
        root: URL, at baseURL: URL, signIn name: String? = nil, environment: AppEnvironment,
        config: ChatServiceConfig = ChatServiceConfig()
    ) async throws -> ChatApp {
        let session = try await AppSession.open(root)
        let api = APIClient(baseURL: baseURL) { session.token }
        if let name { try await session.signIn(name, at: baseURL) }
        guard let user = session.user else { throw OpenError.nobodySignedIn }
        var parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: false)
        parts?.scheme = baseURL.scheme == "https" ? "wss" : "ws"
        parts?.path = "/v1/socket/updates"
        guard let socketURL = parts?.url else { throw OpenError.badAddress }
        let service = try await ChatService.open(
            session.folder(of: user).appendingPathComponent("chat.sqlite"), userId: user.id, api: api,
            socketURL: socketURL, config: config, token: { session.token })
        service.follow(environment)
        return ChatApp(session: session, user: user, service: service)
    }
}
