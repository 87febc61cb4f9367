import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorAsync

/// An iterator is a value, so it is copied; both copies go on.
@MainActor @Suite struct IteratorCopiesTests {
    private typealias Iterator = PaginatorSequence<FetchedPage<SampleItem>, PaginatorError>.Iterator

    private func world() -> AsyncWorld {
        let world = AsyncWorld(pages: nil)
        world.source.script([.page(PaginatorPage(content: [], key: "0", nextKey: "1"))], forKey: "0")
        return world
    }

    /// An iterator that loads a page ahead.
    private func iterator(in world: AsyncWorld) async throws -> Iterator {
        var iterator = world.paginator.pages(from: "0", pageSize: 10, loadsAhead: true).makeAsyncIterator()
        _ = try await iterator.next()
        _ = try await world.source.waitForCalls(2)
        return iterator
    }

    /// Asks a copy of an iterator for its next page, and goes on when it waits.
    private func pull(_ iterator: Iterator) async -> Task<String, any Error> {
        let task = Task { @MainActor in
            var copy = iterator
            return try await copy.next()?.key ?? "end"
        }
        for _ in 0..<200 { await Task.yield() }
        return task
    }

    @Test(.timeLimit(.minutes(1)))
    func `two copies that wait for the page ahead both get it, from one call`() async throws {
        let world = world()
        let iterator = try await iterator(in: world)
        let tasks = [await pull(iterator), await pull(iterator)]
        world.source.answer(world.source.calls[1], with: .success(PaginatorPage(content: [], key: "1")))
        for task in tasks { #expect(try await task.value == "1") }
        #expect(world.source.keys == ["0", "1"])
    }

    @Test(.timeLimit(.minutes(1)))
    func `the task of one waiting copy is cancelled, and the other one goes on waiting`() async throws {
        let world = world()
        let iterator = try await iterator(in: world)
        let (cancelled, waiting) = (await pull(iterator), await pull(iterator))
        cancelled.cancel()
        await #expect(throws: PaginatorError.self) { try await cancelled.value }
        world.source.answer(world.source.calls[1], with: .success(PaginatorPage(content: [], key: "1")))
        #expect(try await waiting.value == "1")
        #expect(world.source.keys == ["0", "1"])
    }

    @Test(.timeLimit(.minutes(1)))
    func `the only waiting copy is cancelled, and the other one fetches the page itself`() async throws {
        let world = world()
        let iterator = try await iterator(in: world)
        let cancelled = await pull(iterator)
        cancelled.cancel()
        await #expect(throws: PaginatorError.self) { try await cancelled.value }
        world.source.otherwise { .page(PaginatorPage(content: [], key: $0.key)) }
        #expect(try await pull(iterator).value == "1")
    }

    @Test func `a page ahead that fails while a copy waits for it is not asked for again`() async throws {
        struct Broken: Error {}
        let world = world()
        let iterator = try await iterator(in: world)
        let waiting = await pull(iterator)
        world.source.otherwise { .page(PaginatorPage(content: [], key: $0.key)) }
        world.source.answer(world.source.calls[1], with: .failure(.fatal(Broken())))
        await #expect(throws: PaginatorError.self) { try await waiting.value }
        #expect(world.source.keys == ["0", "1"])
    }

    // MARK: - Copies that share the elements

    private typealias States = PaginatorSequence<PaginatorPageResult<SampleItem>?, Never>.Iterator

    /// Asks a copy of an iterator for its next state, goes on when it waits, and tells later whether one came.
    private func pull(_ states: States, _ came: Handshake<Bool?>) async {
        Task { @MainActor in
            var copy = states
            let state = await copy.next()
            let isThere = if case .some = state { true } else { false }
            came.update { $0 = isThere }
        }
        for _ in 0..<200 { await Task.yield() }
    }

    @Test func `of two copies that wait for the next state of a page, the earlier one ends`() async throws {
        let world = AsyncWorld()
        var states = world.paginator.states(key: "0", pageSize: 10).makeAsyncIterator()
        _ = await states.next()
        let (earlier, later) = (Handshake<Bool?>(nil), Handshake<Bool?>(nil))
        await pull(states, earlier)
        #expect(earlier.read { $0 } == nil, "it waits")
        await pull(states, later)
        #expect(earlier.read { $0 } == false)
        #expect(later.read { $0 } == nil, "it waits")
        world.paginator.prefetch(keys: ["0"], pageSize: 10)
        try await later.wait { $0 != nil }
        #expect(later.read { $0 } == true)
    }

    // MARK: - Calls

    @Test func `what a task did not take that was cancelled too late is there for the next one`() async throws {
        let world = AsyncWorld()
        let page = try await world.paginator.fetch(key: "0", pageSize: 10)
        let pending = PendingFetch<SampleItem>()
        pending.start { _ in .custom { false } }
        let cancelled = Task { @MainActor in await pending.value() }
        for _ in 0..<200 { await Task.yield() }
        cancelled.cancel()
        await #expect(throws: PaginatorError.self) { try await cancelled.value.get() }
        pending.fetchDidEnd(.success(page))
        #expect(try await pending.value().get().key == "0")
    }

    @Test(.timeLimit(.minutes(1)))
    func `a task that is cancelled before it waits does not wait for an answer that is on its way`() async throws {
        let pending = PendingFetch<SampleItem>()
        pending.start { _ in .custom { false } }
        let cancelled = Task { @MainActor in
            while !Task.isCancelled { await Task.yield() }
            return await pending.value()
        }
        cancelled.cancel()
        await #expect(throws: PaginatorError.self) { try await cancelled.value.get() }
    }
}
