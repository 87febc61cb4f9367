/// Letters that are worked on one at a time, in the order in which they came: whoever adds one while nobody works on them
/// works until none is left.
///
/// So what the work touches is never used by two threads, and no lock is held while it runs user code, which may add
/// letters of its own.
package final class SerialLetters<Letter: Sendable>: Sendable {
    private struct State {
        var letters: [Letter] = []
        var isWorking = false
    }

    private let state = Guarded(State())

    package init() {}

    /// Adds a letter, and works on all there are unless somebody does already.
    ///
    /// - Parameters:
    ///   - letter: the letter.
    ///   - work: works on one letter; called with no lock held.
    package func post(_ letter: Letter, work: (Letter) -> Void) {
        let works = state.withLock { state in
            guard state.isWorking else {
                state.isWorking = true
                return true
            }
            state.letters.append(letter)
            return false
        }
        guard works else { return }
        // Nobody works, so nothing waits before it.
        work(letter)
        while true {
            let batch = state.withLock { state in
                defer { state.letters = [] }
                if state.letters.isEmpty { state.isWorking = false }
                return state.letters
            }
            guard !batch.isEmpty else { return }
            for letter in batch { work(letter) }
        }
    }
}
