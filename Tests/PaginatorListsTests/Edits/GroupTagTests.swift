import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// One call after a write, for all paginators of a group and the lists over them.
@Suite struct GroupTagTests {
    private struct Counter: Sendable, Identifiable {
        let id: String
        let count: Int
    }

    private static func paginator<T>(
        of type: T.Type, on executor: SimulatedExecutor, answer: @escaping @Sendable (String) -> PaginatorPage<T>
    ) -> CallbackPaginator<T> {
        var config = DefaultPaginatorConfig()
        config.simulate(on: executor, clock: ManualPaginatorClock())
        config.inMemoryEvictionStrategy = .lru(maxPages: 2)
        return CallbackPaginator(
            dataSource: ClosureDataSource<T>(firstKey: "0") { request, completion in
                completion(.success(answer(request.key)))
                return SourceCancellation {}
            }, config: config)
    }

    private static func posts(on executor: SimulatedExecutor) -> CallbackPaginator<SampleItem> {
        paginator(of: SampleItem.self, on: executor) { key in
            let page = Int(key) ?? 0
            return PaginatorPage(
                content: [SampleItem(id: page, text: "")], key: key, nextKey: "\(page + 1)",
                tags: ["posts", "post-\(page)"])
        }
    }

    private static func counters(on executor: SimulatedExecutor) -> CallbackPaginator<Counter> {
        paginator(of: Counter.self, on: executor) { key in
            PaginatorPage(content: [Counter(id: key, count: 1)], key: key, tags: key == "posts" ? ["posts"] : [])
        }
    }

    private func staleKeys<T>(
        _ paginator: CallbackPaginator<T>, of keys: [String], _ executor: SimulatedExecutor
    )
        -> [String]
    {
        executor.runAll()
        return keys.filter { paginator.peek(key: $0, pageSize: 10)?.isStale == true }
    }

    @Test func `one call invalidates the pages of all members, whatever their items are`() throws {
        let executor = SimulatedExecutor()
        let (posts, counters, strangers) = (
            Self.posts(on: executor), Self.counters(on: executor), Self.counters(on: executor)
        )
        let group = ConsistencyGroup<Int>(on: executor)
        group.join(posts.edits(id: \.id)) { id in (id, { $0 }) }
        let membership = group.join(counters)
        for key in ["0", "1"] { posts.fetch(key: key, pageSize: 10) { _ in } }
        for paginator in [counters, strangers] {
            for key in ["posts", "friends"] { paginator.fetch(key: key, pageSize: 10) { _ in } }
        }
        executor.runAll()
        group.invalidate(tags: ["post-1"])
        #expect(staleKeys(posts, of: ["0", "1"], executor) == ["1"])
        #expect(staleKeys(counters, of: ["posts", "friends"], executor) == [])
        group.invalidate(tags: ["posts"])
        #expect(staleKeys(posts, of: ["0", "1"], executor) == ["0", "1"])
        #expect(staleKeys(counters, of: ["posts", "friends"], executor) == ["posts"])
        #expect(staleKeys(strangers, of: ["posts", "friends"], executor) == [])

        counters.refresh(PageRequest(key: "posts", pageSize: 10))
        #expect(staleKeys(counters, of: ["posts"], executor) == [])
        #expect(membership.cancel())
        group.invalidate(tags: ["posts"])
        #expect(staleKeys(counters, of: ["posts"], executor) == [])
    }

    @Test func `a paginator that is released leaves, and is not kept alive`() {
        let executor = SimulatedExecutor()
        let group = ConsistencyGroup<Int>(on: executor)
        var paginator: CallbackPaginator<SampleItem>? = Self.posts(on: executor)
        weak let released = paginator?.engine
        if let paginator { group.join(paginator) }
        group.invalidate(tags: ["posts"])
        executor.runAll()
        func members() -> Int? {
            Mirror(reflecting: group).descendant("members").map { Mirror(reflecting: $0).children.count }
        }
        #expect(members() == 1)
        paginator = nil
        executor.runAll()
        #expect(released == nil)
        #expect(members() == 0)
    }

    @Test func `the pages are stale when the call returns, before the group has handled anything`() {
        let executor = SimulatedExecutor()
        let posts = Self.posts(on: executor)
        posts.fetch(key: "0", pageSize: 10) { _ in }
        executor.runAll()
        let group = ConsistencyGroup<Int>(on: executor)
        let memberships = [group.join(posts), group.join(posts)]
        group.invalidate(tags: ["posts"])
        #expect(posts.peek(key: "0", pageSize: 10)?.isStale == true)

        posts.refresh(PageRequest(key: "0", pageSize: 10))
        executor.runAll()
        #expect(posts.peek(key: "0", pageSize: 10)?.isStale == false)
        // It stays a member as long as one membership is left.
        memberships[0].cancel()
        group.invalidate(tags: ["posts"])
        #expect(posts.peek(key: "0", pageSize: 10)?.isStale == true)
        posts.refresh(PageRequest(key: "0", pageSize: 10))
        executor.runAll()
        memberships[1].cancel()
        group.invalidate(tags: ["posts"])
        #expect(posts.peek(key: "0", pageSize: 10)?.isStale == false)
    }

    @Test func `an invalidation undoes no change that was made before it`() {
        let executor = SimulatedExecutor()
        let posts = Self.posts(on: executor)
        posts.fetch(key: "0", pageSize: 10) { _ in }
        executor.runAll()
        let group = ConsistencyGroup<String>(on: executor)
        group.join(posts.edits(id: \.id)) { text in (0, { SampleItem(id: $0.id, text: text) }) }
        let edit = group.begin("mine")
        edit.commit()
        group.invalidate(tags: ["posts"])
        executor.runAll()
        let page = posts.peek(key: "0", pageSize: 10)
        #expect(page?.page.content.map(\.text) == ["mine"])
        #expect(page?.isStale == true)
    }

    @Test func `a list refreshes the pages with the tag, also those that memory no longer has`() {
        let executor = SimulatedExecutor()
        let asked = Guarded<[String]>([])
        let posts = Self.paginator(of: SampleItem.self, on: executor) { key in
            asked.withLock { $0.append(key) }
            let page = Int(key) ?? 0
            return PaginatorPage(
                content: [SampleItem(id: page, text: "")], key: key, nextKey: "\(page + 1)",
                tags: page % 2 == 0 ? ["even"] : ["odd"])
        }
        var config = PaginatorListConfig()
        config.prefetchDistance = 0
        config.pageSize = 1
        let list = PaginatorList(posts, id: \.id, config: config)
        for _ in 0..<6 {
            list.loadNext()
            executor.runAll()
        }
        #expect(list.snapshot.map(\.id) == [0, 1, 2, 3, 4, 5])
        asked.withLock { $0.removeAll() }
        list.refresh(.stalePages)
        executor.runAll()
        #expect(asked.withLock { $0 } == [])
        posts.invalidate(tags: ["odd"])
        executor.runAll()
        #expect(list.snapshot.map(\.id) == [0, 1, 2, 3, 4, 5])
        list.refresh(.stalePages)
        executor.runAll()
        #expect(asked.withLock { $0.sorted() } == ["1", "3", "5"])
        list.refresh(.stalePages)
        executor.runAll()
        #expect(asked.withLock { $0.count } == 3)
    }

    @Test(arguments: [true, false])
    func `a page that was on its way to a list is one of its stale pages`(_ hasTag: Bool) {
        let stage = ListStage()
        stage.source.otherwise { _ in .hang }
        stage.after { $0.loadNext() }
        stage.paginator.invalidate(tags: ["x"])
        stage.settle()
        let page = PaginatorPage(
            content: [SampleItem(id: 1, text: "")], key: "0", tags: hasTag ? ["x"] : ["y"])
        for call in stage.source.pendingCalls { stage.source.answer(call, with: .success(page)) }
        stage.settle()
        #expect(stage.ids == [1])
        _ = stage.newKeys()
        stage.after { $0.refresh(.stalePages) }
        #expect(stage.newKeys() == (hasTag ? ["0"] : []))
    }
}
