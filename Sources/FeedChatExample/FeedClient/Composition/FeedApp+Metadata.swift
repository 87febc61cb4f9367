import Foundation
import PaginatorCore

extension FeedApp {
    /// Keeps how far the feed was loaded, and when it was loaded anew: it goes from page to page, as they lie in memory.
    ///
    /// - Parameter isRefresh: whether the first page has just come anew.
    package func notePages(isRefresh: Bool) async throws {
        let (feed, start, size) = (posts.feed, posts.feedStart, posts.pageSize)
        try await metadata.update(named: "feed", from: FeedMetadata()) { metadata in
            if isRefresh {
                metadata = FeedMetadata()
                metadata.lastRefreshed = Date()
                metadata.nextCursor = start
            }
            // A server whose pages lead back to one of them would keep this going forever.
            var seen: Set<String> = []
            while let key = metadata.nextCursor, seen.insert(key).inserted,
                let found = feed.peek(key: key, pageSize: size), !found.isStale
            {
                metadata.nextCursor = found.page.nextKey
                metadata.hasMore = found.page.nextKey != nil
            }
        }
    }

    /// What is known about the feed beside its posts.
    package func feedMetadata() async throws -> FeedMetadata {
        try await metadata.value(FeedMetadata.self, named: "feed") ?? FeedMetadata()
    }
}
