public import PaginatorCore

/// Runs a paginator's work on the test's own thread: at once and in order, or one piece at a time in an order drawn from
/// a seed.
///
/// With it the whole library runs on one thread, and a test needs no waiting:
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
/// Work never runs inside the call that asks for it, as the library promises; ``immediately(_:)`` runs it right behind
/// that call. Callbacks for the main actor run on the thread of the executor too, so use it on the main actor where there
/// are any. Work may be added from any thread; run it on one.
public final class SimulatedExecutor: WorkExecutor {
    private let pending = Guarded<[@Sendable () -> Void]>([])

    /// Makes an executor without work.
    public init() {}

    /// The number of pieces that wait.
    public var count: Int { pending.withLock { $0.count } }

    /// Adds a piece of work.
    public func run(_ work: @escaping @Sendable () -> Void) {
        pending.withLock { $0.append(work) }
    }

    /// Runs one piece; says whether there was one.
    ///
    /// - Parameter choose: takes the number of pieces, and returns which of them to run.
    public func runOne(choose: (Int) -> Int = { _ in 0 }) -> Bool {
        let work: (@Sendable () -> Void)? = pending.withLock { pending in
            pending.isEmpty ? nil : pending.remove(at: choose(pending.count))
        }
        work?()
        return work != nil
    }

    /// Runs what waits, and what comes of it, in order, until nothing is left.
    ///
    /// - Returns: how many pieces ran.
    @discardableResult
    public func runAll() -> Int {
        var count = 0
        while runOne() { count += 1 }
        return count
    }

    /// Runs what waits, and what comes of it, in an order drawn from a seed, until nothing is left.
    ///
    /// - Parameter random: what the order is drawn from.
    /// - Returns: how many pieces ran.
    @discardableResult
    public func runAll(using random: inout SeededRandom) -> Int {
        var count = 0
        while runOne(choose: { random.number(in: 0..<$0) }) { count += 1 }
        return count
    }

    /// Calls `body`, and runs everything that comes of it before it returns: an immediate scheduler.
    @discardableResult
    public func immediately<R>(_ body: () throws -> R) rethrows -> R {
        defer { runAll() }
        return try body()
    }
}

extension PaginatorConfig {
    /// Lets the paginator run on an executor, a clock and a seed of the test, callbacks included.
    ///
    /// - Parameters:
    ///   - executor: what runs work and callbacks, in place of ``/PaginatorCore/PaginatorConfig/dispatchQueue``.
    ///   - clock: where the time comes from.
    ///   - seed: what every random choice of the paginator follows from; 1 by default.
    public mutating func simulate(on executor: SimulatedExecutor, clock: any PaginatorClock, seed: UInt64 = 1) {
        self.executor = executor
        callbackExecutor = executor
        mainExecutor = executor
        self.clock = clock
        randomSeed = seed
    }
}
