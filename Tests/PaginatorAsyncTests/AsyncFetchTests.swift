import PaginatorAsync
import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@Suite struct AsyncFetchTests {
    @Test func `returns the page, and the whole answer in the other form`() async throws {
        let world = AsyncWorld()
        let page = try await world.paginator.fetch(key: "0", pageSize: 10)
        #expect(page.content.map(\.id) == Array(0..<10))
        let fetched = try await world.paginator.fetch(key: "0", pageSize: 10)
        #expect(fetched.page === page.page)
        #expect(fetched.origin == .memory)
        #expect(world.source.keys == ["0"])
    }

    @Test func `a page in memory comes with its pending and committed edits`() async throws {
        let world = AsyncWorld()
        _ = try await world.paginator.fetch(key: "0", pageSize: 10)
        let edits = world.paginator.edits(id: \SampleItem.id)
        func texts() async throws -> [String] {
            let relay: any Paginator<SampleItem> = RelayingPaginator(world.paginator)
            return [
                try await world.paginator.fetch(key: "0", pageSize: 10).content[3].text,
                try await world.paginator.fetch(key: "0", pageSize: 10, policy: .cacheOnly).content[3].text,
                try await relay.fetch(key: "0", pageSize: 10).content[3].text,
            ]
        }
        let old = try await texts()[0]
        let edit = edits.begin(3) { SampleItem(id: $0.id, text: "pending") }
        #expect(try await texts() == Array(repeating: "pending", count: 3))
        edit.rollBack()
        #expect(try await texts() == Array(repeating: old, count: 3))
        edits.update(3) { SampleItem(id: $0.id, text: "committed") }
        #expect(try await texts() == Array(repeating: "committed", count: 3))
        #expect(world.source.keys == ["0"])
    }

    @Test func `one policy feeds the configuration, a list and every form; one answer is the last one`() async throws {
        let policy = FetchPolicy.staleWhileRevalidate
        let world = AsyncWorld {
            $0.defaultPolicy = policy
            $0.maxAttempts = 1
        }
        var config = PaginatorListConfig()
        config.policy = policy
        let paginator = world.paginator
        _ = try await paginator.fetch(key: "0", pageSize: 10, policy: policy)
        paginator.invalidate(.key("0"))
        let renewed = try await paginator.fetch(key: "0", pageSize: 10, policy: policy)
        #expect(renewed.origin == .source && !renewed.isStale)
        paginator.invalidate(.key("0"))
        world.source.script([.fail(.fatal(Broken()))], forKey: "0")
        let stale = try await paginator.fetch(key: "0", pageSize: 10)
        #expect(stale.origin == .memory && stale.isStale && stale.refreshError?.code == .sourceFailed)
        let answer = await withCheckedContinuation { continuation in
            paginator.fetch(key: "0", pageSize: 10, policy: policy) { continuation.resume(returning: $0) }
        }
        #expect(try answer.get().origin == .source)
        var pages = paginator.pages(from: "0", pageSize: 10, policy: policy).makeAsyncIterator()
        #expect(try await pages.next()?.content.count == 10)
    }

    private struct Broken: Error {}

    @Test func `works on any paginator`() async throws {
        let world = AsyncWorld()
        let relay = RelayingPaginator(world.paginator)
        let any: any Paginator<SampleItem> = relay
        #expect(try await any.fetch(key: "0", pageSize: 10).content.count == 10)
        #expect(try await any.fetch(key: "0", pageSize: 10).origin == .memory)
        #expect(
            await caught { () throws(PaginatorError) in try await relay.fetch(key: "", pageSize: 10) }?.code
                == .invalidKey)
    }

    @Test func `bad requests throw the errors of the callback form`() async throws {
        let world = AsyncWorld()
        let long = String(repeating: "k", count: 5_000)
        for (key, size) in [("", 10), ("a\u{0}b", 10), (long, 10), ("0", 0), ("0", 1_001), ("0", -1)] {
            let error = await caught { () throws(PaginatorError) in
                try await world.paginator.fetch(key: key, pageSize: size)
            }
            let expected = await withCheckedContinuation { continuation in
                _ = world.paginator.fetch(key: key, pageSize: size) { continuation.resume(returning: $0) }
            }
            guard case .failure(let told) = expected else {
                Issue.record("the callback form took \(key.prefix(9)) of \(size)")
                continue
            }
            #expect(error?.code == told.code)
            #expect(error?.message == told.message)
        }
        #expect(world.source.calls.isEmpty)
    }

    @Test func `a bad request counts as a fetch that failed`() async {
        let world = AsyncWorld()
        let error = await caught { () throws(PaginatorError) in
            try await world.paginator.fetch(key: "", pageSize: 10)
        }
        #expect(error?.code == .invalidKey)
        let counters = world.paginator.counters
        #expect(counters[.fetchStarted] == 1 && counters[.fetchEnded] == 1)
        #expect(counters.failures == [.invalidKey: 1])
    }

    @Test func `errors are typed and keep what is behind them`() async throws {
        struct Broken: Error {}
        let world = AsyncWorld { $0.maxAttempts = 1 }
        world.source.script([.fail(.fatal(Broken()))])
        do {
            _ = try await world.paginator.fetch(key: "0", pageSize: 10)
            Issue.record("no error")
        } catch {
            let typed: PaginatorError = error
            #expect(typed.code == .sourceFailed)
            #expect(typed.attempts == 1)
        }
        let missing = await caught { () throws(PaginatorError) in
            try await world.paginator.fetch(key: "90", pageSize: 10, policy: .cacheOnly)
        }
        #expect(missing?.code == .notInCache)
    }

    @Test func `a shut down paginator throws released, also for a page in memory`() async throws {
        let world = AsyncWorld()
        _ = try await world.paginator.fetch(key: "0", pageSize: 10)
        try await world.paginator.shutdownAndWait()
        for key in ["0", "10"] {
            let error = await caught { () throws(PaginatorError) in
                try await world.paginator.fetch(key: key, pageSize: 10)
            }
            #expect(error?.code == .released)
        }
    }

    @Test func `shutting down answers who waits`() async throws {
        let world = AsyncWorld(pages: nil)
        let paginator = world.paginator
        let waiting = Task {
            await caught { () throws(PaginatorError) in try await paginator.fetch(key: "0", pageSize: 10) }
        }
        _ = try await world.source.waitForCalls(1)
        try await paginator.shutdownAndWait()
        #expect(await waiting.value?.code == .released)
    }

    @Test func `a thousand tasks on one key make one call, and each gets its page`() async throws {
        let world = AsyncWorld(pages: nil)
        let paginator = world.paginator
        let pages = try await withThrowingTaskGroup(of: FetchedPage<SampleItem>.self) { group in
            for _ in 0..<1_000 { group.addTask { try await paginator.fetch(key: "0", pageSize: 10) } }
            let call = try await world.source.waitForCalls(1)[0]
            world.source.answer(call, with: .success(PaginatorPage(content: [SampleItem(id: 7, text: "")], key: "0")))
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(pages.count == 1_000)
        #expect(Set(pages.map { ObjectIdentifier($0.page) }).count == 1)
        #expect(world.source.calls.count == 1)
    }

    @Test func `a refresh returns the new page`() async throws {
        let world = AsyncWorld()
        let old = try await world.paginator.fetch(key: "0", pageSize: 10)
        let new = try await world.paginator.refresh(key: "0", pageSize: 10)
        #expect(new.page !== old.page)
        #expect(world.source.keys == ["0", "0"])
        #expect(try await world.paginator.fetch(key: "0", pageSize: 10).page === new.page)
    }

    @Test func `counters and events of a hit are those of the callback form`() async throws {
        let observer = RecordingObserver()
        for observed in [false, true] {
            let world = AsyncWorld { if observed { $0.observer = observer } }
            _ = try await world.paginator.fetch(key: "0", pageSize: 10)
            let before = world.paginator.counters
            for _ in 0..<3 { _ = try await world.paginator.fetch(key: "0", pageSize: 10) }
            let after = world.paginator.counters
            #expect(after[.memoryHit] - before[.memoryHit] == 3)
            #expect(after[.fetchStarted] - before[.fetchStarted] == 3)
            #expect(after[.fetchEnded] - before[.fetchEnded] == 3)
        }
        _ = try await observer.waitForEvents(of: .memoryHit)
    }
}

/// Somebody else's paginator, which the library cannot look into.
final class RelayingPaginator: Paginator {
    let base: CallbackPaginator<SampleItem>

    init(_ base: CallbackPaginator<SampleItem>) {
        self.base = base
    }

    func fetch(_ request: PageRequest, listener: PaginatorFetchListener<SampleItem>) -> PaginatorExecution {
        base.fetch(request, listener: listener)
    }

    func fetchAround(
        _ request: AroundRequest, listener: PaginatorFetchAroundListener<SampleItem>
    ) -> PaginatorExecution {
        base.fetchAround(request, listener: listener)
    }

    func refresh(_ request: PageRequest, listener: PaginatorFetchListener<SampleItem>?) -> PaginatorExecution {
        base.refresh(request, listener: listener)
    }
}
