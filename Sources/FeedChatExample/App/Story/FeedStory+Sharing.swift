import Dispatch
import PaginatorCore

extension FeedStory {
    /// A page and its neighbors, the asked page first.
    func fetchAroundOnePage(_ keys: [String]) async throws {
        transcript.begin("A page and two neighbors on each side")
        let paginator = makePaginator()
        let before = await conditions.requestCount
        let (pages, result) = await around(keys[10], in: paginator)
        let summary = try result.get()
        for (distance, page) in pages { transcript.note("\(distance): \(describe(page))") }
        transcript.verify(
            pages.map(\.distance), equals: [0, 1, -1, 2, -2], "the asked page came first, then the nearest")
        transcript.verify(summary.delivered, equals: pages.map(\.distance), "the completion names what came")
        transcript.verify(
            pages.map(\.page.page.key), equals: [0, 1, -1, 2, -2].map { keys[10 + $0] }, "they are the right pages")
        let arrivals = await conditions.arrivals[before...].map(\.cursor)
        transcript.verify(arrivals.first, equals: cursor(keys[10]), "the server was asked for the asked page first")
        transcript.verify(arrivals.count, equals: 5, "and five times in all")
    }

    private func around(
        _ key: String, in paginator: CallbackPaginator<PostPreview>
    ) async -> ([AroundLog.Delivery], Result<AroundSummary, PaginatorError>) {
        await withCheckedContinuation { continuation in
            let log = AroundLog { continuation.resume(returning: ($0, $1)) }
            paginator.fetchAround(key: key, pageSize: pageSize, depthLevel: 2, listener: log)
        }
    }

    /// A hundred callers on several threads, one request.
    func shareOneRequest(_ keys: [String]) async throws {
        transcript.begin("A hundred callers share one request")
        let paginator = makePaginator()
        let before = await conditions.requests(after: cursor(keys[20]))
        await conditions.answer(after: .milliseconds(150))
        let results = await withTaskGroup { [pageSize] group in
            for _ in 0..<100 {
                group.addTask { await paginator.answer(key: keys[20], pageSize: pageSize) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        await conditions.answer(after: .zero)
        let pages = try results.map { try $0.get().page }
        await transcript.verify(
            conditions.requests(after: cursor(keys[20])) - before, equals: 1, "the server counted one request")
        transcript.verify(pages.count, equals: 100, "each of a hundred callers was answered")
        transcript.verify(pages.allSatisfy { $0 === pages[0] }, "all of them with the same object")
    }

    /// A fetch that a person waits for overtakes prefetches that are queued.
    func startUrgentWorkFirst(_ keys: [String]) async throws {
        transcript.begin("A high priority fetch starts before queued prefetches")
        let paginator = makePaginator { $0.maxParallelCalls = 1 }
        let before = await conditions.requestCount
        await conditions.answer(after: .milliseconds(100))
        let hinted = Array(keys[1...6])
        paginator.prefetch(keys: hinted, pageSize: pageSize)
        let urgent = try await paginator.answer(key: keys[15], pageSize: pageSize, priority: .high).get()
        transcript.note(describe(urgent))
        await conditions.answer(after: .zero)
        for key in hinted { _ = try await paginator.answer(key: key, pageSize: pageSize).get() }
        let arrivals = await conditions.arrivals[before...].map(\.cursor)
        let place = arrivals.firstIndex(of: cursor(keys[15])) ?? arrivals.count
        transcript.note("the server was asked for it as number \(place + 1) of \(arrivals.count)")
        transcript.verify(place <= 1, "only the call that was already running came before it")
        transcript.verify(arrivals.count, equals: 7, "every prefetched page was asked for once")
    }
}
