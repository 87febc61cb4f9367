import PaginatorAsync
import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@MainActor
struct SettlingTests {
    /// A view model as apps write it: it starts tasks, and nobody outside can await them.
    @MainActor private final class Model {
        var rows: [String] = []
        var task: Task<Void, Never>?

        func reload(_ paginator: CallbackPaginator<String>) {
            task = Task {
                for key in ["0", "2", "4"] {
                    guard let page = try? await paginator.fetch(key: key, pageSize: 2) else { return }
                    rows += page.content
                }
            }
        }
    }

    private func paginator(on executor: SimulatedExecutor) -> CallbackPaginator<String> {
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: ManualPaginatorClock())
        return CallbackPaginator(dataSource: ArrayDataSource(["a", "b", "c", "d", "e", "f"]), config: config)
    }

    @Test func `waits for what tasks bring about, one page after the other`() async throws {
        let executor = SimulatedExecutor()
        let model = Model()
        let paginator = paginator(on: executor)
        model.reload(paginator)
        try await executor.settle { model.rows.count == 6 }
        #expect(model.rows == ["a", "b", "c", "d", "e", "f"])
    }

    @Test func `a source that answers late is waited for, then time moves, then its answer is waited for`() async throws
    {
        let (executor, clock) = (SimulatedExecutor(), ManualPaginatorClock())
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock)
        let source = ArrayDataSource(["a", "b", "c", "d", "e", "f"])
            .faulty(FaultPlan(then: .latency(.milliseconds(200))), clock: clock)
        let model = Model()
        model.reload(CallbackPaginator(dataSource: source, config: config))
        for count in [2, 4, 6] {
            try await executor.settle { !clock.armedDeadlines.isEmpty }
            #expect(model.rows.count == count - 2)
            clock.advanceToNextTimer()
            try await executor.settle { model.rows.count == count }
        }
        #expect(clock.now == ManualPaginatorClock().now.advanced(by: .milliseconds(600)))
    }

    @Test func `a task that follows a list is waited for as well`() async throws {
        let executor = SimulatedExecutor()
        let list = PaginatorList(paginator(on: executor), id: { $0 }, config: .init())
        var counts: [Int] = []
        let follower = Task { for await state in list.states() { counts.append(state.snapshot.count) } }
        try await executor.settle { counts == [0] }
        list.loadNext()
        try await executor.settle { counts.last == 6 }
        follower.cancel()
        await follower.value
    }

    @Test func `ends with its task when the condition never holds`() async {
        let executor = SimulatedExecutor()
        let wait = Task { try await executor.settle { false } }
        wait.cancel()
        let result = await wait.result
        #expect(throws: CancellationError.self) { try result.get() }
    }
}
