public import PaginatorCore

extension Paginator {
    /// The pages from a key on, each fetched on demand.
    ///
    /// ```swift
    /// for try await page in paginator.pages(from: posts.firstKey, pageSize: 30) { show(page.content) }
    /// ```
    ///
    /// The sequence ends after the last page. It throws, and then ends, if a page cannot be fetched; with the code
    /// `repeatedKey` if a page names a neighbor that came before, which would be a cycle; and with `cancelled` if the
    /// task is cancelled, which stops the load. Dropping the iterator stops the load, too. Each iterator remembers the
    /// keys it has passed.
    ///
    /// - Parameters:
    ///   - key: the key of the first page.
    ///   - pageSize: the number of items to request per page, from 1 to the configuration's `maxPageSize`.
    ///   - goesBackward: whether to follow previous keys; false by default, to follow next keys.
    ///   - scope: distinguishes pages with the same key, such as those of two searches or users; empty by default.
    ///   - priority: the loads' priority; medium by default.
    ///   - policy: where to take pages from; `nil`, the default, uses the configuration. Previews are left out.
    ///   - timeout: the time to wait for each page; `nil`, the default, uses the configuration's `fetchTimeout`.
    ///   - loadsAhead: whether to load the page after the delivered one meanwhile; false by default. If that load
    ///     fails, the page is fetched again when it is requested; only if that fails, too, the sequence throws. While
    ///     conditions reduce loading, or there is no connection, nothing is loaded ahead.
    public func pages(
        from key: String,
        pageSize: Int,
        goesBackward: Bool = false,
        scope: String = "",
        priority: FetchPriority = .medium,
        policy: FetchPolicy? = nil,
        timeout: Duration? = nil,
        loadsAhead: Bool = false
    ) -> PaginatorSequence<FetchedPage<T>, PaginatorError> {
        let request = PageRequest(
            key: key, pageSize: pageSize, scope: scope, priority: priority, policy: policy,
            timeout: timeout)
        return PaginatorSequence {
            Pages(walker: PageWalker(self, request, goesBackward: goesBackward, loadsAhead: loadsAhead))
        }
    }

    /// The items from a key on. A page is fetched when its first item is requested.
    ///
    /// The sequence ends and throws like
    /// ``pages(from:pageSize:goesBackward:scope:priority:policy:timeout:loadsAhead:)``. The other items of a page are
    /// returned without suspending. Items that the source repeats are repeated.
    ///
    /// - Parameters:
    ///   - key: the key of the first page.
    ///   - pageSize: the number of items to request per page, from 1 to the configuration's `maxPageSize`.
    ///   - goesBackward: whether to follow previous keys; false by default. Items keep their order within a page.
    ///   - scope: distinguishes pages with the same key, such as those of two searches or users; empty by default.
    ///   - priority: the loads' priority; medium by default.
    ///   - policy: where to take pages from; `nil`, the default, uses the configuration. Previews are left out.
    ///   - timeout: the time to wait for each page; `nil`, the default, uses the configuration's `fetchTimeout`.
    ///   - loadsAhead: whether to load the page after the delivered one meanwhile; false by default. If that load
    ///     fails, the page is fetched again when it is requested; only if that fails, too, the sequence throws. While
    ///     conditions reduce loading, or there is no connection, nothing is loaded ahead.
    public func items(
        from key: String,
        pageSize: Int,
        goesBackward: Bool = false,
        scope: String = "",
        priority: FetchPriority = .medium,
        policy: FetchPolicy? = nil,
        timeout: Duration? = nil,
        loadsAhead: Bool = false
    ) -> PaginatorSequence<T, PaginatorError> {
        let request = PageRequest(
            key: key, pageSize: pageSize, scope: scope, priority: priority, policy: policy,
            timeout: timeout)
        return PaginatorSequence {
            Items(pages: Pages(walker: PageWalker(self, request, goesBackward: goesBackward, loadsAhead: loadsAhead)))
        }
    }
}

private struct Pages<T: Sendable>: ElementSource {
    var walker: PageWalker<T>
    var repeatedKey: String?

    nonisolated(nonsending) mutating func next() async throws(PaginatorError) -> FetchedPage<T>? {
        // One call later, because the page with the repeated key is itself delivered.
        if let repeatedKey { throw .repeatedKey(repeatedKey) }
        guard let (page, repeatedKey) = try await walker.next() else { return nil }
        self.repeatedKey = repeatedKey
        return page
    }
}

private struct Items<T: Sendable>: ElementSource {
    var pages: Pages<T>
    var content: [T] = []
    var position = 0

    /// In a cancelled task it throws at once, even if it has items.
    nonisolated(nonsending) mutating func next() async throws(PaginatorError) -> T? {
        if position < content.count, Task.isCancelled { throw .taskCancelled }
        // A loop, because an empty page with a next key is not the end.
        while position == content.count {
            (content, position) = ([], 0)
            guard let page = try await pages.next() else { return nil }
            content = page.content
        }
        defer { position += 1 }
        return content[position]
    }
}

extension PaginatorError {
    /// A page names a neighbor that came before.
    static func repeatedKey(_ key: String) -> PaginatorError {
        PaginatorError(.repeatedKey, "The page with the key \(key.prefix(80).debugDescription) came before.")
    }
}
