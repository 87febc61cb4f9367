public import PaginatorCore

/// Runs all work and all callbacks of a paginator on the thread of the test, in order or in an order drawn from a seed.
///
/// A test then needs no waiting:
///
/// ```swift
/// let executor = SimulatedExecutor()
/// var config = DefaultPaginatorConfig()
/// config.simulate(on: executor, clock: clock)
/// let paginator = CallbackPaginator(dataSource: source, config: config)
/// executor.immediately { paginator.fetch(key: "0", pageSize: 30, listener: listener) }
/// // The listener has its answer.
/// ```
///
/// Work does not run inside the call that causes it; ``immediately(_:)`` runs it right after that call. Callbacks for
/// the main actor run on the thread of the test too, so a test that has some must run on the main actor. Work may be
/// added from any thread, and must be run on one.
public final class SimulatedExecutor: WorkExecutor {
    private let pending = Guarded<[@Sendable () -> Void]>([])

    /// Makes an executor without work.
    public init() {}

    /// The number of waiting pieces of work.
    package var count: Int { pending.withLock { $0.count } }

    /// Adds a piece of work.
    public func run(_ work: @escaping @Sendable () -> Void) {
        pending.withLock { $0.append(work) }
    }

    /// Runs one waiting piece of work.
    ///
    /// - Parameter choose: takes the number of waiting pieces, and returns the index of the one to run; the first by
    ///   default.
    /// - Returns: whether there was one.
    @discardableResult
    package func runOne(choose: (Int) -> Int = { _ in 0 }) -> Bool {
        let work: (@Sendable () -> Void)? = pending.withLock { pending in
            pending.isEmpty ? nil : pending.remove(at: choose(pending.count))
        }
        // Without the lock, since it may add more work.
        work?()
        return work != nil
    }

    /// Runs waiting work, and the work that it causes, in order, until none is left.
    ///
    /// - Returns: the number of pieces that ran.
    @discardableResult
    public func runAll() -> Int {
        var count = 0
        while runOne() { count += 1 }
        return count
    }

    /// Runs waiting work, and the work that it causes, in random order, until none is left.
    ///
    /// - Parameter random: gives the order.
    /// - Returns: the number of pieces that ran.
    @discardableResult
    public func runAll(using random: inout SeededRandom) -> Int {
        var count = 0
        while runOne(choose: { random.number(in: 0..<$0) }) { count += 1 }
        return count
    }

    /// Runs work, and lets tasks go on, until a condition holds; for code that mixes tasks with this executor.
    ///
    /// ```swift
    /// model.reload()  // starts a task that awaits a page
    /// try await executor.settle { model.rows.count == 30 }
    /// ```
    ///
    /// The condition must see the code under test, so a test of a model on the main actor is on that, too. A clock is
    /// the test's to move, between two waits:
    ///
    /// ```swift
    /// model.reload()
    /// try await executor.settle { source.keys == ["0"] }  // a source that answers late
    /// clock.advanceToNextTimer()
    /// try await executor.settle { model.rows.count == 30 }
    /// ```
    ///
    /// A condition that never holds is waited for until the task is cancelled, as by the time
    /// limit of a test.
    ///
    /// - Parameter isSettled: tells whether what the test waits for is there; called after each round of work.
    /// - Throws: `CancellationError` when the task is cancelled.
    nonisolated(nonsending) public func settle(until isSettled: () -> Bool) async throws(CancellationError) {
        while true {
            runAll()
            if isSettled() { return }
            if Task.isCancelled { throw CancellationError() }
            // A task of the code under test runs elsewhere, and adds work when it comes so far.
            await Task.yield()
        }
    }

    /// Calls `body`, runs all work that it causes, and returns or throws its result.
    @discardableResult
    public func immediately<R>(_ body: () throws -> R) rethrows -> R {
        defer { runAll() }
        return try body()
    }
}

extension PaginatorConfig {
    /// Makes the paginator run on an executor, a clock and a seed of the test.
    ///
    /// - Parameters:
    ///   - executor: runs work and callbacks, in place of ``/PaginatorCore/PaginatorConfig/dispatchQueue``.
    ///   - clock: the clock; the test's manual clock.
    ///   - seed: the seed of the paginator's random choices, 1 by default.
    public mutating func simulate(on executor: SimulatedExecutor, clock: any PaginatorClock, seed: UInt64 = 1) {
        self.executor = executor
        callbackExecutor = executor
        // All on one executor: only then does one order, and so one seed, tell all that happens.
        mainExecutor = executor
        self.clock = clock
        randomSeed = seed
    }
}
