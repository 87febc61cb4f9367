import Foundation
import PaginatorCore

extension FeedApp {
    /// Stores how far the feed is loaded, and when it was refreshed, by following the pages in memory.
    ///
    /// - Parameter isRefresh: whether the first page was just refreshed.
    package func notePages(isRefresh: Bool) async throws {
        let (feed, start, size) = (posts.feed, posts.feedStart, posts.pageSize)
        try await metadata.update(named: "feed", from: FeedMetadata()) { metadata in
            if isRefresh {
                metadata = FeedMetadata()
                metadata.lastRefreshed = Date()
                metadata.nextCursor = start
            }
            // A server whose pages form a cycle would make this endless.
            var seen: Set<String> = []
            while let key = metadata.nextCursor, seen.insert(key).inserted,
                let found = feed.peek(key: key, pageSize: size), !found.isStale
            {
                metadata.nextCursor = found.page.nextKey
                metadata.hasMore = found.page.nextKey != nil
            }
        }
    }

    /// Returns the metadata of the feed.
    package func feedMetadata() async throws -> FeedMetadata {
        try await metadata.value(FeedMetadata.self, named: "feed") ?? FeedMetadata()
    }
}
