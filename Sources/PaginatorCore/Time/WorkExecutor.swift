package import Dispatch

/// Where the library runs work that must leave the caller's thread.
///
/// A seam for the simulation, which runs every piece of work on one thread in an order that it draws from its seed.
package protocol WorkExecutor: AnyObject, Sendable {
    /// Runs `work` later; never before this call returns.
    func run(_ work: @escaping @Sendable () -> Void)
}

/// Runs work on a Dispatch queue.
package final class QueueExecutor: WorkExecutor {
    package let queue: DispatchQueue

    /// The queue for blocking or long work of all paginators: data source calls and asynchronous answers.
    package static let work = QueueExecutor(DispatchQueue(label: "paginator.work", attributes: .concurrent))

    /// Runs work on `queue`.
    package init(_ queue: DispatchQueue) {
        self.queue = queue
    }

    package func run(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }
}
