import Dispatch
import PaginatorCore

/// A value behind a lock on which a test can wait, without sleeping or polling, until a condition holds.
///
/// Every change goes through ``update(_:)``, which looks at the waiting conditions before it lets go of the lock and
/// wakes those that hold after it.
package final class Handshake<State: Sendable>: Sendable {
    private struct Waiter: Sendable {
        let holds: @Sendable (State) -> Bool
        let wake: @Sendable (_ held: Bool) -> Void
    }

    private struct Content: Sendable {
        var state: State
        var waiters: [Int: Waiter] = [:]
        var abandoned: Set<Int> = []
        var lastWaiter = 0
    }

    private let content: Guarded<Content>

    /// Starts with `state`.
    package init(_ state: State) {
        content = Guarded(Content(state: state))
    }

    /// Returns what `body` takes from the value.
    package func read<R: Sendable>(_ body: (State) -> R) -> R {
        content.withLock { body($0.state) }
    }

    /// Changes the value and wakes those whose condition holds now. Complexity: O(waiters) beside the change.
    package func update<R: Sendable>(_ body: (inout State) -> R) -> R {
        let (result, woken) = content.withLock { content -> (R, [Waiter]) in
            let result = body(&content.state)
            guard !content.waiters.isEmpty else { return (result, []) }
            // Under the lock, so that no change comes between the condition and the decision to wake.
            let ready = content.waiters.filter { $0.value.holds(content.state) }.keys.sorted()
            return (result, ready.compactMap { content.waiters.removeValue(forKey: $0) })
        }
        // Outside the lock: a woken waiter may call this object again at once.
        for waiter in woken { waiter.wake(true) }
        return result
    }

    /// Waits until the condition holds.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    package func wait(until holds: @escaping @Sendable (State) -> Bool) async throws(CancellationError) {
        let id = newWaiter()
        let held = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                register(id, Waiter(holds: holds) { continuation.resume(returning: $0) })
            }
        } onCancel: {
            abandon(id)
        }
        // The cancellation may have come after the wake, and has been noted then.
        forget(id)
        if !held { throw CancellationError() }
    }

    /// Blocks the calling thread until the condition holds.
    package func block(until holds: @escaping @Sendable (State) -> Bool) {
        // Cannot be given up: there is no task to cancel, and a test that waits for ever is ended by its runner.
        let semaphore = DispatchSemaphore(value: 0)
        // Registered before it waits, so that a change in between signals it.
        register(newWaiter(), Waiter(holds: holds) { _ in semaphore.signal() })
        semaphore.wait()
    }

    private func newWaiter() -> Int {
        content.withLock { content in
            content.lastWaiter += 1
            return content.lastWaiter
        }
    }

    private func register(_ id: Int, _ waiter: Waiter) {
        let answer = content.withLock { content -> Bool? in
            if waiter.holds(content.state) { return true }
            // The task was cancelled before it came to wait; its continuation must be resumed all the same.
            if content.abandoned.contains(id) { return false }
            content.waiters[id] = waiter
            return nil
        }
        if let answer { waiter.wake(answer) }
    }

    private func abandon(_ id: Int) {
        let waiter = content.withLock { content -> Waiter? in
            // Noted even if nobody waits yet: the cancellation may come before the registration.
            content.abandoned.insert(id)
            return content.waiters.removeValue(forKey: id)
        }
        waiter?.wake(false)
    }

    private func forget(_ id: Int) {
        content.withLock { content in
            _ = content.abandoned.remove(id)
        }
    }
}
