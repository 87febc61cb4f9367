import AppFoundation
import PaginatorCore
import Testing

@testable import FeedClient

/// The feed's screen over doubles of everything below it: no backend, no file.
@MainActor @Suite(.timeLimit(.minutes(1))) struct FeedScreenTests {
    @Test func `rows come, a like and a share lie over them, and pages are noted`() async throws {
        let services = FeedServicesDouble()
        let feed = FeedStateHolder(services)
        #expect(feed.state.isLoading)
        feed.start()
        let row = try await feed.first { $0.items.count == 30 }.items[1]
        try await feed.toggleLike(row)
        #expect(try await feed.first { $0.items[1].isLiked }.items[1].likeCount == 1)
        try await feed.share(row)
        #expect(try await feed.first { $0.items[1].shareCount == 1 }.items[1].isLiked)
        feed.loadMore()
        _ = try await feed.first { $0.items.count == 60 && !$0.isPaging }
        while services.notes.withLock({ $0.count < 2 }) { try await nextTurn() }
        #expect(services.notes.withLock { $0 } == [true, false])
    }

    @Test func `over a weak link who comes to the end gets more, and nothing is loaded ahead`() async throws {
        let services = FeedServicesDouble()
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
        let services = FeedServicesDouble(startsWithFeed: true)
        let feed = FeedStateHolder(services)
        feed.start()
        _ = try await feed.first { !$0.items.isEmpty }
        while services.posts.calls.withLock({ $0.isEmpty }) { try await nextTurn() }
        feed.loadMore()
        _ = try await feed.first { $0.items.count >= 30 && !$0.isRefreshing && !$0.isPaging }
        #expect(services.posts.calls.withLock { $0 } == ["refresh"])
    }

    @Test func `a failure is tried again when the connection is back, and a sign-out shows`() async throws {
        let services = FeedServicesDouble()
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
