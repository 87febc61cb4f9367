import PaginatorCore

/// Runs work on the thread that asks for it, one piece at a time, in an order drawn from a seed.
///
/// With it the whole library runs on one thread: an interleaving is a sequence of pieces, and a seed replays it.
package final class SimulatedExecutor: WorkExecutor {
    private let pending = Guarded<[@Sendable () -> Void]>([])

    /// Makes an executor without work.
    package init() {}

    /// The number of pieces that wait.
    package var count: Int { pending.withLock { $0.count } }

    package func run(_ work: @escaping @Sendable () -> Void) {
        pending.withLock { $0.append(work) }
    }

    /// Runs one piece; says whether there was one.
    ///
    /// - Parameter choose: takes the number of pieces, and returns which of them to run.
    package func runOne(choose: (Int) -> Int) -> Bool {
        let work: (@Sendable () -> Void)? = pending.withLock { pending in
            pending.isEmpty ? nil : pending.remove(at: choose(pending.count))
        }
        work?()
        return work != nil
    }
}
