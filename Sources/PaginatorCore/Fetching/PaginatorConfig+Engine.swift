import Dispatch

// The parts of the configuration that the engine uses.
extension PaginatorConfig {
    var workExecutor: any WorkExecutor { executor ?? WorkThreads(bound: 8, label: "paginator.work", target: workQueue) }

    var fetchScheduler: PaginatorScheduler {
        scheduler
            ?? PaginatorScheduler(
                config: scheduling, connectivity: connectivity, clock: clock, randomSeed: randomSeed,
                executor: executor, workQueue: workQueue)
    }

    var ownCallbackExecutor: any WorkExecutor {
        if let callbackExecutor { return callbackExecutor }
        guard let dispatchQueue else { return QueueExecutor(DispatchQueue(label: "paginator.callbacks")) }
        // The executor of the main queue's callbacks, so that both share its batches.
        return dispatchQueue === DispatchQueue.main ? QueueExecutor.main : QueueExecutor(dispatchQueue)
    }
}
