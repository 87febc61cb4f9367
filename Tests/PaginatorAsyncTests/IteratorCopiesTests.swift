import PaginatorAsync
import PaginatorCore
import PaginatorTesting
import Testing

/// An iterator is a value, so it is copied; both copies go on.
@Suite struct IteratorCopiesTests {
    private typealias Iterator = PageSequence<SampleItem>.Iterator

    private static func world() -> AsyncWorld {
        let world = AsyncWorld(pages: nil)
        world.source.script([.page(PaginatorPage(content: [], key: "0", nextKey: "1"))], forKey: "0")
        return world
    }

    private static func copies(in world: AsyncWorld) async throws -> (Iterator, Iterator) {
        var iterator = world.paginator.pages(from: "0", pageSize: 10, loadsAhead: true).makeAsyncIterator()
        _ = try await iterator.next()
        _ = try await world.source.waitForCalls(2)
        return (iterator, iterator)
    }

    private static func pull(_ iterator: sending Iterator) -> Task<String, any Error> {
        var iterator = iterator
        return Task { try await iterator.next()?.key ?? "end" }
    }

    @Test(.timeLimit(.minutes(1))) func `two copies that wait for the page ahead both get it, from one call`() async throws {
        let world = Self.world()
        let (one, other) = try await Self.copies(in: world)
        let tasks = [Self.pull(one), Self.pull(other)]
        for _ in 0..<200 { await Task.yield() }
        world.source.answer(
            world.source.calls[1], with: .success(PaginatorPage(content: [], key: "1")))
        for task in tasks { #expect(try await task.value == "1") }
        #expect(world.source.keys == ["0", "1"])
    }

    @Test(.timeLimit(.minutes(1))) func `the task of one copy is cancelled, and the other one gets its page`() async throws {
        let world = Self.world()
        let (one, other) = try await Self.copies(in: world)
        let cancelled = Self.pull(one)
        for _ in 0..<200 { await Task.yield() }
        cancelled.cancel()
        await #expect(throws: PaginatorError.self) { try await cancelled.value }
        world.source.otherwise { .page(PaginatorPage(content: [], key: $0.key)) }
        let waiting = Self.pull(other)
        #expect(try await waiting.value == "1")
    }
}
