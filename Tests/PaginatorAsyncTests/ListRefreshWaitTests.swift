import PaginatorAsync
import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

/// Waiting for a refresh: it ends with that refresh, whatever else the list has loaded or failed to load.
@Suite struct ListRefreshWaitTests {
    private struct Broken: Error {}

    /// Waits until the list loads nothing.
    private func wait(_ list: PaginatorList<SampleItem, Int>) async {
        for await state in list.states()
        where !state.status.next.isLoading && !state.status.refresh.isLoading { return }
    }

    @Test func `a refresh does not throw what a jump before it failed with`() async throws {
        let world = AsyncWorld { $0.maxAttempts = 1 }
        let list = world.makeList()
        try await list.refreshAndWait()
        world.source.script([.fail(.fatal(Broken()))], forKey: "50")
        list.jump(to: "50")
        await wait(list)
        #expect(list.status.refresh.error?.code == .sourceFailed)
        try await list.refreshAndWait(.firstPage)
        try await list.refreshAndWait(.page("999"))
        try await list.refreshAndWait(.stalePages)
        #expect(list.snapshot.count == 10)
    }

    @Test func `a refresh of several pages throws when one of them fails`() async throws {
        let world = AsyncWorld { $0.maxAttempts = 1 }
        let list = world.makeList()
        try await list.refreshAndWait()
        list.loadNext()
        await wait(list)
        world.source.script([.fail(.fatal(Broken()))], forKey: "10")
        let error = await caught { () async throws(PaginatorError) in try await list.refreshAndWait(.keepingPlace) }
        #expect(error?.code == .sourceFailed)
        try await list.refreshAndWait(.keepingPlace)
        #expect(list.snapshot.count == 20)
    }

    @Test func `a reset ends the wait for a refresh`() async throws {
        let world = AsyncWorld()
        let list = world.makeList()
        world.source.script([.hang], forKey: "0")
        let task = Task {
            await caught { () async throws(PaginatorError) in try await list.refreshAndWait() }
        }
        for await state in list.states() where state.status.refresh.isLoading { break }
        list.reset()
        #expect(await task.value?.code == .cancelled)
    }
}
