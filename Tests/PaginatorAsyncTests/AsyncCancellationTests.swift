import PaginatorAsync
import PaginatorCore
import PaginatorTesting
import Testing

@Suite struct AsyncCancellationTests {
    @Test func `a cancelled task starts nothing, even for a page in memory`() async throws {
        let world = AsyncWorld()
        let paginator = world.paginator
        _ = try await paginator.fetch(key: "0", pageSize: 10)
        for key in ["0", "10"] {
            let task = Task { () -> PaginatorError? in
                while !Task.isCancelled { await Task.yield() }
                return await caught { () throws(PaginatorError) in try await paginator.fetch(key: key, pageSize: 10) }
            }
            task.cancel()
            #expect(await task.value?.code == .cancelled)
        }
        #expect(world.source.keys == ["0"])
    }

    @Test func `cancelling while the source works stops the call`() async throws {
        let world = AsyncWorld(pages: nil)
        let paginator = world.paginator
        let task = Task {
            await caught { () throws(PaginatorError) in try await paginator.fetch(key: "0", pageSize: 10) }
        }
        _ = try await world.source.waitForCalls(1)
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        try await world.source.waitForCancelledCalls(1)
    }

    @Test func `cancelling one of two waiters leaves the other its page`() async throws {
        let world = AsyncWorld(pages: nil)
        let paginator = world.paginator
        let first = Task {
            await caught { () throws(PaginatorError) in try await paginator.fetch(key: "0", pageSize: 10) }
        }
        let call = try await world.source.waitForCalls(1)[0]
        let second = Task { try await paginator.fetch(key: "0", pageSize: 10) }
        while paginator.counters[.joined] == 0 { await Task.yield() }
        first.cancel()
        #expect(await first.value?.code == .cancelled)
        world.source.answer(call, with: .success(PaginatorPage(content: [], key: "0")))
        #expect(try await second.value.key == "0")
        #expect(world.source.calls.count == 1)
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test func `a cancel that comes after the answer and before the task runs wins`() async throws {
        let world = AsyncWorld(pages: nil)
        let paginator = world.paginator
        let actor = CountingActor()
        let blocked = Handshake(0)
        let task = Task { await caught { () throws(PaginatorError) in try await fetch(paginator, on: actor) } }
        let call = try await world.source.waitForCalls(1)[0]
        // The actor is busy, so that the answer cannot resume the task.
        let busy = Task { await actor.block(blocked) }
        try await blocked.wait { $0 == 1 }
        world.source.answer(call, with: .success(PaginatorPage(content: [], key: "0")))
        let answered = await withCheckedContinuation { continuation in
            _ = paginator.fetch(key: "0", pageSize: 10) { continuation.resume(returning: $0) }
        }
        #expect(throws: Never.self) { try answered.get() }
        task.cancel()
        blocked.update { $0 = 2 }
        #expect(await task.value?.code == .cancelled)
        await busy.value
    }

    @Test func `random cancels end every fetch once and leave nothing running`() async throws {
        let seed = UInt64.random(in: 0..<1_000_000)
        var random = SeededRandom(seed: seed)
        let pages = SamplePages(count: 100)
        let world = AsyncWorld(pages: pages)
        let paginator = world.paginator
        var outcomes = 0
        for _ in 0..<300 {
            let key = String(Int.random(in: 0..<10, using: &random) * 10)
            let task = Task {
                await caught { () throws(PaginatorError) in try await paginator.fetch(key: key, pageSize: 10) }
            }
            for _ in 0..<Int.random(in: 0..<4, using: &random) { await Task.yield() }
            if Bool.random(using: &random) { task.cancel() }
            if Bool.random(using: &random) { try await paginator.clearAndWait(key: key) }
            let error = await task.value
            #expect(error == nil || error?.code == .cancelled, "seed \(seed)")
            outcomes += 1
        }
        #expect(outcomes == 300)
        #expect(paginator.dump().contains("paginator: mode=running, waiting=0"), "seed \(seed)")
    }
}

@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
private func fetch(
    _ paginator: CallbackPaginator<SampleItem>, on actor: isolated CountingActor
) async throws(PaginatorError) -> FetchedPage<SampleItem> {
    try await paginator.fetch(key: "0", pageSize: 10)
}

@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
extension CountingActor {
    /// Holds the actor's thread until the value is 2.
    fileprivate func block(_ value: Handshake<Int>) {
        value.update { $0 = 1 }
        value.block { $0 == 2 }
    }
}
