import Dispatch
import PaginatorAsync
import PaginatorCore
import PaginatorLists
import PaginatorTesting

/// A paginator over a scripted source of sample items, for tests that wait for calls and never for time.
struct AsyncWorld: Sendable {
    let source: ScriptedDataSource<SampleItem>
    let paginator: CallbackPaginator<SampleItem>

    init(
        pages: SamplePages? = SamplePages(count: 100), store: (any PaginatorStore<SampleItem>)? = nil,
        _ change: (inout PaginatorConfig) -> Void = { _ in }
    ) {
        source = ScriptedDataSource<SampleItem>()
        if let pages { source.otherwise { .result(pages.answer(to: $0)) } } else { source.otherwise { _ in .hang } }
        var config = PaginatorConfig()
        config.randomSeed = 1
        change(&config)
        paginator = CallbackPaginator(dataSource: source, store: store, config: config)
    }

    /// A list that loads only what it is told to.
    func makeList() -> PaginatorList<SampleItem, Int> {
        var config = PaginatorListConfig()
        config.pageSize = 10
        config.prefetchDistance = 0
        return PaginatorList(paginator, config: config)
    }
}

/// A serial executor that counts the jobs it runs.
@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
final class CountingExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "paginator.tests.counting")
    private let counted = Guarded(0)

    var jobs: Int { counted.withLock { $0 } }

    func enqueue(_ job: consuming ExecutorJob) {
        counted.withLock { $0 += 1 }
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// An actor on a counting executor.
@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
actor CountingActor {
    let executor = CountingExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Returns how many jobs were run on the actor while `body` ran on it: one for each resumption after a suspension.
    func jobs<R: Sendable>(during body: @Sendable (isolated CountingActor) async throws -> R) async rethrows -> (R, Int)
    {
        let before = executor.jobs
        let result = try await body(self)
        return (result, executor.jobs - before)
    }
}

/// Runs `body` and returns the error that it throws; `nil` when it throws none.
nonisolated(nonsending) func caught<R>(
    _ body: nonisolated(nonsending) () async throws(PaginatorError) -> R
) async -> PaginatorError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}
