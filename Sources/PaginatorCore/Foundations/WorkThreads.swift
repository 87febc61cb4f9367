import Dispatch

/// Threads for calls that may block: as many as needed, up to a bound. Further work waits in order.
///
/// Each worker is a serial queue, which Dispatch gives a thread at once. A concurrent queue would start each further
/// thread only after seconds, while the existing threads are blocked.
///
/// `@unchecked Sendable`: `idle`, `made` and `waiting` are guarded by `lock`.
final class WorkThreads: WorkExecutor, @unchecked Sendable {
    /// A struct, because a closure as a generic element would be wrapped in another closure.
    private struct Work: Sendable {
        let run: @Sendable () -> Void
    }

    private let bound: Int
    private let label: String
    private let qos: DispatchQoS
    private let target: DispatchQueue?
    /// The queue for work that does not block.
    private let prompt: DispatchQueue
    private let lock = Lock()
    private var idle: [DispatchQueue] = []
    private var made = 0
    private var waiting = Queue<Work>()

    /// Creates threads with the quality of service of `target`, the target queue of the workers, or else with `qos`.
    init(bound: Int, label: String, qos: DispatchQoS = .unspecified, target: DispatchQueue? = nil) {
        self.bound = max(1, bound)
        (self.label, self.qos, self.target) = (label, target == nil ? qos : .unspecified, target)
        prompt = DispatchQueue(label: label + ".prompt")
    }

    func run(_ work: @escaping @Sendable () -> Void) {
        let worker = lock.withLock {
            waiting.append(Work(run: work))
            return takeWorker()
        }
        if let worker {
            // A loop of calls, so that the objects of one work item are released before the next begins.
            worker.async { [self] in while runNext(orGiveBack: worker) {} }
        }
    }

    func runPromptly(_ work: @escaping @Sendable () -> Void) {
        prompt.async(execute: work)
    }

    /// Returns an idle or new worker; `nil` if the bound is reached. The lock is held.
    private func takeWorker() -> DispatchQueue? {
        // The one used last, whose thread may still be alive.
        if let worker = idle.popLast() { return worker }
        guard made < bound else { return nil }
        made += 1
        return DispatchQueue(label: "\(label).\(made)", qos: qos, target: target)
    }

    private func runNext(orGiveBack worker: DispatchQueue) -> Bool {
        let work = lock.withLock {
            let work = waiting.popFirst()
            if work == nil { idle.append(worker) }
            return work
        }
        #if canImport(ObjectiveC)
            autoreleasepool { work?.run() }
        #else
            work?.run()
        #endif
        return work != nil
    }
}
