/// Passes a state to a screen: several changes in one turn of the main queue become one emission.
@MainActor
package final class Emitter<State: Sendable> {
    private var onChange: ((State) -> Void)?
    private var isPosted = false
    private let current: () -> State?
    /// The number of emitted states.
    package private(set) var emissions = 0
    private var watchers: [Int: AsyncStream<State>.Continuation] = [:]
    private var lastWatcher = 0

    /// Creates an emitter.
    ///
    /// - Parameter current: returns the current state; `nil` once its owner was released.
    package init(_ current: @escaping () -> State?) {
        self.current = current
    }

    /// Calls `handler` with the state, now and after each change.
    package func setHandler(_ handler: @escaping (State) -> Void) {
        onChange = handler
        changed()
    }

    /// Reports that the state has changed.
    package func changed() {
        guard !isPosted else { return }
        isPosted = true
        Task { @MainActor in self.emit() }
    }

    private func emit() {
        isPosted = false
        guard let state = current() else { return }
        emissions += 1
        onChange?(state)
        for watcher in watchers.values { watcher.yield(state) }
    }

    /// Returns the first state that meets a condition: the current one, or a later one.
    ///
    /// - Throws: ``StateNotReached`` if the task is cancelled first.
    package func first(
        where isMet: (State) -> Bool, file: StaticString = #fileID, line: UInt = #line
    ) async throws -> State {
        if let state = current(), isMet(state) { return state }
        let (states, continuation) = AsyncStream<State>.makeStream()
        lastWatcher += 1
        let id = lastWatcher
        watchers[id] = continuation
        defer { watchers[id] = nil }
        for await state in states where isMet(state) { return state }
        throw StateNotReached("the state of \(file):\(line)")
    }
}

/// The awaited state did not appear before the task was cancelled.
package struct StateNotReached: Error, CustomStringConvertible {
    package let description: String

    package init(_ what: String) { description = "waited in vain for \(what)" }
}
