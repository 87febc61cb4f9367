import Dispatch
import PaginatorAsync
import PaginatorCore
import PaginatorTesting
import Testing

struct SilentStrategyTaskTests {
    @Test func `tasks whose time is over do not wait for error strategies that never return`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let asked = Handshake(0)
        let clock = ManualPaginatorClock()
        var config = PaginatorConfig()
        config.clock = clock
        config.maxParallelCalls = 20
        config.errorStrategy = ErrorStrategy { _ in
            asked.update { $0 += 1 }
            gate.wait()
            return .serveCached
        }
        let source = ScriptedDataSource<Int>(clock: clock, otherwise: { _ in .hang })
        let paginator = CallbackPaginator(dataSource: source, config: config)
        // A strategy is asked where a cached page could take the error's place.
        for key in 0..<12 { try paginator.prime(PaginatorPage(content: [1], key: "\(key)"), pageSize: 10) }
        paginator.invalidate(.all)
        let tasks = (0..<12).map { key in
            Task { try await paginator.fetch(key: "\(key)", pageSize: 10, timeout: .seconds(2)) }
        }
        _ = try await source.waitForCalls(12)
        try await clock.waitForTimer(atOrBefore: clock.now.advanced(by: .seconds(2)))
        clock.advance(by: .seconds(2))
        // All threads that the library has for such calls are taken now.
        try await asked.wait { $0 >= 8 }
        clock.advance(by: .seconds(1))
        for task in tasks {
            let result = await task.result
            let error = #expect(throws: PaginatorError.self) { _ = try result.get() }
            #expect(error?.code == .timedOut)
        }
        for _ in tasks { gate.signal() }
    }
}
