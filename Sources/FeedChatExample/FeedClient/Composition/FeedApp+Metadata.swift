import Foundation
import PaginatorCore

extension FeedApp {
    /// Keeps when the feed was loaded anew, and where it goes on.
    func noteRefresh(hasMore: Bool) async throws {
        var metadata = FeedMetadata()
        let first = posts.feed.peek(key: "first", pageSize: posts.pageSize)
        metadata.nextCursor = first?.page.nextKey
        metadata.hasMore = hasMore
        metadata.lastRefreshed = Date()
        try await self.metadata.set(metadata, named: "feed")
    }

    /// What is known about the feed beside its posts.
    package func feedMetadata() async throws -> FeedMetadata {
        try await metadata.value(FeedMetadata.self, named: "feed") ?? FeedMetadata()
    }
}
