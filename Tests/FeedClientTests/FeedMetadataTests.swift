import ExampleBackend
import FeedClient
import Foundation
import PaginatorCore
import Testing

/// What is kept about the feed beside its posts.
@MainActor @Suite(.timeLimit(.minutes(1))) struct FeedMetadataTests {
    private func metadata(of app: FeedApp, where isMet: (FeedMetadata) -> Bool) async throws -> FeedMetadata {
        while true {
            try Task.checkCancellation()
            let metadata = try await app.feedMetadata()
            if isMet(metadata) { return metadata }
            await Task.yield()
        }
    }

    @Test func `it says where the loaded pages end, up to the end, and begins anew with a refresh`() async throws {
        let rig = try await FeedRig(posts: 70)
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        #expect(try await app.feedMetadata() == FeedMetadata())
        feed.start()
        _ = try await feed.first { $0.items.count == 30 }
        let first = try await metadata(of: app) { $0.lastRefreshed != nil }
        #expect(first.hasMore)
        #expect(first.nextCursor == app.posts.feed.peek(key: "first", pageSize: 30)?.page.nextKey)
        feed.loadMore()
        _ = try await feed.first { $0.items.count == 60 && !$0.isPaging }
        let second = try await metadata(of: app) { $0.nextCursor != first.nextCursor }
        #expect(second.hasMore && second.nextCursor != nil && second.lastRefreshed == first.lastRefreshed)
        feed.loadMore()
        _ = try await feed.first { $0.isAtEnd }
        let end = try await metadata(of: app) { !$0.hasMore }
        #expect(end.nextCursor == nil)
        feed.refresh()
        let again = try await metadata(of: app) { $0.lastRefreshed != first.lastRefreshed }
        #expect(again.hasMore && again.nextCursor == first.nextCursor)
        try await rig.end(app)
    }
}
