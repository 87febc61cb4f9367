/// Hands events to the observer, in order and one at a time, on an executor, without ever holding up who posts.
package final class EventMailbox: Sendable {
    private struct State: Sendable {
        var buffer: EventBuffer
        var isDraining = false
    }

    private let state: Guarded<State>
    private let observer: any PaginatorObserver
    private let executor: any WorkExecutor

    /// Makes a mailbox.
    ///
    /// - Parameters:
    ///   - observer: takes the events.
    ///   - executor: runs the drain, never two of this mailbox at once; it may be concurrent.
    ///   - capacity: how many events wait at most.
    package init(observer: any PaginatorObserver, executor: any WorkExecutor, capacity: Int = 1_024) {
        self.observer = observer
        self.executor = executor
        state = Guarded(State(buffer: EventBuffer(capacity: capacity)))
    }

    /// Queues an event, or counts it as lost when the observer is too slow.
    ///
    /// It takes only its own lock and may be called with any other lock held. Complexity: O(1).
    package func post(_ event: PaginatorEvent) {
        let starts = state.withLock { state in
            state.buffer.append(event)
            guard !state.isDraining else { return false }
            state.isDraining = true
            return true
        }
        if starts { scheduleTurn(spare: []) }
    }

    private func scheduleTurn(spare: [PaginatorEvent]) {
        executor.run { [self] in drainTurn(spare: spare) }
    }

    /// Tells what waits now, then lets others run before it tells what came meanwhile.
    private func drainTurn(spare: [PaginatorEvent]) {
        var batch = state.withLock { $0.buffer.takeAll(leaving: spare) }
        for event in batch { observer.paginatorDidReport(event) }
        batch.removeAll(keepingCapacity: true)
        let goesOn = state.withLock { state in
            state.isDraining = !state.buffer.isEmpty
            return state.isDraining
        }
        if goesOn { scheduleTurn(spare: batch) }
    }
}
