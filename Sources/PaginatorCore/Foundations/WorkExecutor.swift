package import Dispatch

/// Where the library runs work that must leave the caller's thread.
///
/// A seam for the simulation, which runs every piece of work on one thread in an order that it draws from its seed.
package protocol WorkExecutor: AnyObject, Sendable {
    /// Runs `work`, which may block, later; never before this call returns.
    func run(_ work: @escaping @Sendable () -> Void)

    /// Runs `work` later and soon, also while everything that may block does.
    ///
    /// - Parameter work: takes whether it may block after all, at its end; if not, it hands on what may.
    func runPromptly(_ work: @escaping @Sendable (_ mayBlock: Bool) -> Void)
}

extension WorkExecutor {
    /// Runs it like everything else: for executors on which nothing blocks.
    package func runPromptly(_ work: @escaping @Sendable (_ mayBlock: Bool) -> Void) {
        run { work(true) }
    }
}

/// Runs work on a Dispatch queue.
package final class QueueExecutor: WorkExecutor {
    package let queue: DispatchQueue

    /// Threads that all paginators share, for work that blocks now and then and comes to an end: files, consistency groups.
    package static let work: any WorkExecutor = WorkThreads(bound: 32, label: "paginator.work")

    /// Runs work on the main queue.
    package static let main = QueueExecutor(.main)

    /// Runs work on `queue`.
    init(_ queue: DispatchQueue) {
        self.queue = queue
    }

    package func run(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }
}
