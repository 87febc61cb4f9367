public import PaginatorCore

/// Runs all work and callbacks of a paginator on the test's thread, in order or in an order drawn from a seed.
///
/// A test then needs no waiting:
///
/// ```swift
/// let executor = SimulatedExecutor()
/// var config = PaginatorConfig()
/// config.simulate(on: executor, clock: clock)
/// let paginator = CallbackPaginator(dataSource: source, config: config)
/// executor.immediately { paginator.fetch(key: "0", pageSize: 30, listener: listener) }
/// // The listener has its answer.
/// ```
///
/// Work does not run inside the call that causes it; ``immediately(_:)`` runs it right after that call, and
/// ``ManualPaginatorClock/advance(by:)`` runs it, too. Callbacks for the main actor run on the test's thread as well,
/// so a test with such callbacks must run on the main actor. Work may be added from any thread, and must be run on one.
public final class SimulatedExecutor: WorkExecutor {
    private let pending = Guarded<[@Sendable () -> Void]>([])
    /// How many work items are running, one inside another.
    private let depth = Guarded(0)

    /// Creates an executor without work.
    public init() {}

    /// The number of waiting work items.
    package var count: Int { pending.withLock { $0.count } }

    /// Whether a work item is running.
    var isRunning: Bool { depth.withLock { $0 > 0 } }

    /// Adds a work item.
    public func run(_ work: @escaping @Sendable () -> Void) {
        pending.withLock { $0.append(work) }
    }

    /// Runs one waiting work item.
    ///
    /// - Parameter choose: returns the index of the item to run, given their number; the first by default.
    /// - Returns: whether there was one.
    @discardableResult
    package func runOne(choose: (Int) -> Int = { _ in 0 }) -> Bool {
        let work: (@Sendable () -> Void)? = pending.withLock { pending in
            pending.isEmpty ? nil : pending.remove(at: choose(pending.count))
        }
        guard let work else { return false }
        depth.withLock { $0 += 1 }
        defer { depth.withLock { $0 -= 1 } }
        // Without the lock, because it may add more work.
        work()
        return true
    }

    /// Runs waiting work, and the work that it causes, in order, until none is left.
    ///
    /// - Returns: the number of work items that ran.
    @discardableResult
    public func runAll() -> Int {
        var count = 0
        while runOne() { count += 1 }
        return count
    }

    /// Runs waiting work, and the work that it causes, in random order, until none is left. To give work that follows
    /// from timers a random order as well, move the clock by ``ManualPaginatorClock/advanceToNextTimer()``.
    ///
    /// - Parameter random: the source of the order.
    /// - Returns: the number of work items that ran.
    @discardableResult
    public func runAll(using random: inout SeededRandom) -> Int {
        var count = 0
        while runOne(choose: { random.number(in: 0..<$0) }) { count += 1 }
        return count
    }

    /// Runs work, and lets tasks run, until a condition holds: for code that mixes tasks with this executor.
    ///
    /// ```swift
    /// model.reload()  // starts a task that awaits a page
    /// try await executor.settle { model.rows.count == 30 }
    /// ```
    ///
    /// The condition must be on the actor of the code under test: for a model on the main actor, so is the test. The
    /// test moves the clock between two waits:
    ///
    /// ```swift
    /// model.reload()
    /// try await executor.settle { source.keys == ["0"] }  // a source that answers late
    /// clock.advanceToNextTimer()
    /// try await executor.settle { model.rows.count == 30 }
    /// ```
    ///
    /// A condition that never holds is waited for until the task is cancelled, as by a test's time limit.
    ///
    /// - Parameter isSettled: whether the expected state is reached; called after each round of work.
    /// - Throws: `CancellationError` if the task is cancelled.
    nonisolated(nonsending) public func settle(until isSettled: () -> Bool) async throws(CancellationError) {
        while true {
            runAll()
            if isSettled() { return }
            if Task.isCancelled { throw CancellationError() }
            // A task of the code under test runs elsewhere, and adds work when it gets there.
            await Task.yield()
        }
    }

    /// Calls `body`, runs all work that it causes, and returns its result or throws its error.
    @discardableResult
    public func immediately<R>(_ body: () throws -> R) rethrows -> R {
        defer { runAll() }
        return try body()
    }
}

extension PaginatorConfig {
    /// Makes the paginator use an executor, a clock and a seed of the test.
    ///
    /// ``ManualPaginatorClock/advance(by:)`` then runs the executor's work before the first timer and after each one,
    /// so that everything happens at its time.
    ///
    /// - Parameters:
    ///   - executor: runs work and callbacks, in place of ``/PaginatorCore/PaginatorConfig/dispatchQueue``.
    ///   - clock: the clock; the test's manual clock.
    ///   - seed: the seed of the paginator's random choices; 1 by default.
    public mutating func simulate(on executor: SimulatedExecutor, clock: any PaginatorClock, seed: UInt64 = 1) {
        self.executor = executor
        callbackExecutor = executor
        // All on one executor, so that one order, and so one seed, determines everything.
        mainExecutor = executor
        (clock as? ManualPaginatorClock)?.join(executor)
        self.clock = clock
        randomSeed = seed
    }
}
