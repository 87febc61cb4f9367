package import AppFoundation
import Foundation
import GRDB
import PaginatorAsync
package import PaginatorCore
import PaginatorHTTP
package import PaginatorLists
import PaginatorSQLiteStore
import RichText

/// The posts: pages of them in page stores, what the user did to them in the outbox, one truth for every screen.
///
/// Data flows one way: from the backend into the stores, from the stores into the lists that screens watch. What is
/// pending lies over it as ``PendingInteractions``; it is read from the outbox's rows and never written into a page.
package final class PostsRepository: Sendable {
    package typealias List = PaginatorList<Post, Int64>

    /// The feed; `list` shows it.
    package let feed: CallbackPaginator<Post>
    package let list: List
    /// The posts of users, by the user's id as scope, in a file of their own.
    package let profiles: CallbackPaginator<Post>
    /// One post to a page, by its id as key.
    package let details: CallbackPaginator<PostDetail>
    /// What searches find, by the text as scope; nothing of it is kept on disk.
    package let search: CallbackPaginator<SearchHit>
    /// Carries changes of posts to everybody who shows them.
    package let changes = ConsistencyGroup<PostChange>()
    package let pageSize: Int

    /// The key of the feed's first page.
    let feedStart: String
    let api: FeedAPI
    let database: AppDatabase
    let metadata: MetadataStore
    let index: SearchIndex
    let author: Author
    private let pending: PendingObservation
    private let events: PushSource<PostChange>
    private let tokenRefused: @Sendable (String) async -> Void
    private let following = Guarded(Following())

    /// How the server is followed.
    private struct Following: Sendable {
        var execution: PaginatorExecution?
        /// The last event that was applied.
        var lastID: String?
        /// The token that was shown last.
        var token: String?
    }

    /// What a repository is made of.
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
        let source = PostSource(
            baseURL: parts.baseURL, token: parts.token, tokenRefused: parts.tokenRefused,
            unreachable: { [environment = parts.environment] in environment.doubtConnection() }
        ) { [log = parts.options.log] posts in
            Task {
                do {
                    try await index.add(posts)
                } catch {
                    // They are shown all the same, found by the server, and indexed when they come again.
                    log?(.sync, .error, "\(posts.count) posts are not in the index of the search")
                }
            }
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
                // Rows get newer all the time: whoever opens a post later sees what is here, and then what it is.
                return PaginatorPage(content: [post], key: request.key, expirationTime: Date(timeIntervalSinceNow: 30))
            })
        config.observer = log?.observer("details")
        self.details = CallbackPaginator(
            dataSource: details,
            store: try SQLitePageStore<PostDetail>(
                path: parts.folder.appending(path: "feed.sqlite").path, namespace: "details",
                evictionStrategy: Self.evictionStrategy(cache, maxBytes: budget.details)), config: config)
        search = api.makeSearch(index, parts.environment, observer: log?.observer("search"))
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
    }

    /// Tells everybody who shows posts of changes, and returns when all lists have them: what lay over the posts until then
    /// can be taken away without anybody who sees the posts without both.
    func show(_ changed: [PostChange]) async {
        guard let last = changed.last?.postID else { return }
        let (shown, continuation) = AsyncStream<Void>.makeStream()
        // It joins behind the lists, and is told after them.
        let membership = changes.join { if $0.postID == last { continuation.finish() } }
        for change in changed { changes.send(change) }
        for await _ in shown {}
        _ = membership.cancel()
    }

    /// Everything that lies over the server's values now.
    package var pendingInteractions: PendingInteractions { pending.latest.interactions }

    /// The posts that the server has not taken yet.
    package var postRequests: [PostRequest] { pending.latest.posts }

    /// Calls `handler` on the main actor with what is pending, and after each change, until the observation is released.
    package func observePending(
        _ handler: @escaping @MainActor @Sendable (PendingState) -> Void
    ) -> any AnyObject & Sendable {
        pending.observe(handler)
    }

    /// A list of one user's posts.
    package func profileList(of user: Int64) -> List {
        var config = PaginatorListConfig()
        config.pageSize = pageSize
        config.scope = "\(user)"
        return PaginatorList(profiles, config: config)
    }

    /// A list of one post, which follows every change of it.
    package func detailList(of post: Int64) -> PaginatorList<PostDetail, Int64> {
        var config = PaginatorListConfig()
        config.pageSize = 1
        config.initialKey = "\(post)"
        config.prefetchDistance = 0
        config.policy = .staleWhileRevalidate
        return PaginatorList(details, config: config)
    }

    /// Loads single posts that may be opened next into the caches.
    package func prefetchDetails(_ posts: [Int64]) {
        details.prefetch(keys: posts.map { "\($0)" }, pageSize: 1)
    }

    /// Shows what happens to posts on the server by itself, until the repository is shut down or the server refuses the token;
    /// new posts are counted, and come when the user asks for them. Called once more, it goes on behind the last event.
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

    /// Loads the posts that were counted, above the others.
    package func loadNew() { list.refresh(.firstPage) }

    /// Loads the feed anew; what is cached stays until it has come, and if it does not come.
    package func refresh() {
        feed.invalidate(.all)
        list.refresh()
    }

    /// Loads the beginning of the feed anew in the background, and writes it to disk; it takes no longer than 25 seconds, and
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

    /// Waits until nothing is being written to disk.
    package func flush() async throws {
        try await feed.flush()
        try await profiles.flush()
        try await details.flush()
    }

    func shutDown() async throws {
        pending.stop()
        try await search.shutdown()
        try await feed.shutdown()
        try await profiles.shutdown()
        try await details.shutdown()
    }

    // MARK: - Changes of a post by its author

    /// Changes a post; everybody who shows it shows the new text.
    ///
    /// - Throws: ``APIError``, with status 409 when somebody changed the post meanwhile.
    package func edit(_ id: Int64, content: String, baseVersion: Int) async throws(APIError) -> PostDetail {
        let detail = try await api.edit(id, content: content, baseVersion: baseVersion)
        changes.send(PostChange(postID: id, kind: .edited(detail, summary: RichText(html: detail.content).summary())))
        return detail
    }

    package func delete(_ id: Int64) async throws {
        do {
            try await api.delete(id)
        } catch {
            // Somebody was faster.
            guard error.isOfMissingPost else { throw error }
        }
        try await postIsGone(id)
    }

    /// Forgets a post that the server does not have any more: everywhere, with what waited for it.
    package func postIsGone(_ id: Int64) async throws {
        changes.send(PostChange(postID: id, kind: .deleted))
        try await database.write { db in
            try InteractionTable.cancelAll(on: id, db)
            try CommentTable.cancelAll(on: id, db)
        }
        try await details.clearAndWait(key: "\(id)")
        try await index.remove(id)
    }

    package func detail(_ post: Int64) async throws(APIError) -> PostDetail { try await api.detail(post) }

    // MARK: - Posts that appear later

    package func scheduled() async throws(APIError) -> [ScheduledPost] { try await api.scheduled() }

    package func cancelScheduled(_ post: Int64) async throws(APIError) { try await api.cancelScheduled(post) }

    // MARK: - Finding

    /// Finds posts among those that were seen.
    package func findSeen(_ text: String) async throws -> [SearchHit] { try await index.search(text) }
}
