package import AppFoundation
package import Foundation
package import MediaLoader
package import PaginatorCore
import PaginatorLists

/// The composition root of the feed: creates everything for the signed-in user, and closes it at log-out.
package final class FeedApp: Sendable {
    package let session: AppSession
    package let user: AppSession.User
    package let environment: AppEnvironment
    package let api: FeedAPI
    package let database: AppDatabase
    package let metadata: MetadataStore
    package let drafts: DraftStore
    package let posts: PostsRepository
    package let interactions: InteractionsRepository
    package let profiles: UserProfiles
    package let media: MediaLoader
    /// The backend's configuration when the app was opened; changes apply from the next start.
    package let config: FeedConfig
    package let flags: FeatureFlags
    let log: AppLog?
    private let logging: (any AnyObject & Sendable)?
    private let connection: Guarded<ConnectionWatch?>
    private let configRefresh: ConfigRefresh
    /// Whether an earlier run left a feed on disk.
    package let startsWithFeed: Bool

    private init(
        session: AppSession, user: AppSession.User, environment: AppEnvironment, api: FeedAPI, database: AppDatabase,
        posts: PostsRepository, interactions: InteractionsRepository, config: FeedConfig,
        log: AppLog?, logging: (any AnyObject & Sendable)?, connection: ConnectionWatch?, media: MediaLoader,
        startsWithFeed: Bool
    ) {
        self.user = user
        self.startsWithFeed = startsWithFeed
        self.media = media
        self.connection = Guarded(connection)
        self.log = log
        self.logging = logging
        self.session = session
        self.environment = environment
        self.api = api
        self.database = database
        self.posts = posts
        self.interactions = interactions
        self.config = config
        flags = FeatureFlags(config, user: user.id)
        metadata = MetadataStore(database)
        configRefresh = ConfigRefresh(api, metadata, environment)
        drafts = DraftStore(database)
        profiles = UserProfiles(api: api, metadata: metadata, log: log, own: Int64(user.id) ?? 0)
    }

    /// Signs in at the backend, and opens the user's feed.
    @concurrent
    package static func signIn(
        _ name: String, at baseURL: URL, root: URL, environment: AppEnvironment = AppEnvironment(),
        options: FeedOptions = FeedOptions()
    ) async throws -> FeedApp {
        let session = try await AppSession.open(root)
        try await session.signIn(name, at: baseURL)
        guard let user = session.user else { throw FeedAppError.notSignedIn }
        return try await open(
            session, of: user, at: baseURL, environment: environment, options: options, asksForConfig: true)
    }

    /// Opens the feed of the user who has been signed in since an earlier run; `nil` if there is none. It needs no
    /// connection.
    @concurrent
    package static func open(
        root: URL, at baseURL: URL, environment: AppEnvironment = AppEnvironment(),
        options: FeedOptions = FeedOptions()
    ) async throws -> FeedApp? {
        try await open(try await AppSession.open(root), at: baseURL, environment: environment, options: options)
    }

    /// Opens the feed of a session's user, with or without the chat of the same session; `nil` if there is no user. It
    /// needs no connection, and waits for none.
    ///
    /// If the server refuses the token, the session is signed out: the screens show it, and pending operations are kept
    /// until the same user signs in again (``AppSession/signInAgain(at:)``).
    @concurrent
    package static func open(
        _ session: AppSession, at baseURL: URL, environment: AppEnvironment = AppEnvironment(),
        options: FeedOptions = FeedOptions()
    ) async throws -> FeedApp? {
        guard let user = session.user else { return nil }
        return try await open(session, of: user, at: baseURL, environment: environment, options: options)
    }

    private static func open(
        _ session: AppSession, of user: AppSession.User, at baseURL: URL, environment: AppEnvironment,
        options: FeedOptions, asksForConfig: Bool = false
    ) async throws -> FeedApp {
        let folder = session.folder(of: user)
        let database = try await AppDatabase.open(folder.appending(path: "app.sqlite"), FeedSchema.migrations)
        let token: @Sendable () -> String? = { session.token(of: user) }
        let tokenRefused: @Sendable (String) async -> Void = { await session.refuse($0) }
        let api = FeedAPI(
            APIClient(
                baseURL: baseURL, unreachable: { environment.doubtConnection() }, tokenRefused: tokenRefused,
                token: token
            ))
        let metadata = MetadataStore(database)
        let config = try await config(api, metadata, isFirstAskedFor: asksForConfig)
        let author = Author(id: Int64(user.id) ?? 0, name: user.name, imagePath: user.imagePath ?? "")
        let posts = try PostsRepository(
            PostsRepository.Parts(
                database: database, api: api, baseURL: baseURL, folder: folder, author: author, config: config,
                flags: FeatureFlags(config, user: user.id),
                environment: environment, token: token, tokenRefused: tokenRefused, options: options))
        await options.log.attempt("not all left-over files of posts were removed") {
            try await PostRequestTable.removeUnnamedFiles(database, folder: folder)
        }
        let interactions = InteractionsRepository(
            posts, databaseID: try await metadata.databaseID(), user: user.id, folder: folder, config: config,
            comments: api.makeComments(environment, observer: options.log?.observer("comments")),
            environment: environment, isSignedIn: session.isSignedIn(user),
            options: options)
        interactions.outbox.follow(session, of: user)
        posts.follow(session, of: user)
        try await interactions.showWaitingPosts()
        var limits = MediaLoader.Limits()
        limits.disk = CacheBudget(config).media
        limits.lifetime = config.cache.timeToLive
        let logging = options.log.map { log in
            environment.observeState { log(.network, .info, "link \($0.link), \($0.lifecycle)") }
        }
        return FeedApp(
            session: session, user: user, environment: environment, api: api, database: database, posts: posts,
            interactions: interactions, config: config,
            log: options.log, logging: logging,
            connection: options.watchesConnection ? ConnectionWatch(environment) { await api.isReached() } : nil,
            media: try await MediaLoader.open(
                folder, api: api.client, environment: environment, limits: limits,
                observer: options.log?.observer("media")),
            startsWithFeed: try await metadata.value(FeedMetadata.self, named: "feed") != nil)
    }

    /// Returns the last configuration of the backend. At a first sign-in there is nothing to show before, so this waits
    /// for the answer, but not long.
    private static func config(
        _ api: FeedAPI, _ metadata: MetadataStore, isFirstAskedFor: Bool
    ) async throws -> FeedConfig {
        if let kept = try await metadata.value(FeedConfig.self, named: "config") { return kept }
        guard isFirstAskedFor else { return FeedConfig() }
        do {
            let config = try await api.config(timeout: .seconds(5))
            try await metadata.set(config, named: "config")
            return config
        } catch is APIError {
            return FeedConfig()
        }
    }

    // MARK: - Lifecycle

    /// Handles the app leaving the screen: prefetching stops. Call ``save()`` afterwards.
    package func enterBackground() {
        environment.update { $0.lifecycle = .background }
        posts.list.setPrefetchPaused(true)
    }

    /// Writes the place in the list and unsaved data to disk.
    @concurrent
    package func save() async throws {
        try await saveListState()
        try await posts.flush()
    }

    /// Handles the app returning: pending operations are sent, and the feed is refreshed where the user reads it, or as
    /// soon as there is a connection.
    package func enterForeground() {
        environment.update { $0.lifecycle = .foreground }
        posts.list.setPrefetchPaused(false)
        interactions.outbox.changed()
        // Without a place a refresh would skip the posts on disk.
        if posts.list.status.hasLoaded { posts.list.refresh(.keepingPlace) } else { posts.list.retry() }
    }

    /// Runs a background task: sends pending operations once, and loads the beginning of the feed. Cancelling its task
    /// ends it with what was loaded until then.
    @concurrent
    package func runBackgroundTask() async throws -> (sent: OutboxDrain, feed: PrefetchSummary) {
        (await interactions.outbox.drainOnce(), try await posts.refreshInBackground())
    }

    private func saveListState() async throws {
        let bookmark = await withCheckedContinuation { continuation in
            posts.list.bookmark { continuation.resume(returning: $0) }
        }
        if let bookmark { try await metadata.set(bookmark, named: "feed.bookmark") }
    }

    /// Restores the place of the list when the app left the screen.
    ///
    /// - Returns: whether there was such a place.
    package func restoreListState() async throws -> Bool {
        guard let bookmark = try await metadata.value(PaginatorListBookmark.self, named: "feed.bookmark") else {
            return false
        }
        do {
            try posts.list.restore(bookmark)
            return true
        } catch {
            // With another page size, the list begins at its first page.
            return false
        }
    }

    /// Closes everything and keeps the data on disk, as at a regular end of the process.
    ///
    /// - Throws: the first failure; the rest is closed nevertheless.
    @concurrent
    package func close() async throws {
        connection.withLock { $0 = nil }
        await configRefresh.stop()
        await interactions.outbox.shutDown()
        interactions.comments.shutdown()
        var steps = ClosingSteps()
        await steps.run { try await posts.shutDown() }
        await steps.run { try await media.shutDown() }
        await steps.run { try await database.close() }
        try steps.finish()
    }

    /// Logs out: no data of the user is left on disk. Pending operations are lost.
    @concurrent
    package func logOut() async throws {
        // What was not written is deleted now.
        await log.attempt("not everything was closed before the log-out") { try await close() }
        try await session.signOut(through: api.client)
    }
}

/// The options of the feed app. Each variable documents its default.
package struct FeedOptions: Sendable {
    /// Whether the app detects the connection by itself, the default; if not, other code updates the environment.
    package var watchesConnection = true
    /// The observer of the feed's paginator; none by default.
    package var observer: (any PaginatorObserver)?
    /// The log; none by default.
    package var log: AppLog?
    /// Shows a system notification; called on any thread. By default there are none.
    package var notify: @Sendable (FeedNotification) -> Void = { _ in }

    package init() {}
}

/// The reason why there is no app.
package enum FeedAppError: Error {
    case notSignedIn
}
