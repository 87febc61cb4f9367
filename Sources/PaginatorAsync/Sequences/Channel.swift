import PaginatorCore

/// What waits in a channel.
protocol ChannelBuffer: Sendable {
    associatedtype Element: Sendable

    /// Takes out the element that comes next; `nil` when nothing waits.
    mutating func takeFirst() -> Element?
}

/// The latest of what was put in, and not taken.
struct Latest<Element: Sendable>: ChannelBuffer {
    private var element: Element?

    /// Returns what nobody took, to be let go of outside the channel's lock.
    ///
    /// - Parameter merge: makes the new element of both; the later one takes the place of the other by default.
    mutating func put(
        _ new: Element, merge: (_ earlier: Element, _ later: Element) -> Element = { _, later in later }
    ) -> Element? {
        let old = element
        element = old.map { merge($0, new) } ?? new
        return old
    }

    mutating func takeFirst() -> Element? { element.take() }
}

/// Carries elements from callbacks to one task that iterates over them, through a bounded buffer.
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

    /// Puts something into the buffer, and wakes who waits for it. Complexity: as `body`.
    ///
    /// - Parameter body: changes the buffer under the channel's lock, and returns what it took out of it, if anything: that
    ///   is let go of outside the lock, because it may hold objects of the user.
    func put<Replaced>(_ body: (inout Buffer) -> Replaced) {
        let (waiter, element, replaced) = state.withLock {
            state -> (CheckedContinuation<Buffer.Element?, Never>?, Buffer.Element?, Replaced?) in
            // After the end nobody takes elements any more, and they would be kept for as long as the channel is.
            guard !state.isFinished else { return (nil, nil, nil) }
            let replaced = body(&state.buffer)
            guard let waiter = state.waiter, let element = state.buffer.takeFirst() else { return (nil, nil, replaced) }
            state.waiter = nil
            return (waiter, element, replaced)
        }
        waiter?.resume(returning: element)
        // Released here, without the lock: an element is a user's, and its `deinit` may call back.
        withExtendedLifetime(replaced) {}
    }

    /// Ends the channel; what waits in the buffer is still delivered, and then the end.
    func finish() {
        let waiter = state.withLock { state in
            state.isFinished = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
    }

    /// Takes the next element, or waits for it; `nil` at the end, and in a cancelled task.
    nonisolated(nonsending) func next() async -> Buffer.Element? {
        guard !Task.isCancelled else { return nil }
        // Without a continuation when there is an element: such a call does not suspend.
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
            // An element, or the end, may have come between the look and this lock.
            if let element = state.buffer.takeFirst() { return (nil, element, true) }
            guard !state.isFinished else { return (nil, nil, true) }
            defer { state.waiter = waiter }
            // Two tasks on copies of one iterator: the earlier one is done.
            return (state.waiter, nil, false)
        }
        former?.resume(returning: nil)
        if isOver { waiter.resume(returning: element) }
    }
}
