import PaginatorAsync
import PaginatorCore
import PaginatorTesting
import Testing

@Suite struct AsyncHopTests {
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test func `a hit neither suspends nor hops`() async throws {
        let paginator = AsyncWorld().paginator
        let actor = CountingActor()
        // A miss may be answered before anybody waits for it, so that what counts jobs is tried by something else.
        let (_, jobsOfYield) = await actor.jobs { _ in await Task.yield() }
        #expect(jobsOfYield >= 1)
        _ = try await paginator.fetch(key: "0", pageSize: 10)
        let (page, jobsOfHits) = try await actor.jobs { _ in
            for _ in 0..<100 { _ = try await paginator.fetch(key: "0", pageSize: 10) }
            return try await paginator.fetch(key: "0", pageSize: 10).page
        }
        #expect(page.content.count == 10)
        #expect(jobsOfHits == 0)
    }

    @Test @MainActor func `a hit keeps the main actor to itself`() async throws {
        let paginator = AsyncWorld().paginator
        _ = try await paginator.fetch(key: "0", pageSize: 10)
        var others = 0
        Task { @MainActor in others += 1 }
        for _ in 0..<100 { _ = try await paginator.fetch(key: "0", pageSize: 10) }
        #expect(others == 0, "another task ran on the main actor, so the fetch suspended")
        _ = try await paginator.fetch(key: "10", pageSize: 10)
        while others == 0 { await Task.yield() }
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test func `a hit that starts a renewal, supersedes another or is observed does not suspend either`() async throws {
        let actor = CountingActor()
        let observer = RecordingObserver()
        let observed = AsyncWorld { $0.observer = observer }.paginator
        _ = try await observed.fetch(key: "0", pageSize: 10)
        let (_, jobs) = try await actor.jobs { _ in
            _ = try await observed.fetch(key: "0", pageSize: 10)
            return try await observed.fetch(key: "0", pageSize: 10, debounce: DebounceKey("search"))
        }
        #expect(jobs == 0)
        #expect(try await observer.waitForEvents(of: .memoryHit).count >= 1)

        let source = ScriptedDataSource<SampleItem>(otherwise: { _ in .page(PaginatorPage(content: [], key: "0")) })
        let renewing = CallbackPaginator(dataSource: source, validator: RenewingValidator())
        _ = try await renewing.fetch(key: "0", pageSize: 10)
        let (_, jobsOfRenewal) = try await actor.jobs { _ in try await renewing.fetch(key: "0", pageSize: 10) }
        #expect(jobsOfRenewal == 0)
        #expect(try await source.waitForCalls(2).count == 2)
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test func `items of a page that has come do not suspend`() async throws {
        let paginator = AsyncWorld().paginator
        let actor = CountingActor()
        for try await _ in paginator.pages(from: "0", pageSize: 10) {}
        let (count, jobs) = try await actor.jobs { _ in
            var count = 0
            for try await _ in paginator.items(from: "0", pageSize: 10) { count += 1 }
            return count
        }
        #expect(count == 100)
        #expect(jobs == 0)
    }
}

private struct RenewingValidator: PageValidator {
    func judge(_ page: PaginatorPage<SampleItem>, in context: ValidationContext) -> PageVerdict {
        context.origin == .memory ? .useButRefresh : .accept
    }
}
