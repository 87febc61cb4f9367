package import AppFoundation
package import Foundation
package import MediaLoader

/// The chat of whoever is signed in: session, connection and service, put together.
package final class ChatApp: Sendable {
    package let session: AppSession
    package let user: AppSession.User
    package let service: ChatService
    /// Avatars and what comes with messages.
    package let media: ChatMedia
    /// The free space of the volume that the chat is on.
    package let storage: StorageWatch
    private let pictures: any AnyObject & Sendable
    private let api: APIClient
    /// The chat's own loader, where the app gave it none.
    private let ownLoader: MediaLoader?

    private init(
        session: AppSession, user: AppSession.User, service: ChatService, api: APIClient, media: ChatMedia,
        ownLoader: MediaLoader?, storage: StorageWatch
    ) {
        self.storage = storage
        // What can be had again is the first to go, and nobody has to be asked.
        let makeRoom: @Sendable (StorageLevel) -> Void = { level in
            if level == .critical { Task { await media.removeAll() } }
        }
        pictures = storage.observeLevel(makeRoom)
        makeRoom(storage.status.level)
        self.media = media
        self.ownLoader = ownLoader
        self.api = api
        self.session = session
        self.user = user
        self.service = service
    }

    /// Why nothing was opened.
    package enum OpenError: Error {
        case nobodySignedIn
        case badAddress
        /// Messages and tokens go over the open network encrypted only.
        case insecureAddress
    }

    /// Opens the chat of the signed-in user, who is signed in first where a name is given.
    ///
    /// - Parameters:
    ///   - baseURL: the backend; see ``socketURL(of:)``.
    ///   - root: the app's folder.
    ///   - transport: a WebSocket, and server-sent events where that is refused, by default.
    package static func open(
        root: URL, at baseURL: URL, signIn name: String? = nil, environment: AppEnvironment,
        transport: any ChatTransport = FallbackTransport(), config: ChatServiceConfig = ChatServiceConfig()
    ) async throws -> ChatApp {
        let session = try await AppSession.open(root)
        if let name { try await session.signIn(name, at: baseURL) }
        return try await open(session, at: baseURL, environment: environment, transport: transport, config: config)
    }

    /// Opens the chat of a session's user, with the feed of the same session or without.
    ///
    /// Where the server refuses the token, the session is signed out: the screens say so, and what waits is kept for the
    /// next sign-in (``AppSession/signInAgain(at:)``) of the same user.
    ///
    /// - Parameters:
    ///   - media: the app's loader, which the feed has too; without one the chat has its own.
    ///   - transport: a WebSocket, and server-sent events where that is refused, by default.
    package static func open(
        _ session: AppSession, at baseURL: URL, environment: AppEnvironment, media: MediaLoader? = nil,
        transport: any ChatTransport = FallbackTransport(), config: ChatServiceConfig = ChatServiceConfig()
    ) async throws -> ChatApp {
        let socketURL = try socketURL(of: baseURL)
        guard let user = session.user else { throw OpenError.nobodySignedIn }
        let token: @Sendable () async -> String? = { session.token(of: user) }
        let api = APIClient(baseURL: baseURL, tokenRefused: { await session.refuse($0) }, token: token)
        let service = try await ChatService.open(
            session.folder(of: user).appendingPathComponent("chat.sqlite"), userId: user.id, api: api,
            socketURL: socketURL, transport: transport, config: config, token: token)
        service.follow(session, of: user)
        service.follow(environment)
        let folder = session.folder(of: user)
        let loader =
            if let media { media } else {
                try await MediaLoader.open(session.folder(of: user), api: api, environment: environment)
            }
        return ChatApp(
            session: session, user: user, service: service, api: api, media: ChatMedia(loader),
            ownLoader: media == nil ? loader : nil,
            storage: StorageWatch(environment, clock: config.clock) { StorageWatch.freeBytes(at: folder) })
    }

    /// Stops for good; what waits is kept.
    package func close() async throws {
        try await service.shutDown()
        try await ownLoader?.shutDown()
    }

    /// Where the socket of a backend is: `wss` where the backend is `https`, and `ws` where it is `http`, which is taken on
    /// loopback only.
    package static func socketURL(of baseURL: URL) throws -> URL {
        guard var parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: true), let host = parts.host else {
            throw OpenError.badAddress
        }
        switch parts.scheme?.lowercased() {
        case "https": parts.scheme = "wss"
        case "http":
            guard ["127.0.0.1", "localhost", "::1", "[::1]"].contains(host.lowercased()) else {
                throw OpenError.insecureAddress
            }
            parts.scheme = "ws"
        default: throw OpenError.badAddress
        }
        parts.path = "/v1/socket/updates"
        guard let url = parts.url else { throw OpenError.badAddress }
        return url
    }

    /// Logs out: the device is announced nothing any more, its token ends, and nothing of the user is left on disk. What
    /// waits to be sent is gone with it.
    ///
    /// - Parameter push: what announces messages on this device, where something does.
    package func logOut(_ push: PushComponent? = nil) async throws {
        do {
            try await push?.unregister()
        } catch {
            // The end of the session removes the device as well, and without a connection neither is told.
        }
        try await close()
        try await session.signOut(through: api)
    }
}
