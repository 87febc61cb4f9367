import PaginatorAsync
import PaginatorCore
import PaginatorTesting
import Testing

/// A fetch as a sequence: the preview, then the answer.
@Suite struct FetchUpdatesTests {
    private struct Broken: Error {}

    /// A world whose page "0" is in memory, marked stale.
    private func staleWorld(_ change: (inout PaginatorConfig) -> Void = { _ in }) async throws -> AsyncWorld {
        let world = AsyncWorld(change)
        _ = try await world.paginator.fetch(key: "0", pageSize: 10)
        world.paginator.invalidate(.key("0"))
        return world
    }

    @Test func `a stale page comes as a preview, and then the fresh one`() async throws {
        let world = try await staleWorld()
        var seen: [(PageOrigin, Bool, [Int])] = []
        for try await update in world.paginator.updates(key: "0", pageSize: 10) {
            seen.append((update.origin, update.isStale, update.content.map(\.id)))
        }
        #expect(seen.map(\.0) == [.memory, .source])
        #expect(seen.map(\.1) == [true, false])
        #expect(seen.allSatisfy { $0.2 == Array(0..<10) })
        #expect(world.source.keys == ["0", "0"], "one call for the first page, one to renew it")
    }

    @Test func `a fresh page is the one answer, and the source is not asked`() async throws {
        let world = AsyncWorld()
        _ = try await world.paginator.fetch(key: "0", pageSize: 10)
        var origins: [PageOrigin] = []
        for try await update in world.paginator.updates(key: "0", pageSize: 10) { origins.append(update.origin) }
        #expect(origins == [.memory])
        #expect(world.source.keys == ["0"])
    }

    @Test func `when the renewal fails the stale page is the answer, with the reason`() async throws {
        let world = try await staleWorld { $0.maxAttempts = 1 }
        world.source.script([.fail(.fatal(Broken()))], forKey: "0")
        var answers: [FetchedPage<SampleItem>] = []
        for try await update in world.paginator.updates(key: "0", pageSize: 10) { answers.append(update) }
        #expect(answers.map(\.isStale) == [true, true])
        #expect(answers.map { $0.refreshError?.code } == [nil, .sourceFailed])
        #expect(world.source.keys == ["0", "0"])
    }

    @Test func `a page that nobody has and that fails is thrown, and then it is over`() async throws {
        let world = AsyncWorld { $0.maxAttempts = 1 }
        world.source.script([.fail(.fatal(Broken()))], forKey: "0")
        var iterator = world.paginator.updates(key: "0", pageSize: 10).makeAsyncIterator()
        let error = await caught { () throws(PaginatorError) in _ = try await iterator.next() }
        #expect(error?.code == .sourceFailed)
        #expect(try await iterator.next() == nil)
    }

    @Test func `who is slow gets the latest of the previews that came meanwhile, and then the answer`() async throws {
        let executor = SimulatedExecutor()
        let world = AsyncWorld(pages: nil) { $0.simulate(on: executor, clock: ManualPaginatorClock()) }
        let items = (0..<10).map { SampleItem(id: $0, text: "") }
        let (taken, goesOn) = (Handshake(0), Handshake(false))
        let task = Task { () -> [Int] in
            var counts: [Int] = []
            for try await update in world.paginator.updates(key: "0", pageSize: 10) {
                counts.append(update.content.count)
                taken.update { $0 += 1 }
                try await goesOn.wait { $0 }
            }
            return counts
        }
        try await executor.settle { !world.source.pendingCalls.isEmpty }
        let call = try #require(world.source.pendingCalls.first)
        call.request.preview(PaginatorPage(content: Array(items.prefix(1)), key: "0", continuation: ""))
        executor.runAll()
        try await taken.wait { $0 == 1 }
        for count in 2..<10 {
            call.request.preview(PaginatorPage(content: Array(items.prefix(count)), key: "0", continuation: ""))
            executor.runAll()
        }
        world.source.answer(call, with: .success(PaginatorPage(content: items, key: "0")))
        executor.runAll()
        goesOn.update { $0 = true }
        #expect(try await task.value == [1, 9, 10])
    }

    @Test func `nothing is fetched before the first element, and who stops cancels the fetch`() async throws {
        let world = try await staleWorld()
        world.source.script([.hang], forKey: "0")
        do {
            let sequence = world.paginator.updates(key: "0", pageSize: 10)
            var iterator = sequence.makeAsyncIterator()
            #expect(world.source.calls.count == 1)
            #expect(try await iterator.next()?.isStale == true)
            try await world.source.waitForCalls(2)
        }
        try await world.source.waitForCancelledCalls(1)
        #expect(world.source.calls.count == 2)
    }

    @Test func `cancelling the task ends the wait for the answer and stops the load`() async throws {
        let world = try await staleWorld()
        world.source.script([.hang], forKey: "0")
        let previewed = Handshake(false)
        let task = Task { () -> PaginatorError? in
            await caught { () throws(PaginatorError) in
                for try await _ in world.paginator.updates(key: "0", pageSize: 10) { previewed.update { $0 = true } }
            }
        }
        try await previewed.wait { $0 }
        try await world.source.waitForCalls(2)
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        try await world.source.waitForCancelledCalls(1)
    }
}
