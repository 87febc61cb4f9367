/// Divides one limit of bytes among all caches on disk.
package struct CacheBudget: Sendable, Equatable {
    /// The limit of all caches, in bytes.
    package let total: Int

    package init(_ config: FeedConfig) {
        total = config.cache.acceptedMaxBytes
    }

    /// Images and videos.
    package var media: Int { share(60) }
    /// Pages of the feed.
    package var feed: Int { share(20) }
    /// Single posts.
    package var details: Int { share(10) }
    /// Pages of users' posts.
    package var profiles: Int { share(5) }
    /// The index of the search. It counts posts, each of which takes less than 1 KB.
    package var index: Int { share(5) }

    /// Returns the maximum number of posts in the index.
    package func indexedPosts(_ config: FeedConfig) -> Int {
        min(max(config.cache.searchablePosts, 1), index / 1_000)
    }

    private func share(_ percent: Int) -> Int { total / 100 * percent }
}
