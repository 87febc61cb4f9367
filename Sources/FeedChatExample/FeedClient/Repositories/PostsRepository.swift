package import AppFoundation
import Foundation
import GRDB
import PaginatorAsync
package import PaginatorCore
import PaginatorHTTP
package import PaginatorLists
import PaginatorSQLiteStore
import RichText

/// The posts: their pages in page stores, and the user's actions on them in the outbox, as one source for all screens.
///
/// Data flows one way: from the backend into the stores, from the stores into the lists of screens. Pending actions are
/// applied over it as ``PendingInteractions``; they are read from the outbox's rows and never written into a page.
package final class PostsRepository: Sendable {
    package typealias List = PaginatorList<Post, Int64>

    /// The feed; `list` shows it.
    package let feed: CallbackPaginator<Post>
    package let list: List
    /// The posts of users, with the user's id as scope, in a separate file.
    package let profiles: CallbackPaginator<Post>
    /// Single posts, one per page, with the id as key.
    package let details: CallbackPaginator<PostDetail>
    /// The search results, with the text as scope; they are not stored on disk.
    package let search: CallbackPaginator<SearchHit>
    /// The changes of posts, for all lists and screens.
    package let changes = ConsistencyGroup<PostChange>()
    package let pageSize: Int

    /// The key of the feed's first page.
    let feedStart: String
    let api: FeedAPI
    let database: AppDatabase
    let metadata: MetadataStore
    let index: SearchIndex
    private let indexUpdates: SearchIndexUpdates
    let author: Author
    private let pending: PendingObservation
    private let events: PushSource<PostChange>
    private let tokenRefused: @Sendable (String) async -> Void
    private let following = Guarded(Following())

    /// The state of following the server.
    private struct Following: Sendable {
        var execution: PaginatorExecution?
        var session: (any AnyObject & Sendable)?
        /// The last event that was applied.
        var lastID: String?
        /// The last token that was used.
        var token: String?
    }

    /// The parts of a repository.
    struct Parts: Sendable {
        let database: AppDatabase
        let api: FeedAPI
        let baseURL: URL
        let folder: URL
        let author: Author
        let config: FeedConfig
        let flags: FeatureFlags
        let environment: AppEnvironment
        let token: @Sendable () -> String?
        let tokenRefused: @Sendable (String) async -> Void
        let options: FeedOptions
    }

    init(_ parts: Parts) throws {
        database = parts.database
        api = parts.api
        author = parts.author
        metadata = MetadataStore(parts.database)
        pageSize = min(max(parts.config.pageSize, 5), 100)
        let budget = CacheBudget(parts.config)
        let index = SearchIndex(database: parts.database, limit: budget.indexedPosts(parts.config))
        self.index = index
        indexUpdates = SearchIndexUpdates(index, log: parts.options.log)
        let source = PostSource(
            baseURL: parts.baseURL, token: parts.token, tokenRefused: parts.tokenRefused,
            unreachable: { [environment = parts.environment] in environment.doubtConnection() }
        ) { [log = parts.options.log] posts in
            Task { await index.add(posts, loggingTo: log) }
        }
        feedStart = source.firstKey
        let cache = parts.config.cache
        let store: any PaginatorStore<Post> =
            if parts.flags.isOn("normalizedFeedStorage") {
                try NormalizedPostStore(
                    path: parts.folder.appending(path: "feed-normalized.sqlite").path,
                    // A post takes less than 1 KB.
                    maxPages: max(2, budget.feed / (pageSize * 1_000)))
            } else {
                try SQLitePageStore<Post>(
                    path: parts.folder.appending(path: "feed.sqlite").path, namespace: "feed", version: 2,
                    evictionStrategy: Self.evictionStrategy(cache, maxBytes: budget.feed))
            }
        var config = PaginatorConfig()
        config.connectivity = parts.environment
        config.maxAttempts = 2
        let log = parts.options.log
        config.observer =
            if let observer = parts.options.observer, let logger = log?.observer("feed") { observer.and(logger) } else {
                parts.options.observer ?? log?.observer("feed")
            }
        feed = CallbackPaginator(dataSource: source, store: store, config: config)
        config.observer = log?.observer("profiles")
        profiles = CallbackPaginator(
            dataSource: source,
            store: try SQLitePageStore<Post>(
                path: parts.folder.appending(path: "profiles.sqlite").path, namespace: "profiles", version: 2,
                evictionStrategy: Self.evictionStrategy(cache, maxBytes: budget.profiles)), config: config)
        let api = parts.api
        let details = AsyncDataSource<PostDetail>(
            firstKey: "0",
            errorRule: { error in
                guard let error = error as? APIError else { return .retry(error) }
                return error.isOfMissingPost ? .fatal(error) : SourceError(error)
            },
            load: { request in
                let post = try await api.detail(Int64(request.key) ?? 0)
                // Rows change all the time: a post opened later shows the cached version first, and then the current
                // one.
                return PaginatorPage(content: [post], key: request.key, expirationTime: Date(timeIntervalSinceNow: 30))
            })
        config.observer = log?.observer("details")
        self.details = CallbackPaginator(
            dataSource: details,
            store: try SQLitePageStore<PostDetail>(
                path: parts.folder.appending(path: "feed.sqlite").path, namespace: "details",
                evictionStrategy: Self.evictionStrategy(cache, maxBytes: budget.details)), config: config)
        search = api.makeSearch(index, parts.environment, log: log)
        var listConfig = PaginatorListConfig()
        listConfig.pageSize = pageSize
        list = PaginatorList(feed, config: listConfig)
        pending = PendingObservation(parts.database)
        tokenRefused = parts.tokenRefused
        events = .postEvents(baseURL: parts.baseURL) { [following, token = parts.token] in
            let token = token()
            following.withLock { $0.token = token }
            return token
        }
        joinChanges()
    }

    private static func evictionStrategy(_ cache: FeedConfig.Cache, maxBytes: Int) -> EvictionStrategy {
        EvictionStrategy.lru(maxBytes: maxBytes).and(.timeToLive(cache.timeToLive))
            .keepingAtLeast(items: min(max(cache.minimumPosts, 0), 10_000))
    }

    private func joinChanges() {
        changes.join(list.edits) { change in (change.postID, { change.apply(to: $0) }) }
        changes.join(profiles.edits(id: { $0.id })) { change in (change.postID, { change.apply(to: $0) }) }
        changes.join(details.edits(id: { $0.id })) { change in (change.postID, { change.apply(to: $0) }) }
        changes.join(search.edits(id: { $0.id })) { change in (change.postID, { change.apply(to: $0) }) }
        changes.join { [indexUpdates] in indexUpdates.take($0) }
    }

    /// Reports changes of posts, and returns when all lists have them. Then pending actions can be removed without
    /// showing a post without both.
    func show(_ changed: [PostChange]) async {
        guard let last = changed.last?.postID else { return }
        let (shown, continuation) = AsyncStream<Void>.makeStream()
        // It joins after the lists, and is called after them.
        let membership = changes.join { if $0.postID == last { continuation.finish() } }
        for change in changed { changes.send(change) }
        for await _ in shown {}
        _ = membership.cancel()
    }

    /// The pending interactions, which are applied over the server's values.
    package var pendingInteractions: PendingInteractions { pending.latest.interactions }

    /// Calls `handler` on the main actor with the pending state, and after each change, until the observation is
    /// released.
    package func observePending(
        _ handler: @escaping @MainActor @Sendable (PendingState) -> Void
    ) -> any AnyObject & Sendable {
        pending.observe(handler)
    }

    /// Creates a list of one user's posts. Cached posts show first, and then the current ones.
    package func profileList(of user: Int64) -> List {
        var config = PaginatorListConfig()
        config.pageSize = pageSize
        config.scope = "\(user)"
        config.policy = .staleWhileRevalidate
        // Nothing else tells that the user has new posts.
        profiles.invalidate(.scope(config.scope))
        return PaginatorList(profiles, config: config)
    }

    /// Creates a list of one post, which follows its changes.
    package func detailList(of post: Int64) -> PaginatorList<PostDetail, Int64> {
        var config = PaginatorListConfig()
        config.pageSize = 1
        config.initialKey = "\(post)"
        config.prefetchDistance = 0
        config.policy = .staleWhileRevalidate
        return PaginatorList(details, config: config)
    }

    /// Prefetches single posts that may be opened next.
    package func prefetchDetails(_ posts: [Int64]) {
        details.prefetch(keys: posts.map { "\($0)" }, pageSize: 1)
    }

    /// Follows the events of posts on the server, until the repository is shut down or the server refuses the token.
    /// New posts are counted, and loaded when the user asks for them. A second call continues after the last event, and
    /// so does a sign-in.
    package func followServer() {
        _ = following.withLock { $0.execution }?.cancel()
        let execution = feed.follow(
            events, from: following.withLock { $0.lastID },
            onApplied: { [following] id in following.withLock { $0.lastID = id } },
            onEnd: { [following, tokenRefused] error in
                guard (error?.underlying as? HTTPSourceError)?.code == .unauthorized else { return }
                guard let token = following.withLock({ $0.token }) else { return }
                Task { await tokenRefused(token) }
            }
        ) { [changes] in changes.send($0) }
        following.withLock { $0.execution = execution }
    }

    /// Follows the server again after each sign-in of a user, if it was followed before.
    func follow(_ session: AppSession, of user: AppSession.User) {
        let observation = session.observe { [weak self, weak session] in
            guard let self, session?.isSignedIn(user) == true else { return }
            if following.withLock({ $0.execution != nil }) { followServer() }
        }
        following.withLock { $0.session = observation }
    }

    /// Loads the counted new posts above the others.
    package func loadNew() { list.refresh(.firstPage) }

    /// Refreshes the feed; cached posts stay until new ones arrive, or if the refresh fails.
    package func refresh() {
        feed.invalidate(.all)
        list.refresh()
    }

    /// Refreshes the beginning of the feed in the background, and writes it to disk. It takes at most 25 seconds, and
    /// ends early with its task.
    package func refreshInBackground(pages: Int = 3) async throws -> PrefetchSummary {
        feed.invalidate(.all)
        var request = PrefetchRequest(from: feedStart, pages: pages, pageSize: pageSize)
        request.allows = [.background, .weakLink]
        request.timeout = .seconds(25)
        let summary = await feed.prefetch(request)
        try await feed.flush()
        return summary
    }

    /// Waits until all data is written to disk.
    package func flush() async throws {
        try await feed.flush()
        try await profiles.flush()
        try await details.flush()
    }

    func shutDown() async throws {
        pending.stop()
        let session = following.withLock { following in
            defer { following.session = nil }
            return following.session
        }
        // Ended without the lock.
        withExtendedLifetime(session) {}
        await indexUpdates.stop()
        var steps = ClosingSteps()
        await steps.run { try await search.shutdownAndWait() }
        await steps.run { try await feed.shutdownAndWait() }
        await steps.run { try await profiles.shutdownAndWait() }
        await steps.run { try await details.shutdownAndWait() }
        try steps.finish()
    }

    // MARK: - Changes of a post by its author

    /// Changes a post in all lists and screens.
    ///
    /// - Throws: ``APIError``, with status 409 if the post has changed meanwhile.
    package func edit(_ id: Int64, content: String, baseVersion: Int) async throws(APIError) -> PostDetail {
        let detail = try await api.edit(id, content: content, baseVersion: baseVersion)
        changes.send(PostChange(postID: id, kind: .edited(detail, summary: RichText(html: detail.content).summary())))
        return detail
    }

    package func delete(_ id: Int64) async throws {
        do {
            try await api.delete(id)
        } catch {
            // Another device has deleted it before.
            guard error.isOfMissingPost else { throw error }
        }
        try await postIsGone(id)
    }

    /// Removes a post that the server no longer has from all lists and screens, with its pending operations.
    package func postIsGone(_ id: Int64) async throws {
        // The server never had a waiting post under its id, so that stays.
        if id > 0 { changes.send(PostChange(postID: id, kind: .deleted)) }
        try await database.write { db in
            try InteractionTable.cancelAll(on: id, db)
            try CommentTable.cancelAll(on: id, db)
        }
        try await details.clearAndWait(key: "\(id)")
        try await index.remove(id)
    }

    package func detail(_ post: Int64) async throws(APIError) -> PostDetail { try await api.detail(post) }

    // MARK: - Scheduled posts

    package func scheduled() async throws(APIError) -> [ScheduledPost] { try await api.scheduled() }

    package func cancelScheduled(_ post: Int64) async throws(APIError) { try await api.cancelScheduled(post) }

    // MARK: - Search

    /// Finds posts among the seen ones.
    package func findSeen(_ text: String) async throws -> [SearchHit] { try await index.search(text) }
}
