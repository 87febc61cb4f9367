// Long because one rig serves all that a tag can meet: stores, loads that run, fetches with a fallback, and a random test.
import PaginatorTesting
import Testing

@testable import PaginatorCore

/// Pages that say what they are about, and what becomes of them when that has changed.
@Suite struct TagInvalidationTests {
    /// A store in memory whose reads come back when the executor says so, and see what the store had when they were made.
    private final class SlowStore: PaginatorStore {
        let pages = Guarded<[PageIdentity: StoredPage<SampleItem>]>([:])
        let executor: SimulatedExecutor

        init(_ executor: SimulatedExecutor) { self.executor = executor }

        func load(
            _ identity: PageIdentity,
            completion: @escaping @Sendable (Result<StoredPage<SampleItem>?, PaginatorError>) -> Void
        ) {
            let page = pages.withLock { $0[identity] }
            executor.run { completion(.success(page)) }
        }

        func apply(
            _ changes: [StoreChange<SampleItem>], accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
        ) {
            pages.withLock { pages in
                for change in changes {
                    switch change {
                    case .save(let identity, let page): pages[identity] = page
                    case .remove(let selection): pages = pages.filter { !selection.contains($0.key) }
                    case .invalidate(let selection): mark(&pages) { identity, _ in selection.contains(identity) }
                    case .invalidateTags(let tags): mark(&pages) { $1.tags.hasTag(in: tags) }
                    case .edit: break
                    }
                }
            }
            executor.run { accepted(.success(())) }
        }

        private func mark(
            _ pages: inout [PageIdentity: StoredPage<SampleItem>],
            where isConcerned: (PageIdentity, PaginatorPage<SampleItem>) -> Bool
        ) {
            for (identity, stored) in pages where isConcerned(identity, stored.page) {
                pages[identity] = StoredPage(page: stored.page, fetchedAt: stored.fetchedAt, isInvalidated: true)
            }
        }

        func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) { completion(.success(())) }
    }

    /// A paginator over a source that answers when it is told; a page's item tells the number of the call.
    private final class Stage: Sendable {
        struct Call: Sendable {
            let key: String
            let number: Int
            let answer: @Sendable (Result<PaginatorPage<SampleItem>, SourceError>) -> Void
        }

        let executor = SimulatedExecutor()
        let clock = ManualPaginatorClock()
        let store: SlowStore?
        let paginator: CallbackPaginator<SampleItem>
        let calls: Guarded<(open: [Call], all: Int)>
        let tags: Guarded<[String: [String]]>

        init(_ tags: [String: [String]], hasStore: Bool = false) {
            self.tags = Guarded(tags)
            let executor = executor
            store = hasStore ? SlowStore(executor) : nil
            let calls = Guarded<(open: [Call], all: Int)>(([], 0))
            self.calls = calls
            var config = DefaultPaginatorConfig()
            config.simulate(on: executor, clock: clock)
            config.maxParallelCalls = 8
            paginator = CallbackPaginator(
                dataSource: ClosureDataSource<SampleItem>(firstKey: "a") { request, completion in
                    calls.withLock {
                        $0.all += 1
                        $0.open.append(Call(key: request.key, number: $0.all, answer: completion))
                    }
                    return SourceCancellation {}
                }, store: store, config: config)
        }

        func answer(_ index: Int = 0) {
            let taken = calls.withLock { $0.open.indices.contains(index) ? $0.open.remove(at: index) : nil }
            guard let call = taken else { return }
            let tags = tags.withLock { $0[call.key] ?? [] }
            call.answer(
                .success(
                    PaginatorPage(content: [SampleItem(id: call.number, text: call.key)], key: call.key, tags: tags)))
        }

        /// Begins a fetch; what it was answered with is read when the executor has run.
        func begin(_ key: String, _ policy: FetchPolicy = .cacheFirst) -> RecordingListener<SampleItem> {
            let answer = RecordingListener<SampleItem>()
            var request = PageRequest(key: key, pageSize: 10)
            request.policy = policy
            paginator.fetch(request, listener: answer)
            return answer
        }

        func fetch(_ key: String, _ policy: FetchPolicy = .cacheFirst) -> FetchedPage<SampleItem>? {
            let answer = begin(key, policy)
            executor.runAll()
            while !calls.withLock({ $0.open.isEmpty }) {
                self.answer()
                executor.runAll()
            }
            return answer.fetched
        }

        func isStale(_ key: String) -> Bool? { paginator.peek(key: key, pageSize: 10)?.isStale }

        var callCount: Int { calls.withLock { $0.all } }
    }

    private static let tags = ["a": ["posts", "post-1"], "b": ["posts"], "c": ["é"], "d": ["e\u{301}"], "e": []]

    @Test func `pages with a tag are stale, stay readable and are loaded when they are asked for next`() {
        let stage = Stage(Self.tags)
        for key in Self.tags.keys.sorted() { _ = stage.fetch(key) }
        stage.paginator.invalidate(tags: ["post-1", "e\u{301}"])
        stage.executor.runAll()
        #expect(["a", "b", "c", "d", "e"].map { stage.isStale($0) } == [true, false, false, true, false])
        #expect(stage.fetch("b")?.page.content[0].id == 2)
        #expect(stage.fetch("a")?.page.content[0].id == 6)
        #expect(stage.isStale("a") == false)
        #expect(stage.fetch("a", .cacheOnly)?.page.tags == ["posts", "post-1"])
        stage.paginator.invalidate(tags: ["", "post", "nobody's"])
        stage.paginator.invalidate(tags: [])
        stage.executor.runAll()
        #expect(stage.isStale("a") == false)
        stage.paginator.invalidate(tags: ["posts", "é"])
        stage.executor.runAll()
        #expect(["a", "b", "c", "d", "e"].map { stage.isStale($0) } == [true, true, true, true, false])
    }

    @Test func `pages that only the store has are stale too`() {
        let stage = Stage(Self.tags, hasStore: true)
        for key in Self.tags.keys.sorted() { _ = stage.fetch(key) }
        stage.paginator.trim(toFraction: 0)
        stage.paginator.invalidate(tags: ["posts"])
        stage.executor.runAll()
        #expect(stage.fetch("a", .cacheOnly)?.isStale == true)
        #expect(stage.fetch("c", .cacheOnly)?.isStale == false)
        #expect(stage.fetch("b")?.page.content[0].id == 6)
        #expect(stage.callCount == 6)
    }

    @Test func `an edit keeps a page's tags`() {
        let stage = Stage(Self.tags)
        _ = stage.fetch("a")
        stage.paginator.edits(id: \.text).update("a") { SampleItem(id: $0.id + 100, text: $0.text) }
        stage.executor.runAll()
        #expect(stage.paginator.peek(key: "a", pageSize: 10)?.page.tags == ["posts", "post-1"])
        stage.paginator.invalidate(tags: ["posts"])
        stage.executor.runAll()
        #expect(stage.isStale("a") == true)
    }

    // MARK: - Loads under way

    @Test func `a load that asked the source before gives a stale page, and who comes later gets a newer one`() {
        let stage = Stage(Self.tags)
        let (first, other) = (stage.begin("a"), stage.begin("c"))
        stage.executor.runAll()
        stage.paginator.invalidate(tags: ["posts"])
        let late = stage.begin("a")
        stage.executor.runAll()
        #expect(stage.callCount == 2, "nobody knows yet whether the page has the tag")
        stage.answer(0)
        stage.answer(0)
        stage.executor.runAll()
        #expect(first.fetched?.page.content[0].id == 1)
        #expect(first.fetched?.isStale == true)
        #expect(stage.callCount == 3)
        #expect(late.fetched == nil)
        stage.answer()
        stage.executor.runAll()
        #expect(late.fetched?.page.content[0].id == 3)
        #expect(late.fetched?.isStale == false)
        #expect(other.fetched?.isStale == false)
        #expect(stage.fetch("a", .cacheOnly)?.page.content[0].id == 3)
        #expect(stage.isStale("c") == false)
    }

    @Test func `tags that a page does not have leave its load alone`() {
        let stage = Stage(Self.tags)
        stage.paginator.prefetch(keys: ["e"], pageSize: 10)
        stage.executor.runAll()
        var fetches: [RecordingListener<SampleItem>] = []
        for _ in 0..<3 {
            fetches.append(stage.begin("e"))
            stage.executor.runAll()
            stage.paginator.invalidate(tags: ["typing"])
        }
        stage.executor.runAll()
        #expect(stage.callCount == 1)
        stage.answer()
        stage.executor.runAll()
        #expect(fetches.map { $0.fetched?.page.content[0].id } == [1, 1, 1])
        #expect(fetches.map { $0.fetched?.isStale } == [false, false, false])
        #expect(stage.isStale("e") == false)
    }

    @Test func `a load that waits for another attempt goes on waiting, and serves who comes later`() {
        let stage = Stage(Self.tags)
        let first = stage.begin("a", .networkOnly)
        stage.executor.runAll()
        stage.paginator.invalidate(tags: ["posts"])
        stage.calls.withLock { $0.open.removeFirst() }.answer(.failure(.retry(FetchRig.Outage(), after: .seconds(5))))
        stage.executor.runAll()
        let late = stage.begin("a", .networkOnly)
        stage.executor.runAll()
        #expect(stage.callCount == 1, "the source wants to be left alone")
        stage.clock.advance(by: .seconds(6))
        stage.executor.runAll()
        #expect(stage.callCount == 2)
        stage.answer()
        stage.executor.runAll()
        #expect([first, late].map { $0.fetched?.page.content[0].id } == [2, 2])
        #expect([first, late].map { $0.fetched?.isStale } == [false, false])
    }

    @Test func `who falls back on a cached page gets it in time, also where a newer page has to be asked for`() {
        let stage = Stage(Self.tags)
        _ = stage.fetch("a")
        let first = stage.begin("a", .networkFirst(fallbackAfter: .seconds(2)))
        stage.executor.runAll()
        stage.paginator.invalidate(tags: ["posts"])
        let late = stage.begin("a", .networkFirst(fallbackAfter: .seconds(2)))
        stage.executor.runAll()
        stage.clock.advance(by: .seconds(1))
        stage.answer()
        stage.executor.runAll()
        #expect(first.fetched?.page.content[0].id == 2)
        #expect(late.fetched == nil)
        stage.clock.advance(by: .seconds(1))
        stage.executor.runAll()
        #expect(late.fetched?.page.content[0].id == 2)
        #expect(late.fetched?.isStale == true)
        stage.answer()
        stage.executor.runAll()
        #expect(stage.isStale("a") == false)
    }

    @Test func `a page whose load was under way is kept, and is stale where it has the tag`() {
        let stage = Stage(Self.tags, hasStore: true)
        let fetches = ["a", "c"].map { stage.begin($0) }
        stage.executor.runAll()
        stage.paginator.invalidate(tags: ["posts"])
        stage.executor.runAll()
        stage.answer()
        stage.answer()
        stage.executor.runAll()
        #expect(fetches.map { $0.fetched?.isStale } == [true, false])
        #expect([stage.isStale("a"), stage.isStale("c")] == [true, false])
        stage.paginator.trim(toFraction: 0)
        #expect(stage.fetch("a", .cacheOnly)?.isStale == true)
        #expect(stage.fetch("c")?.page.content[0].id == 2)
        #expect(stage.fetch("a")?.page.content[0].id == 3)
    }

    @Test func `a load that has not asked the source yet gives a fresh page`() {
        let stage = Stage(Self.tags)
        stage.paginator.suspend()
        let fetch = stage.begin("a")
        stage.executor.runAll()
        stage.paginator.invalidate(tags: ["posts"])
        stage.paginator.resume()
        stage.executor.runAll()
        stage.answer()
        stage.executor.runAll()
        #expect(fetch.fetched?.isStale == false)
        #expect(stage.isStale("a") == false)
        #expect(stage.callCount == 1)
    }

    @Test func `a refresh that asks the source after the invalidation gives a fresh page`() {
        for (policy, hasStore) in [(FetchPolicy.networkOnly, false), (.networkFirst, false), (.networkFirst, true)] {
            let stage = Stage(Self.tags, hasStore: hasStore)
            _ = stage.fetch("a")
            stage.paginator.trim(toFraction: 0)
            stage.paginator.suspend()
            let fetch = stage.begin("a", policy)
            stage.executor.runAll()
            stage.paginator.invalidate(tags: ["posts"])
            stage.paginator.resume()
            stage.executor.runAll()
            stage.answer()
            stage.executor.runAll()
            #expect(fetch.fetched?.isStale == false)
            #expect(stage.isStale("a") == false)
            #expect(stage.callCount == 2)
        }
    }

    @Test func `a page that is asked for after the invalidation is fresh while the store is read from before it`() {
        let stage = Stage(Self.tags, hasStore: true)
        let fetch = stage.begin("a", .networkFirst)
        stage.paginator.invalidate(tags: ["posts"])
        // The source is asked, and answers, before the store does.
        while stage.callCount == 0, stage.executor.runOne(choose: { $0 - 1 }) {}
        stage.answer()
        while fetch.fetched == nil, stage.executor.runOne(choose: { $0 - 1 }) {}
        stage.executor.runAll()
        #expect(fetch.fetched?.page.content[0].id == 1)
        #expect(fetch.fetched?.isStale == false)
        #expect(stage.isStale("a") == false)
    }

    @Test func `a retry after the invalidation gives a fresh page`() {
        let stage = Stage(Self.tags)
        let fetch = stage.begin("a", .networkOnly)
        stage.executor.runAll()
        stage.paginator.invalidate(tags: ["posts"])
        stage.calls.withLock { $0.open.removeFirst() }.answer(.failure(.retry(FetchRig.Outage(), after: .seconds(1))))
        stage.executor.runAll()
        stage.clock.advance(by: .seconds(2))
        stage.executor.runAll()
        stage.answer()
        stage.executor.runAll()
        #expect(fetch.fetched?.page.content[0].id == 2)
        #expect(fetch.fetched?.isStale == false)
        #expect(stage.isStale("a") == false)
    }

    @Test func `what the store gives to a load that began before is no fresh page`() {
        let stage = Stage(Self.tags, hasStore: true)
        _ = stage.fetch("a")
        stage.paginator.trim(toFraction: 0)
        let fetch = stage.begin("a")
        // Up to the store's answer, which is on its way.
        for _ in 0..<20 where stage.calls.withLock({ $0.open.isEmpty }) {
            _ = stage.executor.runOne(choose: { _ in 0 })
            stage.paginator.invalidate(tags: ["posts"])
        }
        stage.executor.runAll()
        stage.answer()
        stage.executor.runAll()
        #expect(fetch.fetched?.page.content[0].id == 2)
    }

    @Test func `an expired page that the store gives to a load that began before is no answer for who comes later`() {
        let stage = Stage(Self.tags, hasStore: true)
        let expired = PaginatorPage(
            content: [SampleItem(id: 0, text: "a")], key: "a", expirationTime: stage.clock.wallTime, tags: ["posts"])
        stage.store?.pages.withLock {
            $0[PageIdentity(key: "a", pageSize: 10)] = StoredPage(page: expired, fetchedAt: stage.clock.wallTime)
        }
        _ = stage.begin("a", .cacheThenRenew)
        stage.paginator.invalidate(tags: ["posts"])
        let late = stage.begin("a", .cacheThenRenew)
        stage.executor.runAll()
        #expect(late.fetched == nil, "the page is known to be wrong")
        stage.answer()
        stage.executor.runAll()
        #expect(late.fetched?.page.content[0].id == 1)
        #expect(late.fetched?.isStale == false)
    }

    // MARK: - Limits

    @Test func `empty tags and repeated ones are left out`() {
        let tags = PaginatorPage<Int>(content: [], key: "a", tags: ["x", "", "é", "x", "e\u{301}", ""]).tags
        #expect(tags.map { Array($0.utf8) } == ["x", "é", "e\u{301}"].map { Array($0.utf8) })
    }

    @Test(arguments: [
        ["a\0b"], [String(repeating: "x", count: 4_097)], (0..<1_001).map { "\($0)" },
    ])
    func `a page with tags that are too many, too long or no text fails, and says why`(_ tags: [String]) {
        let stage = Stage(["a": tags])
        let error = Guarded<PaginatorError?>(nil)
        stage.paginator.fetch(key: "a", pageSize: 10) { result in
            if case .failure(let failure) = result { error.withLock { $0 = failure } }
        }
        stage.executor.runAll()
        stage.answer()
        stage.executor.runAll()
        #expect(error.withLock { $0?.code } == .sourceFailed)
        #expect((error.withLock { $0?.underlying } as? PaginatorError)?.code == .invalidKey)
        #expect(stage.callCount == 1)
        #expect(throws: PaginatorError.self) {
            try stage.paginator.prime(PaginatorPage(content: [], key: "b", tags: tags), pageSize: 10)
        }
    }

    @Test func `a page may have a thousand tags`() {
        let stage = Stage(["a": (0..<1_000).map { "\($0)" }])
        #expect(stage.fetch("a")?.page.tags.count == 1_000)
    }

    // MARK: - Any order

    /// Whatever comes in between: a page that is not called stale was asked for after the last invalidation of its tags that
    /// came before its fetch, and one that was asked for after the last of all is not called stale.
    @Test(arguments: UInt64(0)..<200)
    func `no page of before an invalidation passes for a fresh one`(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let keys = ["a", "b", "c"]
        let stage = Stage(["a": ["x"], "b": ["x", "y"], "c": ["z"]], hasStore: seed % 2 == 0)
        // How many calls there had been at the last invalidation of each tag.
        var callsBefore: [String: Int] = [:]
        var fetches: [(key: String, least: Int, answer: RecordingListener<SampleItem>)] = []
        for _ in 0..<80 {
            switch random.number(in: 0..<10) {
            case 0..<3:
                let key = keys[random.number(in: 0..<3)]
                let least = stage.tags.withLock { $0[key] ?? [] }.compactMap { callsBefore[$0] }.max() ?? 0
                let policy: FetchPolicy = [.cacheFirst, .networkOnly, .staleWhileRevalidate, .networkFirst][
                    random.number(in: 0..<4)]
                fetches.append((key, least, stage.begin(key, policy)))
            case 3:
                let tag = ["x", "y", "z"][random.number(in: 0..<3)]
                stage.paginator.invalidate(tags: [tag])
                callsBefore[tag] = stage.callCount
            case 4 where random.chance(0.3): stage.paginator.trim(toFraction: 0)
            case 5, 6:
                let open = stage.calls.withLock { $0.open.count }
                if open > 0 { stage.answer(random.number(in: 0..<open)) }
            default:
                for _ in 0..<random.number(in: 0..<6) {
                    _ = stage.executor.runOne { random.number(in: 0..<$0) }
                }
            }
        }
        stage.executor.runAll()
        while stage.calls.withLock({ !$0.open.isEmpty }) {
            stage.answer()
            stage.executor.runAll()
        }
        for (key, least, answer) in fetches {
            guard let page = answer.fetched else {
                Issue.record("seed \(seed): a fetch of \(key) has no answer")
                continue
            }
            let number = page.page.content[0].id
            #expect(
                page.isStale || number > least, "seed \(seed): \(key) is call \(number), and \(least) had been made")
            let last = page.page.tags.compactMap { callsBefore[$0] }.max() ?? 0
            #expect(!page.isStale || number <= last, "seed \(seed): \(key), asked for after \(last), is stale")
        }
        // What memory shows at the end is stale where it is older.
        for key in keys {
            guard let page = stage.paginator.peek(key: key, pageSize: 10) else { continue }
            let least = page.page.tags.compactMap { callsBefore[$0] }.max() ?? 0
            #expect(page.isStale == (page.page.content[0].id <= least), "seed \(seed): \(key) at the end")
        }
    }

    @Test func `a page that is asked for after the invalidation is fresh, though the store is still being read`() {
        let stage = Stage(Self.tags, hasStore: true)
        stage.paginator.suspend()
        let fetch = stage.begin("a", .networkFirst)
        stage.paginator.invalidate(tags: ["posts"])
        stage.paginator.resume()
        while stage.callCount == 0, stage.executor.runOne(choose: { $0 - 1 }) {}
        stage.answer()
        stage.executor.runAll()
        #expect(fetch.fetched?.isStale == false)
        #expect(stage.isStale("a") == false)
        #expect(stage.callCount == 1)
    }
}
