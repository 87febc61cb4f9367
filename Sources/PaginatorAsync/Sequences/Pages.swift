public import PaginatorCore

extension Paginator {
    /// Pages from one key on, each fetched when it is asked for.
    ///
    /// ```swift
    /// for try await page in paginator.pages(from: posts.firstKey, pageSize: 30) { show(page.content) }
    /// ```
    ///
    /// It ends behind the last page, and throws where a page fails. A page that names a neighbor which came before makes it
    /// throw `PaginatorError/Code/repeatedKey` when that neighbor is asked for, instead of going round for ever. After an
    /// error it is over. Nothing is loaded that was not asked for, except the one page ahead if that was wanted; whoever
    /// stops iterating stops that load as well. Cancelling the task stops the load and throws
    /// `PaginatorError/Code/cancelled`. Each iterator remembers the keys it has passed.
    ///
    /// - Parameters:
    ///   - key: the key of the first page.
    ///   - pageSize: how many items to ask for, per page.
    ///   - goesBackward: whether to go from each page to the one before; false by default, from each to the next one.
    ///   - scope: separates the same keys.
    ///   - priority: how urgent the loads are.
    ///   - policy: where to take the pages from; `nil` follows the configuration, without its previews.
    ///   - timeout: how long to wait for each page; `nil` follows the configuration.
    ///   - loadsAhead: whether the page after the one delivered is loaded meanwhile; false by default.
    public func pages(
        from key: String,
        pageSize: Int,
        goesBackward: Bool = false,
        scope: String = "",
        priority: FetchPriority = .medium,
        policy: SingleAnswerPolicy? = nil,
        timeout: Duration? = nil,
        loadsAhead: Bool = false
    ) -> PaginatorSequence<FetchedPage<T>, PaginatorError> {
        let request = PageRequest(
            key: key, pageSize: pageSize, scope: scope, priority: priority, policy: policy.map { FetchPolicy($0) },
            timeout: timeout)
        return PaginatorSequence {
            Pages(PageWalker(self, request, goesBackward: goesBackward, loadsAhead: loadsAhead))
        }
    }

    /// Items from one key on; a page is fetched when its first item is asked for.
    ///
    /// It ends, throws and stops as ``pages(from:pageSize:goesBackward:scope:priority:policy:timeout:loadsAhead:)`` does. An
    /// item of a page that has come is returned without suspending. Items that the source gives twice come twice.
    ///
    /// - Parameters:
    ///   - key: the key of the first page.
    ///   - pageSize: how many items to ask for, per page.
    ///   - goesBackward: whether to go from each page to the one before; false by default. Items keep the order that they
    ///     have in their page.
    ///   - scope: separates the same keys.
    ///   - priority: how urgent the loads are.
    ///   - policy: where to take the pages from; `nil` follows the configuration, without its previews.
    ///   - timeout: how long to wait for each page; `nil` follows the configuration.
    ///   - loadsAhead: whether the page after the one delivered is loaded meanwhile; false by default.
    public func items(
        from key: String,
        pageSize: Int,
        goesBackward: Bool = false,
        scope: String = "",
        priority: FetchPriority = .medium,
        policy: SingleAnswerPolicy? = nil,
        timeout: Duration? = nil,
        loadsAhead: Bool = false
    ) -> PaginatorSequence<T, PaginatorError> {
        let request = PageRequest(
            key: key, pageSize: pageSize, scope: scope, priority: priority, policy: policy.map { FetchPolicy($0) },
            timeout: timeout)
        return PaginatorSequence {
            Items(Pages(PageWalker(self, request, goesBackward: goesBackward, loadsAhead: loadsAhead)))
        }
    }
}

private struct Pages<T: Sendable>: ElementSource {
    private var walker: PageWalker<T>
    private var repeated: PageWalk.Repeat?

    init(_ walker: PageWalker<T>) {
        self.walker = walker
    }

    nonisolated(nonsending) mutating func next() async throws(PaginatorError) -> FetchedPage<T>? {
        if let repeated { throw .repeatedKey(repeated.key) }
        guard let arrival = await walker.next() else { return nil }
        repeated = arrival.repeats.first
        return try arrival.result.get()
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

extension PageWalker {
    /// A walk from one page on, in one direction.
    init(_ paginator: any Paginator<T>, _ request: PageRequest, goesBackward: Bool, loadsAhead: Bool) {
        self.init(
            paginator, request, neighborPriority: request.priority, loadsAhead: loadsAhead,
            walk: PageWalk(from: request, direction: goesBackward ? .backward : .forward))
    }
}
