package import Dispatch

/// Where the library runs work that must leave the caller's thread.
///
/// A seam for the simulation, which runs every piece of work on one thread in an order that it draws from its seed.
package protocol WorkExecutor: AnyObject, Sendable {
    /// Runs `work`, which may block; never before this call returns.
    func run(_ work: @escaping @Sendable () -> Void)

    /// Runs `work`, which does not block, also while everything that may block does.
    func runPromptly(_ work: @escaping @Sendable () -> Void)
}

extension WorkExecutor {
    // For executors on which nothing blocks.
    package func runPromptly(_ work: @escaping @Sendable () -> Void) {
        run(work)
    }
}

package final class QueueExecutor: WorkExecutor {
    let queue: DispatchQueue

    /// Threads that all paginators share, for work that blocks now and then and comes to an end: files, consistency groups.
    package static let work: any WorkExecutor = WorkThreads(bound: 32, label: "paginator.work")
    static let main = QueueExecutor(.main)

    init(_ queue: DispatchQueue) {
        self.queue = queue
    }

    package func run(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }
}
