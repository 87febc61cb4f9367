public import PaginatorCore

extension PaginatorScheduler {
    /// Makes a scheduler that several simulated paginators share: it tells them what it decides, and has their sources
    /// called, on an executor of the test.
    ///
    /// ```swift
    /// let scheduler = PaginatorScheduler(on: executor, clock: clock)
    /// config.simulate(on: executor, clock: clock)
    /// config.scheduler = scheduler
    /// ```
    ///
    /// - Parameters:
    ///   - executor: what runs its work; the one that the paginators have.
    ///   - clock: where time and the timer come from; the one that the paginators have.
    ///   - config: the rules and their numbers.
    ///   - connectivity: tells what the network and the device are like; `nil`, the default, stands for a good connection.
    ///   - seed: what every random choice of the scheduler follows from; 1 by default.
    public convenience init(
        on executor: SimulatedExecutor,
        clock: any PaginatorClock,
        config: PaginatorSchedulerConfig = PaginatorSchedulerConfig(),
        connectivity: (any PaginatorConnectivity)? = nil,
        seed: UInt64 = 1
    ) {
        self.init(config: config, connectivity: connectivity, clock: clock, randomSeed: seed, executor: executor)
    }
}

extension ConsistencyGroup {
    /// Makes a group without members that tells them of changes on an executor of the test.
    ///
    /// - Parameter executor: what runs the members' closures.
    public convenience init(on executor: SimulatedExecutor) {
        self.init(executor: executor)
    }
}
