import Dispatch
import PaginatorCore

/// A value behind a lock. A test can wait, without sleeping or polling, until a condition on it holds.
///
/// Every change goes through ``update(_:)``, which checks the waiting conditions under the lock and then wakes those
/// that hold.
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

    /// Creates a handshake with an initial value.
    package init(_ state: State) {
        content = Guarded(Content(state: state))
    }

    /// Returns the result of `body` for the value.
    package func read<R: Sendable>(_ body: (State) -> R) -> R {
        content.withLock { body($0.state) }
    }

    /// Changes the value, and wakes waiters whose condition holds now. Complexity: O(waiters) and the change.
    package func update<R: Sendable>(_ body: (inout State) -> R) -> R {
        let (result, woken) = content.withLock { content -> (R, [Waiter]) in
            let result = body(&content.state)
            guard !content.waiters.isEmpty else { return (result, []) }
            // Under the lock, so that no change comes between condition and decision.
            let ready = content.waiters.filter { $0.value.holds(content.state) }.keys.sorted()
            return (result, ready.compactMap { content.waiters.removeValue(forKey: $0) })
        }
        // Outside the lock, because a woken waiter may call this object at once.
        for waiter in woken { waiter.wake(true) }
        return result
    }

    /// Waits until the condition holds.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    package func wait(until holds: @escaping @Sendable (State) -> Bool) async throws(CancellationError) {
        let id = newWaiter()
        let held = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                register(id, Waiter(holds: holds) { continuation.resume(returning: $0) })
            }
        } onCancel: {
            abandon(id)
        }
        // The cancellation may have come, and been recorded, after the wake.
        forget(id)
        if !held { throw CancellationError() }
    }

    /// Blocks the calling thread until the condition holds. The main thread does what is queued for it meanwhile.
    package func block(until holds: @escaping @Sendable (State) -> Bool) {
        // It cannot be cancelled, because there is no task; a test that waits forever is ended by its runner.
        let semaphore = DispatchSemaphore(value: 0)
        // Registered before it waits, so that a change in between signals it.
        register(newWaiter(), Waiter(holds: holds) { _ in semaphore.signal() })
        MainThread.wait(for: semaphore)
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
            // The task was cancelled before it waited; its continuation must be resumed all the same.
            if content.abandoned.contains(id) { return false }
            content.waiters[id] = waiter
            return nil
        }
        if let answer { waiter.wake(answer) }
    }

    private func abandon(_ id: Int) {
        let waiter = content.withLock { content -> Waiter? in
            // Recorded even without a waiter, because the cancellation may come before the registration.
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
