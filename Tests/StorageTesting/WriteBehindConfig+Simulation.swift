public import PaginatorStorage
public import PaginatorTesting

extension WriteBehindConfig {
    /// Lets a store over a page file read and write on an executor of the test.
    ///
    /// - Parameter executor: what runs reads, commits and answers.
    public mutating func simulate(on executor: SimulatedExecutor) {
        self.executor = executor
    }
}
