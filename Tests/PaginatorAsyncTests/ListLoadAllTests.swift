import PaginatorAsync
import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

/// Waiting until a list has loaded all, or enough.
@Suite struct ListLoadAllTests {
    private struct Broken: Error {}

    @Test func `it returns when there is enough, and when there is no more`() async throws {
        let list = AsyncWorld().makeList()
        try await list.loadAllAndWait(limit: 25)
        #expect(list.snapshot.count == 30 && list.status.hasNext)
        try await list.loadAllAndWait()
        #expect(!list.status.hasNext && list.snapshot.map(\.id) == Array(0..<list.snapshot.count))
    }

    @Test func `it throws what a page failed with`() async {
        let world = AsyncWorld { $0.maxAttempts = 1 }
        let list = world.makeList()
        world.source.script([.fail(.fatal(Broken()))], forKey: "20")
        let error = await caught { () async throws(PaginatorError) in try await list.loadAllAndWait() }
        #expect(error?.code == .sourceFailed && list.snapshot.count == 20)
    }

    @Test func `a task that is cancelled loads no further page`() async throws {
        let world = AsyncWorld()
        let list = world.makeList()
        world.source.script([.hang], forKey: "20")
        let task = Task { await caught { () async throws(PaginatorError) in try await list.loadAllAndWait() } }
        let call = try await world.source.waitForCalls(3)[2]
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        world.source.answer(call, with: .success(PaginatorPage(content: [], key: "20", nextKey: "30")))
        for await state in list.states() where !state.status.next.isLoading { break }
        #expect(!world.source.keys.contains("30"))
    }
}
