import PaginatorAsync
import PaginatorCore
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

    @Test func `ends with its task when the condition never holds`() async {
        let executor = SimulatedExecutor()
        let wait = Task { try await executor.settle { false } }
        wait.cancel()
        let result = await wait.result
        #expect(throws: CancellationError.self) { try result.get() }
    }
}
