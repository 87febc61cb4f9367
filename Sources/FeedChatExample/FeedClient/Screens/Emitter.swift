/// Hands a screen its state: several changes of one turn of the main queue become one emission, and a state that looks
/// like the one before is none.
@MainActor
package final class Emitter<State: Sendable> {
    private var onChange: ((State) -> Void)?
    private var isPosted = false
    private let current: () -> State
    /// How many states were handed out.
    package private(set) var emissions = 0
    private var watchers: [(isMet: (State) -> Bool, met: CheckedContinuation<State, Never>)] = []

    init(_ current: @escaping () -> State) {
        self.current = current
    }

    func setHandler(_ handler: @escaping (State) -> Void) {
        onChange = handler
        changed()
    }

    /// Says that the state is another one.
    func changed() {
        guard !isPosted else { return }
        isPosted = true
        Task { @MainActor in self.emit() }
    }

    private func emit() {
        isPosted = false
        emissions += 1
        let state = current()
        onChange?(state)
        let met = watchers.filter { $0.isMet(state) }
        watchers.removeAll { $0.isMet(state) }
        for watcher in met { watcher.met.resume(returning: state) }
    }

    /// Returns the first state that meets a condition: the present one, or one that is handed out later.
    func first(where isMet: @escaping (State) -> Bool) async -> State {
        let state = current()
        if isMet(state) { return state }
        return await withCheckedContinuation { watchers.append((isMet, $0)) }
    }
}
