import AppFoundation
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

    /// What a repository is made of.
    struct Parts: Sendable {
        let database: AppDatabase
        let api: FeedAPI
        let baseURL: URL
        let folder: URL
        let author: Author
        let config: FeedConfig
        let environment: AppEnvironment
        let token: @Sendable () -> String?
        let tokenRefused: @Sendable (String) async -> Void
        var observer: (any PaginatorObserver)?
    }

    init(_ parts: Parts) throws {
        database = parts.database
        api = parts.api
        author = parts.author
        metadata = MetadataStore(parts.database)
        pageSize = min(max(parts.config.pageSize, 5), 100)
        let index = SearchIndex(database: parts.database)
        self.index = index
        let source = PostSource(
            baseURL: parts.baseURL, token: parts.token, tokenRefused: parts.tokenRefused
        ) { posts in
            Task {
                // A post that is not indexed is not found; it is indexed when it comes again.
                try? await index.add(posts)
            }
        }
        feedStart = source.firstKey
        let strategy = Self.evictionStrategy(parts.config.cache)
        let store: any PaginatorStore<Post> =
            if parts.config.keepsFeedNormalized {
                try NormalizedPostStore(path: parts.folder.appending(path: "feed-normalized.sqlite").path)
            } else {
                try SQLitePageStore<Post>(
                    path: parts.folder.appending(path: "feed.sqlite").path, namespace: "feed",
                    evictionStrategy: strategy)
            }
        var config = PaginatorConfig()
        config.connectivity = parts.environment
        config.maxAttempts = 2
        config.observer = parts.observer
        feed = CallbackPaginator(dataSource: source, store: store, config: config)
        config.observer = nil
        profiles = CallbackPaginator(
            dataSource: source,
            store: try SQLitePageStore<Post>(
                path: parts.folder.appending(path: "profiles.sqlite").path, namespace: "profiles",
                evictionStrategy: strategy), config: config)
        let api = parts.api
        let details = AsyncDataSource<PostDetail>(
            firstKey: "0",
            errorRule: { error in
                guard let error = error as? APIError else { return .retry(error) }
                return error.isOfMissingPost ? .fatal(error) : SourceError(error)
            },
            load: { request in
                let post = try await api.detail(Int64(request.key) ?? 0)
                return PaginatorPage(content: [post], key: request.key)
            })
        self.details = CallbackPaginator(
            dataSource: details,
            store: try SQLitePageStore<PostDetail>(
                path: parts.folder.appending(path: "feed.sqlite").path, namespace: "details",
                evictionStrategy: strategy), config: config)
        var listConfig = PaginatorListConfig()
        listConfig.pageSize = pageSize
        list = PaginatorList(feed, config: listConfig)
        pending = PendingObservation(parts.database)
        events = .postEvents(baseURL: parts.baseURL, token: parts.token)
        joinChanges()
    }

    private static func evictionStrategy(_ cache: FeedConfig.Cache) -> EvictionStrategy {
        EvictionStrategy.lru(maxBytes: cache.acceptedMaxBytes)
            .and(.timeToLive(.days(min(max(cache.timeToLiveDays, 1), 365))))
            .keepingAtLeast(items: min(max(cache.minimumPosts, 0), 10_000))
    }

    private func joinChanges() {
        changes.join(list.edits) { change in (change.postID, { change.apply(to: $0) }) }
        changes.join(profiles.edits(id: { $0.id })) { change in (change.postID, { change.apply(to: $0) }) }
        changes.join(details.edits(id: { $0.id })) { change in (change.postID, { change.apply(to: $0) }) }
    }

    /// Everything that lies over the server's values now.
    package var pendingInteractions: PendingInteractions { pending.latest.interactions }

    /// The posts that the server has not taken yet.
    package var postRequests: [PostRequest] { pending.latest.posts }

    /// Calls `handler` on the main actor when what is pending has changed, until the observation is released.
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
        return PaginatorList(details, config: config)
    }

    /// Shows what happens to posts on the server by itself, until the repository is shut down; new posts are counted, and come
    /// when the user asks for them.
    package func followServer() {
        feed.follow(events) { [changes] in changes.send($0) }
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
        try await feed.shutdown()
        try await profiles.shutdown()
        try await details.shutdown()
    }

    // MARK: - Changes of a post by its author

    /// Changes a post; everybody who shows it shows the new text.
    ///
    /// - Throws: ``APIError``, with status 409 when somebody changed the post meanwhile.
    func edit(_ id: Int64, content: String, baseVersion: Int) async throws -> PostDetail {
        let detail = try await api.edit(id, content: content, baseVersion: baseVersion)
        changes.send(PostChange(postID: id, kind: .edited(detail, summary: RichText(html: detail.content).summary())))
        return detail
    }

    func delete(_ id: Int64) async throws {
        do {
            try await api.delete(id)
        } catch {
            // Somebody was faster.
            guard error.isOfMissingPost else { throw error }
        }
        try await postIsGone(id)
    }

    /// Forgets a post that the server does not have any more: everywhere, with what waited for it.
    func postIsGone(_ id: Int64) async throws {
        changes.send(PostChange(postID: id, kind: .deleted))
        try await database.write { db in
            try InteractionTable.cancelAll(on: id, db)
            try CommentTable.cancelAll(on: id, db)
        }
        try await details.clearAndWait(key: "\(id)")
        try await index.remove(id)
    }

    // MARK: - Finding

    /// Finds posts: those that were seen, and what the server finds when it can be asked.
    package func search(_ text: String) async throws -> (hits: [SearchHit], isComplete: Bool) {
        let local = try await index.search(text)
        do {
            let found = try await api.search(text)
            try await index.add(found)
            let remote = found.map { SearchHit(id: $0.id, summary: $0.summary, authorName: $0.author.name) }
            let known = Set(remote.map(\.id))
            return ((remote + local.filter { !known.contains($0.id) }).sorted { $0.id > $1.id }, true)
        } catch is APIError {
            return (local, false)
        }
    }
}
