import PaginatorAsync
import PaginatorCore
import PaginatorTesting
import Testing

@Suite struct AsyncPrefetchTests {
    @Test func `a prefetch returns what came`() async throws {
        let world = AsyncWorld()
        let summary = await world.paginator.prefetch(PrefetchRequest(from: "0", pages: 3, pageSize: 10))
        #expect(summary.loaded.map(\.key) == ["0", "10", "20"])
        #expect(summary.fresh.isEmpty && summary.failed.isEmpty && summary.unfinished.isEmpty)
        let again = await world.paginator.prefetch(PrefetchRequest(keys: ["10", "30"], pageSize: 10))
        #expect(again.fresh.map(\.key) == ["10"] && again.loaded.map(\.key) == ["30"])
    }

    @Test func `cancelling the task ends a prefetch with what came until then`() async throws {
        let world = AsyncWorld(pages: nil)
        let paginator = world.paginator
        let task = Task { await paginator.prefetch(PrefetchRequest(from: "0", pages: 3, pageSize: 10)) }
        let call = try await world.source.waitForCalls(1)[0]
        world.source.answer(call, with: .success(PaginatorPage(content: [], key: "0", nextKey: "10")))
        _ = try await world.source.waitForCalls(2)
        task.cancel()
        let summary = await task.value
        #expect(summary.loaded.map(\.key) == ["0"])
        #expect(summary.unfinished.map(\.key) == ["10"])
        try await world.source.waitForCancelledCalls(1)
    }

    @Test func `a prefetch in a cancelled task ends`() async {
        let world = AsyncWorld(pages: nil)
        let paginator = world.paginator
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await paginator.prefetch(PrefetchRequest(keys: ["0"], pageSize: 10))
        }
        task.cancel()
        #expect(await task.value.unfinished.map(\.key) == ["0"])
    }

    @Test @MainActor func `a completion for the main actor touches what is there`() async {
        let world = AsyncWorld()
        let model = Model()
        await withCheckedContinuation { continuation in
            world.paginator.prefetch(
                PrefetchRequest(keys: ["0"], pageSize: 10),
                onMain: { summary in
                    model.loaded += summary.loaded.map(\.key)
                    continuation.resume()
                })
        }
        #expect(model.loaded == ["0"])
    }

    @MainActor private final class Model {
        var loaded: [String] = []
    }
}
