package import AppFoundation
package import Foundation
package import MediaLoader

/// The chat of the signed-in user: session, connection and service.
package final class ChatApp: Sendable {
    package let session: AppSession
    package let user: AppSession.User
    package let service: ChatService
    /// Avatars and attachments of messages.
    package let media: ChatMedia
    /// The free space of the chat's volume.
    package let storage: StorageWatch
    private let pictures: any AnyObject & Sendable
    private let api: APIClient
    /// The chat's own loader, if the app did not pass one.
    private let ownLoader: MediaLoader?

    private init(
        session: AppSession, user: AppSession.User, service: ChatService, api: APIClient, media: ChatMedia,
        ownLoader: MediaLoader?, storage: StorageWatch
    ) {
        self.storage = storage
        // Data that can be loaded again is removed first, without asking the user.
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

    /// The reason why the chat was not opened.
    package enum OpenError: Error {
        case nobodySignedIn
        case badAddress
        /// Over the open network, messages and tokens must be encrypted.
        case insecureAddress
    }

    /// Opens the chat of the signed-in user, who is signed in first if a name is given.
    ///
    /// - Parameters:
    ///   - baseURL: the backend; see ``socketURL(of:)``.
    ///   - root: the app's folder.
    ///   - transport: by default a WebSocket, or server-sent events if it is refused.
    package static func open(
        root: URL, at baseURL: URL, signIn name: String? = nil, environment: AppEnvironment,
        transport: any ChatTransport = FallbackTransport(), config: ChatServiceConfig = ChatServiceConfig()
    ) async throws -> ChatApp {
        let session = try await AppSession.open(root)
        if let name { try await session.signIn(name, at: baseURL) }
        return try await open(session, at: baseURL, environment: environment, transport: transport, config: config)
    }

    /// Opens the chat of a session's user, with or without the feed of the same session.
    ///
    /// If the server refuses the token, the session is signed out: the screens show it, and pending operations are kept
    /// until the same user signs in again (``AppSession/signInAgain(at:)``).
    ///
    /// - Parameters:
    ///   - media: the loader that the app shares with the feed; without one the chat has its own.
    ///   - transport: by default a WebSocket, or server-sent events if it is refused.
    package static func open(
        _ session: AppSession, at baseURL: URL, environment: AppEnvironment, media: MediaLoader? = nil,
        transport: any ChatTransport = FallbackTransport(), config: ChatServiceConfig = ChatServiceConfig()
    ) async throws -> ChatApp {
        let socketURL = try socketURL(of: baseURL)
        guard let user = session.user else { throw OpenError.nobodySignedIn }
        let token: @Sendable () async -> String? = { session.token(of: user) }
        let api = APIClient(
            baseURL: baseURL, unreachable: { environment.doubtConnection() },
            tokenRefused: { await session.refuse($0) }, token: token)
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

    /// Stops permanently; pending operations are kept.
    ///
    /// - Throws: the first failure; the rest is closed nevertheless.
    package func close() async throws {
        var steps = ClosingSteps()
        await steps.run { try await service.shutDown() }
        await steps.run { try await ownLoader?.shutDown() }
        try steps.finish()
    }

    /// Returns the socket address of a backend: `wss` for `https`, and `ws` for `http`, which is accepted only on
    /// loopback.
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

    /// Logs out: notifications for the device end, its token ends, and no data of the user stays on disk. Pending
    /// operations are lost.
    ///
    /// - Parameter push: the push component of this device, if there is one.
    package func logOut(_ push: PushComponent? = nil) async throws {
        do {
            try await push?.unregister()
        } catch {
            // The end of the session also removes the device, and without a connection the server gets neither.
        }
        // What was not written is deleted now.
        await service.log.attempt("not everything was closed before the log-out") { try await close() }
        try await session.signOut(through: api)
    }
}
