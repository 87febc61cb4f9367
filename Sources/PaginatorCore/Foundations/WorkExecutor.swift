import Dispatch

/// Runs work that must leave the caller's thread.
///
/// The simulation replaces it, and runs all work on one thread in an order that it draws from its seed.
package protocol WorkExecutor: AnyObject, Sendable {
    /// Runs `work`, which may block, asynchronously.
    func run(_ work: @escaping @Sendable () -> Void)

    /// Runs `work`, which must not block, even while all threads for blocking work are busy.
    func runPromptly(_ work: @escaping @Sendable () -> Void)
}

extension WorkExecutor {
    // For executors without blocking work.
    package func runPromptly(_ work: @escaping @Sendable () -> Void) {
        run(work)
    }
}

package final class QueueExecutor: WorkExecutor {
    let queue: DispatchQueue

    /// The threads shared by all paginators for work that may block but ends: files, consistency groups.
    package static let work: any WorkExecutor = WorkThreads(bound: 32, label: "paginator.work")
    static let main = QueueExecutor(.main)

    init(_ queue: DispatchQueue) {
        self.queue = queue
    }

    package func run(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }
}
