import PaginatorAsync
import PaginatorCore
import PaginatorTesting
import Testing

/// Async code chooses whether it waits for the disk.
@Suite struct PlainClearTests {
    @Test func `a clear that does not wait for the disk can be called in async code`() async throws {
        let store = ScriptedStore<SampleItem>()
        let world = AsyncWorld(store: store)
        for key in ["0", "10", "20"] { _ = try await world.paginator.fetch(key: key, pageSize: 10) }
        store.holdChanges()
        world.paginator.clear(key: "0")
        #expect(world.paginator.peek(key: "0", pageSize: 10) == nil)
        world.paginator.clear(scope: "")
        #expect(world.paginator.peek(key: "10", pageSize: 10) == nil)
        world.paginator.clearAll()
        store.acceptChanges()
        try await world.paginator.clearAllAndWait()
        #expect(store.pages.isEmpty)
    }
}
