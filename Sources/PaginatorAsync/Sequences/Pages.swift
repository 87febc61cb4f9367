public import PaginatorCore

extension Paginator {
    /// Pages from one key on; each is fetched when the iterator asks for it.
    ///
    /// ```swift
    /// for try await page in paginator.pages(from: posts.firstKey, pageSize: 30) { show(page.content) }
    /// ```
    ///
    /// The sequence ends after the last page. It throws, and is over, when a page cannot be fetched; with the code
    /// `repeatedKey` when a page names as its neighbor a page that came before, which would lead in a circle; and with
    /// `cancelled` when the task is cancelled, which stops the load. Dropping the iterator stops the load, too. Each
    /// iterator remembers the keys that it has passed.
    ///
    /// - Parameters:
    ///   - key: the key of the first page.
    ///   - pageSize: how many items to ask for per page, from 1 to the configuration's `maxPageSize`.
    ///   - goesBackward: whether each page is followed by the one before it; false by default, for the one after it.
    ///   - scope: separates pages with the same key, such as those of two searches or users; empty by default.
    ///   - priority: how urgent the loads are; medium by default.
    ///   - policy: how cached pages are used; `nil`, the default, takes the configuration's policy; its preview is left out.
    ///   - timeout: how long the fetch of each page may take; `nil`, the default, takes the configuration's
    ///     `fetchTimeout`.
    ///   - loadsAhead: whether the page after the delivered one is loaded meanwhile; false by default.
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
            Pages(PageWalker(self, request, goesBackward: goesBackward, loadsAhead: loadsAhead))
        }
    }

    /// Items from one key on; a page is fetched when the iterator asks for its first item.
    ///
    /// The sequence ends and throws as ``pages(from:pageSize:goesBackward:scope:priority:policy:timeout:loadsAhead:)``
    /// does. The other items of a page are returned without suspending. Items that the source gives twice come twice.
    ///
    /// - Parameters:
    ///   - key: the key of the first page.
    ///   - pageSize: how many items to ask for per page, from 1 to the configuration's `maxPageSize`.
    ///   - goesBackward: whether each page is followed by the one before it; false by default. Items keep their order
    ///     within a page.
    ///   - scope: separates pages with the same key, such as those of two searches or users; empty by default.
    ///   - priority: how urgent the loads are; medium by default.
    ///   - policy: how cached pages are used; `nil`, the default, takes the configuration's policy; its preview is left out.
    ///   - timeout: how long the fetch of each page may take; `nil`, the default, takes the configuration's
    ///     `fetchTimeout`.
    ///   - loadsAhead: whether the page after the delivered one is loaded meanwhile; false by default.
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
            Items(Pages(PageWalker(self, request, goesBackward: goesBackward, loadsAhead: loadsAhead)))
        }
    }
}

private struct Pages<T: Sendable>: ElementSource {
    private var walker: PageWalker<T>
    private var repeatedKey: String?

    init(_ walker: PageWalker<T>) {
        self.walker = walker
    }

    nonisolated(nonsending) mutating func next() async throws(PaginatorError) -> FetchedPage<T>? {
        // One call later: the page whose next key came before is itself delivered.
        if let repeatedKey { throw .repeatedKey(repeatedKey) }
        guard let (page, repeatedKey) = try await walker.next() else { return nil }
        self.repeatedKey = repeatedKey
        return page
    }
}

private struct Items<T: Sendable>: ElementSource {
    private var pages: Pages<T>
    private var content: [T] = []
    private var position = 0

    init(_ pages: Pages<T>) {
        self.pages = pages
    }

    /// In a cancelled task it throws at once, also with items at hand.
    nonisolated(nonsending) mutating func next() async throws(PaginatorError) -> T? {
        if position < content.count, Task.isCancelled { throw .taskCancelled }
        // A loop: an empty page with a next key is not the end.
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
