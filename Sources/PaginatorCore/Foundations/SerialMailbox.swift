/// A mailbox that handles messages one at a time, in the order in which they were posted, without a lock.
///
/// ``post(_:)`` leaves messages to an executor, which handles them later, in bounded batches; the executor may depend
/// on the message, and a batch ends where the next message needs another one. With `run(_:)`, the thread that posts
/// while no message is being handled handles all of them, its own first; in a mailbox with an executor it handles a
/// few, and the executor the rest. A post from another thread, or from within a handler, returns at once.
///
/// `@unchecked Sendable`: `waiting` and `isWorking` are guarded by `lock`. `current` belongs to the thread that has set
/// `isWorking`, and passes to the next one through the lock or the executor.
package final class SerialMailbox<Message: Sendable>: @unchecked Sendable {
    /// The number of messages that are handled before the executor can run other work.
    static var batchLimit: Int { 64 }
    /// The same for a caller, which must not be held up by the messages of others.
    static var inlineLimit: Int { 8 }

    /// The maximum number of waiting messages, in addition to one notice of lost messages. `merge` creates this notice,
    /// or adds a lost message to it; called under a lock.
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
    /// The messages that are handled next, in reverse order.
    private var current: [Message] = []

    /// Creates a mailbox without an executor, for `run(_:)`.
    package init() {
        handler = nil
        bound = nil
    }

    /// Creates a mailbox with an executor.
    ///
    /// - Parameters:
    ///   - executor: returns the executor of a message; always the same for one message.
    ///   - isPrompt: whether messages are handled even while all threads for blocking work are busy.
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

    /// Whether no message is waiting or being handled.
    var isIdle: Bool { lock.withLock { !isWorking } }

    /// Posts a message to be handled on an executor. May be called with any other lock held.
    func post(_ message: Message) {
        if add(message), let handler { schedule(on: handler.executor(message), handler) }
    }

    // Returns whether no thread handles messages, so that the caller has to arrange for it.
    private func add(_ message: Message) -> Bool {
        lock.withLock {
            if let bound, waiting.count >= max(1, bound.capacity) {
                let notice = waiting.count > max(1, bound.capacity) ? waiting.removeLast() : nil
                waiting.append(bound.merge(notice, message))
            } else {
                waiting.append(message)
            }
            // Under the lock, so that exactly one of several posting threads starts.
            defer { isWorking = true }
            return !isWorking
        }
    }

    private func schedule(on executor: any WorkExecutor, _ handler: Handler) {
        let batch: @Sendable () -> Void = { self.handleBatch(of: Self.batchLimit, on: executor, handler) }
        if handler.isPrompt { executor.runPromptly(batch) } else { executor.run(batch) }
    }

    private func handleBatch(of limit: Int, on own: any WorkExecutor, _ handler: Handler) {
        // Bounded, so that a mailbox that is never empty does not block other work of its executor.
        for _ in 0..<limit {
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

    /// `ends`: whether an empty mailbox becomes idle.
    private func takeNext(orEnds ends: Bool = false) -> Message? {
        if let next = current.popLast() { return next }
        // The two arrays swap roles. One that grew in a burst is freed.
        if current.capacity > 1_024 { current = [] }
        let isEmpty = lock.withLock {
            swap(&current, &waiting)
            let isEmpty = current.isEmpty
            if ends, isEmpty { isWorking = false }
            return isEmpty
        }
        // Once the mailbox is idle, `current` belongs to the next thread that starts.
        guard !isEmpty else { return nil }
        current.reverse()
        return current.popLast()
    }
}

extension SerialMailbox where Message == @Sendable () -> Void {
    /// Does some work, unless another thread does so already, which then does it. Not generic, so that other modules call
    /// specialized code.
    package func run(_ work: @escaping @Sendable () -> Void) {
        guard add(work) else { return }
        if let handler { return handleBatch(of: Self.inlineLimit, on: handler.executor(work), handler) }
        while let next = takeNext(orEnds: true) { next() }
    }
}
