import ExampleBackend
import FeedClient
import Foundation
import PaginatorCore
import TestFolders
import Testing

/// What is kept on disk has an end.
@MainActor @Suite(.timeLimit(.minutes(1))) struct BoundsTests {
    @Test(arguments: [0, 100_000_000, 123_456_789, 200_000_000, .max])
    func `all caches together stay within the one limit`(maxBytes: Int) {
        var config = FeedConfig()
        config.cache.maxBytes = maxBytes
        config.cache.searchablePosts = .max
        let budget = CacheBudget(config)
        #expect((100_000_000...200_000_000).contains(budget.total))
        let parts = [budget.media, budget.feed, budget.details, budget.profiles, budget.index]
        #expect(parts.allSatisfy { $0 > 0 })
        #expect(parts.reduce(0, +) <= budget.total)
        #expect(budget.indexedPosts(config) <= budget.index / 1_000)
    }

    @Test func `the search keeps the newest posts only`() async throws {
        let rig = try await FeedRig(posts: 60) { $0.cache.searchablePosts = 20 }
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { $0.items.count >= 30 }
        feed.loadMore()
        _ = try await feed.first { $0.items.count == 60 }
        while try await app.posts.findSeen("Post 0").isEmpty { try await nextTurn() }
        while try await !app.posts.findSeen("Post 45").isEmpty { try await nextTurn() }
        #expect(try await app.posts.findSeen("Post 19").count == 1)
        #expect(try await app.posts.findSeen("Post 20").isEmpty)
        try await rig.end(app)
    }

    @Test func `what was given up is kept for the last hundred only`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let id = try await app.firstPost()
        await rig.goOffline()
        for _ in 0..<130 { try await app.sharePost(id, seeing: 0) }
        try await app.addComment("too late", on: id)
        try rig.server.feed.delete(id)
        await rig.goOnline()
        try await app.drained()
        while try await app.interactions.givenUpCount() > 101 { try await nextTurn() }
        #expect(try await app.interactions.givenUpCount() == 101)
        try await rig.end(app)
    }

    @Test func `a normalized store keeps the pages that were written last`() async throws {
        let folder = TemporaryFolder()
        let store = try NormalizedPostStore(path: folder.url.appending(path: "posts.sqlite").path, maxPages: 3)
        let author = Author(id: 1, name: "Ada", imagePath: "")
        let identities = (0..<5).map { PageIdentity(key: "\($0)", pageSize: 1, scope: "") }
        for (number, identity) in identities.enumerated() {
            let post = Post(
                id: Int64(number), summary: "", author: author, createdAt: Date(), isLiked: false, likeCount: 0,
                commentCount: 0, attachmentCount: 0, previewImagePath: nil)
            let page = PaginatorPage(content: [post], key: identity.key)
            let stored = StoredPage(page: page, fetchedAt: Date(), isInvalidated: false)
            await withCheckedContinuation { continuation in
                store.apply([.save(identity, stored)]) { _ in continuation.resume() }
            }
        }
        var kept: [String] = []
        for identity in identities {
            let page = await withCheckedContinuation { continuation in
                store.load(identity) { continuation.resume(returning: $0) }
            }
            if let key = try page.get()?.page.key { kept.append(key) }
        }
        #expect(kept == ["2", "3", "4"])
    }
}
