import PaginatorCore

extension FeedStory {
    /// Memory for five pages, and twelve that are read.
    func evict(_ keys: [String]) async throws {
        transcript.begin("Eviction under a limit of five pages")
        let paginator = makePaginator { $0.inMemoryEvictionStrategy = .lru(maxPages: 5) }
        let read = Array(keys[..<12])
        for key in read { _ = try await paginator.answer(key: key, pageSize: pageSize).get() }
        let kept = read.filter { paginator.peek(key: $0, pageSize: pageSize) != nil }
        transcript.note("read \(read.count) pages, kept \(kept.count)")
        transcript.verify(kept, equals: Array(read.suffix(5)), "the five that were used last are in memory")
        let before = await conditions.requestCount
        let evicted = try await paginator.answer(key: read[0], pageSize: pageSize).get()
        transcript.verify(evicted.origin, equals: .source, "an evicted page is loaded again")
        await transcript.verify(conditions.requestCount, equals: before + 1, "by one request")
        transcript.verify(
            paginator.peek(key: kept[0], pageSize: pageSize) == nil, "and takes the place of the one used longest ago")
    }
}
