@testable import PaginatorCore

/// Runs work only when a test says so, on the test's thread.
final class StepExecutor: WorkExecutor {
    private let queue = Guarded<[@Sendable () -> Void]>([])

    /// How many pieces of work wait.
    var waiting: Int { queue.withLock { $0.count } }

    func run(_ work: @escaping @Sendable () -> Void) {
        queue.withLock { $0.append(work) }
    }

    /// Runs the piece that has waited longest; says whether there was one.
    @discardableResult
    func step() -> Bool {
        guard let work = queue.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return false }
        work()
        return true
    }

    /// Runs what waits, and what that asks for, until nothing is left.
    func drain() {
        while step() {}
    }
}
