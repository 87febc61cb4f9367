import Dispatch

extension PaginatorConfig {
    var engineSettings: FetchEngine.Settings {
        var machine = FetchMachine.Settings()
        machine.defaultPolicy = defaultPolicy
        machine.attemptTimeout = attemptTimeout
        machine.maxAttempts = max(1, maxAttempts)
        machine.fetchTimeout = fetchTimeout
        machine.storeTimeout = storeTimeout
        return FetchEngine.Settings(
            machine: machine, clock: clock, scheduler: scheduler ?? makeScheduler(),
            check: RequestCheck(
                maxPageSize: maxPageSize, maxDepthLevel: maxDepthLevel, maxKeyBytes: maxKeyBytes, keyRule: keyRule),
            memoryStrategy: inMemoryEvictionStrategy, storeStrategy: storeEvictionStrategy,
            errorStrategy: errorStrategy, observer: observer,
            executor: executor ?? WorkThreads(bound: 8, label: "paginator.work"),
            callbacks: (own: callbackExecutor ?? makeCallbackExecutor(), main: mainExecutor ?? QueueExecutor.main))
    }

    private func makeScheduler() -> PaginatorScheduler {
        var scheduling = scheduling
        scheduling.maxParallelCalls = maxParallelCalls
        return PaginatorScheduler(
            config: scheduling, connectivity: connectivity, clock: clock, randomSeed: randomSeed, executor: executor)
    }

    private func makeCallbackExecutor() -> QueueExecutor {
        guard let dispatchQueue else { return QueueExecutor(DispatchQueue(label: "paginator.callbacks")) }
        // The same object as for the main queue's callbacks, so that they share its batches.
        return dispatchQueue === DispatchQueue.main ? .main : QueueExecutor(dispatchQueue)
    }
}
