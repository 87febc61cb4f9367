import Dispatch
import PaginatorCore

/// Where a double answers.
enum AnswerQueue: Sendable {
    /// Inside the call, on the caller's thread.
    case inside
    /// On a queue of the double.
    case queue(DispatchQueue)
    /// When the test runs its executor.
    case executor(SimulatedExecutor)

    /// The executor, if there is one, else a new serial queue.
    init(_ executor: SimulatedExecutor?, label: String) {
        self = executor.map { .executor($0) } ?? .queue(DispatchQueue(label: label))
    }

    func run(_ work: @escaping @Sendable () -> Void) {
        switch self {
        case .inside: work()
        case .queue(let queue): queue.async(execute: work)
        case .executor(let executor): executor.run(work)
        }
    }
}
