import AppFoundation
import Foundation
import MediaLoader
import PaginatorCore
import PaginatorLists
import Testing

@testable import FeedClient

/// The feed's screen over doubles of everything below it: no backend, no file.
@MainActor @Suite(.timeLimit(.minutes(1))) struct FeedScreenTests {
    /// Posts in memory.
    private final class Posts: FeedRepository {
        let list: PaginatorList<Post, Int64>
        let search: CallbackPaginator<SearchHit>
        let calls = Guarded<[String]>([])
        let pending = Observed(PendingState(), label: "pending")
        let isBroken = Guarded(false)

        init(count: Int, _ environment: AppEnvironment) {
            let author = Author(id: 1, name: "Ada", imagePath: "")
            let posts = (0..<count).map { number in
                Post(
                    id: Int64(count - number), summary: "Post \(number)", author: author, createdAt: Date(),
                    isLiked: false,
                    likeCount: 0, commentCount: 0, attachmentCount: 0, previewImagePath: nil)
            }
            let isBroken = isBroken
            let source = ClosureDataSource<Post>(firstKey: "0") { request, completion in
                let start = Int(request.key) ?? 0
                let end = min(start + request.pageSize, posts.count)
                if isBroken.withLock({ $0 }) {
                    completion(.failure(.fatal(APIError(.unreachable))))
                } else {
                    completion(
                        .success(
                            PaginatorPage(
                                content: Array(posts[start..<end]), key: request.key,
                                nextKey: end < posts.count ? "\(end)" : nil)))
                }
                return SourceCancellation {}
            }
            var config = PaginatorConfig()
            config.connectivity = environment
            list = PaginatorList(CallbackPaginator(dataSource: source, config: config))
            search = CallbackPaginator(
                dataSource: ClosureDataSource<SearchHit>(firstKey: "0") { request, completion in
                    completion(.success(PaginatorPage(content: [], key: request.key)))
                    return SourceCancellation {}
                })
        }

        var pendingInteractions: PendingInteractions { pending.value.interactions }
        func observePending(
            _ handler: @escaping @MainActor @Sendable (PendingState) -> Void
        ) -> any AnyObject & Sendable {
            pending.observe { state in Task { @MainActor in handler(state) } }
        }
        func refresh() {
            calls.withLock { $0.append("refresh") }
            list.refresh()
        }
        func loadNew() { calls.withLock { $0.append("loadNew") } }
        func followServer() { calls.withLock { $0.append("followServer") } }
        func prefetchDetails(_ posts: [Int64]) { calls.withLock { $0.append("prefetch \(posts)") } }
    }

    /// Lays what is done over the posts, as the outbox does.
    private final class Interactions: InteractionRepository {
        let posts: Posts
        init(_ posts: Posts) { self.posts = posts }

        func interact(_ action: InteractionAction, on post: Int64) async throws -> String {
            posts.pending.update { $0.interactions = PendingInteractions([post: [action]]) }
            return "1"
        }
        func share(_ post: Int64, seeing count: Int) async throws -> String {
            posts.pending.update {
                $0.interactions = PendingInteractions([post: [.shared]], shareCounts: [post: count + 1])
            }
            return "2"
        }
        func resend(_ request: PostRequest) async throws {}
        func discard(_ request: PostRequest) async throws {}
    }

    private final class Services: FeedServices {
        let posts: Posts
        let interactions: Interactions
        let environment = AppEnvironment()
        let startsWithFeed: Bool
        let session = Observed(true, label: "session")
        let notes = Guarded<[Bool]>([])

        init(count: Int = 95, startsWithFeed: Bool = false) {
            posts = Posts(count: count, environment)
            interactions = Interactions(posts)
            self.startsWithFeed = startsWithFeed
        }

        var isSignedIn: Bool { session.value }
        func observeSession(_ handler: @escaping @Sendable () -> Void) -> any AnyObject & Sendable {
            session.observe { _ in handler() }
        }
        func isOn(_ feature: String) -> Bool { true }
        func isReached() async -> Bool { true }
        func notePages(isRefresh: Bool) async throws { notes.withLock { $0.append(isRefresh) } }
        func prefetch(_ images: [MediaPath], shownWidth: Int) -> PaginatorExecution? { nil }
        func image(
            _ path: MediaPath, shownWidth: Int, onStep: @escaping @Sendable (ImageStep) -> Void
        ) -> ImageRequest? { nil }
    }

    @Test func `rows come, a like and a share lie over them, and pages are noted`() async throws {
        let services = Services()
        let feed = FeedStateHolder(services)
        #expect(feed.state.isLoading)
        feed.start()
        let row = try await feed.first { $0.items.count == 30 }.items[1]
        try await feed.toggleLike(row)
        #expect(try await feed.first { $0.items[1].isLiked }.items[1].likeCount == 1)
        try await feed.share(row)
        #expect(try await feed.first { $0.items[1].shareCount == 1 }.items[1].isLiked == false)
        feed.loadMore()
        _ = try await feed.first { $0.items.count == 60 && !$0.isPaging }
        while services.notes.withLock({ $0.count < 2 }) { try await nextTurn() }
        #expect(services.notes.withLock { $0 } == [true, false])
    }

    @Test func `over a weak link who comes to the end gets more, and nothing is loaded ahead`() async throws {
        let services = Services()
        services.environment.update { $0.link = .weak }
        let feed = FeedStateHolder(services)
        feed.start()
        _ = try await feed.first { $0.items.count == 30 }
        feed.visible(15..<25)
        feed.visible(20..<30)
        _ = try await feed.first { $0.items.count == 60 && !$0.isPaging }
        #expect(feed.state.items.count == 60)
    }

    @Test func `what an earlier run left shows first, and news are asked for once`() async throws {
        let services = Services(startsWithFeed: true)
        let feed = FeedStateHolder(services)
        feed.start()
        _ = try await feed.first { !$0.items.isEmpty }
        while services.posts.calls.withLock({ $0.isEmpty }) { try await nextTurn() }
        feed.loadMore()
        _ = try await feed.first { $0.items.count >= 30 && !$0.isRefreshing && !$0.isPaging }
        #expect(services.posts.calls.withLock { $0 } == ["refresh"])
    }

    @Test func `a failure is tried again when the connection is back, and a sign-out shows`() async throws {
        let services = Services()
        services.posts.isBroken.withLock { $0 = true }
        let feed = FeedStateHolder(services)
        feed.start()
        #expect(try await feed.first { $0.errorMessage != nil }.errorMessage == "The server cannot be reached.")
        services.environment.update { $0.link = .none }
        _ = try await feed.first { $0.isOffline }
        services.posts.isBroken.withLock { $0 = false }
        services.environment.update { $0.link = .good }
        _ = try await feed.first { !$0.isOffline && $0.errorMessage == nil && $0.items.count == 30 }
        services.session.update { $0 = false }
        _ = try await feed.first { $0.isSignedOut }
    }
}
