import Dispatch
import PaginatorCore

/// A value whose observers are called with each different value on one serial queue, in the order of the changes.
package final class Observed<Value: Sendable & Equatable>: Sendable {
    private struct Guts {
        var value: Value
        var observers: [Int: @Sendable (Value) -> Void] = [:]
        var lastObserver = 0
    }

    private let guts: Guarded<Guts>
    private let queue: DispatchQueue

    package init(_ value: Value, label: String) {
        guts = Guarded(Guts(value: value))
        queue = DispatchQueue(label: label)
    }

    /// The current value.
    package var value: Value { guts.withLock { $0.value } }

    /// Changes the value, and calls the observers if it differs.
    ///
    /// - Returns: what `change` returns.
    @discardableResult
    package func update<Result>(_ change: (inout Value) -> Result) -> Result {
        guts.withLock { guts in
            let old = guts.value
            let result = change(&guts.value)
            guard guts.value != old else { return result }
            let value = guts.value
            let ids = guts.observers.keys.sorted()
            // Enqueued under the lock, so that the order of the queue is the order of the changes.
            queue.async { [self] in
                for id in ids { self.guts.withLock { $0.observers[id] }?(value) }
            }
            return result
        }
    }

    /// Calls `handler` with each new value until the observation is released.
    package func observe(_ handler: @escaping @Sendable (Value) -> Void) -> any AnyObject & Sendable {
        let id = guts.withLock { guts in
            guts.lastObserver += 1
            guts.observers[guts.lastObserver] = handler
            return guts.lastObserver
        }
        return Observation { [weak self] in _ = self?.guts.withLock { $0.observers.removeValue(forKey: id) } }
    }
}
