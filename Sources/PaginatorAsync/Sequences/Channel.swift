import PaginatorCore

/// The waiting elements of a channel.
protocol ChannelBuffer: Sendable {
    associatedtype Element: Sendable

    /// Removes and returns the next element; `nil` if none waits.
    mutating func takeFirst() -> Element?
}

/// The latest element, until it is taken.
struct Latest<Element: Sendable>: ChannelBuffer {
    private var element: Element?

    /// Returns the element that was not taken, to be released outside the channel's lock.
    ///
    /// - Parameter merge: combines both elements; by default the later one replaces the earlier.
    mutating func put(
        _ new: Element, merge: (_ earlier: Element, _ later: Element) -> Element = { _, later in later }
    ) -> Element? {
        let old = element
        element = old.map { merge($0, new) } ?? new
        return old
    }

    mutating func takeFirst() -> Element? { element.take() }
}

/// Passes elements from callbacks to one task that iterates over them, through a bounded buffer.
final class Channel<Buffer: ChannelBuffer>: Sendable {
    private struct State: Sendable {
        var buffer: Buffer
        var waiter: CheckedContinuation<Buffer.Element?, Never>?
        var isFinished = false
    }

    private let state: Guarded<State>

    init(_ buffer: Buffer) {
        state = Guarded(State(buffer: buffer))
    }

    /// Puts an element into the buffer and wakes the waiting task. Complexity: as `body`.
    ///
    /// - Parameter body: changes the buffer under the channel's lock, and returns what it removed, which is released
    ///   outside the lock, because it may hold objects of the user.
    func put<Replaced>(_ body: (inout Buffer) -> Replaced) {
        let (waiter, element, replaced) = state.withLock {
            state -> (CheckedContinuation<Buffer.Element?, Never>?, Buffer.Element?, Replaced?) in
            // After the end no element is taken any more; it would be retained as long as the channel.
            guard !state.isFinished else { return (nil, nil, nil) }
            let replaced = body(&state.buffer)
            guard let waiter = state.waiter, let element = state.buffer.takeFirst() else { return (nil, nil, replaced) }
            state.waiter = nil
            return (waiter, element, replaced)
        }
        waiter?.resume(returning: element)
        // Released here, without the lock: the user's `deinit` may call back.
        withExtendedLifetime(replaced) {}
    }

    /// Ends the channel after the waiting elements.
    func finish() {
        let waiter = state.withLock { state in
            state.isFinished = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
    }

    /// Returns the next element, waiting for it if necessary; `nil` at the end, and in a cancelled task.
    nonisolated(nonsending) func next() async -> Buffer.Element? {
        guard !Task.isCancelled else { return nil }
        // Without a continuation if there is an element, so that the call does not suspend.
        if let element = state.withLock({ $0.buffer.takeFirst() }) { return element }
        let element = await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0) }
        } onCancel: {
            finish()
        }
        return Task.isCancelled ? nil : element
    }

    private func wait(_ waiter: CheckedContinuation<Buffer.Element?, Never>) {
        let (former, element, isOver) = state.withLock {
            state -> (CheckedContinuation<Buffer.Element?, Never>?, Buffer.Element?, Bool) in
            // An element, or the end, may have come before this lock was taken.
            if let element = state.buffer.takeFirst() { return (nil, element, true) }
            guard !state.isFinished else { return (nil, nil, true) }
            defer { state.waiter = waiter }
            // Two tasks wait on copies of one iterator: the earlier one ends.
            return (state.waiter, nil, false)
        }
        former?.resume(returning: nil)
        if isOver { waiter.resume(returning: element) }
    }
}
