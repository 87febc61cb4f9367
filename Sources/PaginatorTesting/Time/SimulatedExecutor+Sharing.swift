public import PaginatorCore

extension PaginatorScheduler {
    /// Creates a scheduler for several simulated paginators, which works on an executor of the test.
    ///
    /// ```swift
    /// let scheduler = PaginatorScheduler(on: executor, clock: clock)
    /// config.simulate(on: executor, clock: clock)
    /// config.scheduler = scheduler
    /// ```
    ///
    /// - Parameters:
    ///   - executor: runs its work; the same as that of the paginators.
    ///   - clock: the clock; the same as that of the paginators.
    ///   - config: the scheduler's configuration.
    ///   - connectivity: the conditions of the network and the device; `nil`, the default, assumes a good connection.
    ///   - seed: the seed of its random choices; 1 by default.
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
    /// Creates a group without members, which calls its members on an executor of the test.
    ///
    /// - Parameter executor: runs the members' closures.
    public convenience init(on executor: SimulatedExecutor) {
        self.init(executor: executor)
    }
}
