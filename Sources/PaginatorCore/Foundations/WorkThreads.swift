import Dispatch

/// Threads for calls that may block: as many as are needed, up to a bound. What finds none waits, in its order.
///
/// Every lane is a serial queue, which Dispatch gives a thread as soon as it has work. A concurrent queue would wait for
/// seconds with each further thread while blocked calls have those that there are.
///
/// `@unchecked Sendable`: `idle`, `made` and `waiting` are guarded by `lock`.
final class WorkThreads: WorkExecutor, @unchecked Sendable {
    /// In a generic queue a closure alone would be wrapped in another one.
    private struct Work: Sendable {
        let run: @Sendable () -> Void
    }

    private let bound: Int
    private let label: String
    private let target: DispatchQueue?
    /// Where nobody blocks.
    private let prompt: DispatchQueue
    private let lock = Lock()
    private var idle: [DispatchQueue] = []
    private var made = 0
    private var waiting = Queue<Work>()

    /// - Parameter target: where the threads come from and how urgent they are; the system's default for `nil`.
    init(bound: Int, label: String, target: DispatchQueue? = nil) {
        self.bound = max(1, bound)
        self.label = label
        self.target = target
        prompt = DispatchQueue(label: label + ".prompt")
    }

    func run(_ work: @escaping @Sendable () -> Void) {
        let lane = lock.withLock {
            waiting.append(Work(run: work))
            return takeLane()
        }
        lane?.async { [self] in
            // What one leaves behind is released before the next begins.
            while runNext(orGiveBack: lane) {}
        }
    }

    func runPromptly(_ work: @escaping @Sendable () -> Void) {
        prompt.async(execute: work)
    }

    /// `nil` where the bound allows no further lane. The lock is held.
    private func takeLane() -> DispatchQueue? {
        // The one used last, whose thread may still be there.
        if let lane = idle.popLast() { return lane }
        guard made < bound else { return nil }
        made += 1
        return DispatchQueue(label: "\(label).\(made)", target: target)
    }

    private func runNext(orGiveBack lane: DispatchQueue?) -> Bool {
        let work = lock.withLock {
            let work = waiting.popFirst()
            if work == nil, let lane { idle.append(lane) }
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
