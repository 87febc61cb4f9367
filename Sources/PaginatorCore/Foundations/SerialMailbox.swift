/// Messages that are handled one at a time, in the order in which they were posted, with no lock held.
///
/// It has two forms. With executors, messages are handled later, in bounded batches; the executor may depend on the
/// message, and a batch ends where the next message needs another one. Without an executor, whoever posts while nobody
/// is at work handles all there are, its own message first; whoever posts meanwhile, also from within a handler, returns
/// at once and leaves the message to the one at work.
///
/// `@unchecked Sendable`: `waiting` and `isWorking` are guarded by `lock`; `current` belongs to the one at work, who took
/// `isWorking` and hands it on through the lock or the executor.
package final class SerialMailbox<Message: Sendable>: @unchecked Sendable {
    /// How many messages are handled before other work of the executor has a chance.
    static var batchLimit: Int { 64 }

    /// How many messages wait at most, beside one notice of a loss. `merge` makes that notice, or adds the lost message to
    /// the one that waits; it runs under a lock.
    typealias Bound = (capacity: Int, merge: @Sendable (_ notice: Message?, _ lost: Message) -> Message)

    private struct Handler: Sendable {
        let executor: @Sendable (Message) -> any WorkExecutor
        let handle: @Sendable (Message) -> Void
        let isPrompt: Bool
    }

    private let handler: Handler?
    private let bound: Bound?
    private let lock = Lock()
    private var waiting: [Message] = []
    private var isWorking = false
    /// What is handled next, the last one first.
    private var current: [Message] = []

    /// For ``post(_:handle:)`` and ``run(_:)``.
    package init() {
        handler = nil
        bound = nil
    }

    /// For ``post(_:)``.
    ///
    /// - Parameters:
    ///   - executor: tells where a message is handled; always the same for one message.
    ///   - isPrompt: whether messages are handled also while everything that may block does.
    init(
        on executor: @escaping @Sendable (Message) -> any WorkExecutor, bound: Bound? = nil, isPrompt: Bool = false,
        handle: @escaping @Sendable (Message) -> Void
    ) {
        handler = Handler(executor: executor, handle: handle, isPrompt: isPrompt)
        self.bound = bound
    }

    convenience init(
        on executor: any WorkExecutor, bound: Bound? = nil, isPrompt: Bool = false,
        handle: @escaping @Sendable (Message) -> Void
    ) {
        self.init(on: { _ in executor }, bound: bound, isPrompt: isPrompt, handle: handle)
    }

    /// Whether nothing waits, and nothing is being handled.
    var isIdle: Bool { lock.withLock { !isWorking } }

    /// May be called with any other lock held.
    func post(_ message: Message) { if add(message), let handler { schedule(on: handler.executor(message), handler) } }

    /// Adds a message, and handles all there are on this thread, unless another call does so already.
    func post(_ message: Message, handle: (Message) -> Void) {
        guard add(message) else { return }
        while let next = takeNext(orEnds: true) { handle(next) }
    }

    // Whether nobody is at work, so that the caller has to see to it.
    private func add(_ message: Message) -> Bool {
        lock.withLock {
            if let bound, waiting.count >= max(1, bound.capacity) {
                let notice = waiting.count > max(1, bound.capacity) ? waiting.removeLast() : nil
                waiting.append(bound.merge(notice, message))
            } else {
                waiting.append(message)
            }
            // Under the lock, so that of all who post just one begins.
            defer { isWorking = true }
            return !isWorking
        }
    }

    private func schedule(on executor: any WorkExecutor, _ handler: Handler) {
        let batch: @Sendable () -> Void = { self.handleBatch(on: executor, handler) }
        if handler.isPrompt { executor.runPromptly(batch) } else { executor.run(batch) }
    }

    private func handleBatch(on own: any WorkExecutor, _ handler: Handler) {
        // Bounded, so that a mailbox that is never empty leaves room for what else its executor has to do.
        for _ in 0..<Self.batchLimit {
            guard let next = takeNext() else { break }
            guard handler.executor(next) === own else {
                current.append(next)
                break
            }
            handler.handle(next)
        }
        if let next = takeNext(orEnds: true) {
            current.append(next)
            schedule(on: handler.executor(next), handler)
        }
    }

    /// `ends`: whether the work is over when there is nothing.
    private func takeNext(orEnds ends: Bool = false) -> Message? {
        if let next = current.popLast() { return next }
        // Two arrays take turns; one that grew in a burst is given back.
        if current.capacity > 1_024 { current = [] }
        let isEmpty = lock.withLock {
            swap(&current, &waiting)
            let isEmpty = current.isEmpty
            if ends, isEmpty { isWorking = false }
            return isEmpty
        }
        // When the work is over, `current` belongs to whoever begins anew.
        guard !isEmpty else { return nil }
        current.reverse()
        return current.popLast()
    }
}

extension SerialMailbox where Message == @Sendable () -> Void {
    /// Does some work, or leaves it to whoever is at work. Not generic, so that other modules call specialized code.
    package func run(_ work: @escaping @Sendable () -> Void) { post(work) { $0() } }
}
