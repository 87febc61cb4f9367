import PaginatorCore

/// The callbacks of a recording listener, for which a test can wait.
final class CallbackLog<Callbacks: Sendable, Value: Sendable>: Sendable {
    typealias End = Result<Value, PaginatorError>

    private struct State: Sendable {
        var callbacks: Callbacks
        var ends: [End] = []
        var callbacksAfterEnd = 0
        /// The number of ends whose closures have returned, for which tests wait.
        var finishedEnds = 0
    }

    private let name: String
    private let journal: CallbackJournal?
    private let handshake: Handshake<State>

    init(_ callbacks: Callbacks, name: String, journal: CallbackJournal?) {
        handshake = Handshake(State(callbacks: callbacks))
        self.name = name
        self.journal = journal
    }

    var ends: [End] { handshake.read(\.ends) }

    var callbacksAfterEnd: Int { handshake.read(\.callbacksAfterEnd) }

    func read<R: Sendable>(_ part: (Callbacks) -> R) -> R { handshake.read { part($0.callbacks) } }

    /// Records a callback, then calls the test's closure.
    func note(_ text: String, _ change: (inout Callbacks) -> Void, then finish: () -> Void = {}) {
        add(text, { change(&$0.callbacks) }, then: finish)
    }

    /// Records an end, calls the test's closure, and wakes waiting tests.
    func noteEnd(_ end: End, _ text: (Value) -> String, then finish: () -> Void) {
        let text =
            switch end {
            case .success(let value): text(value)
            case .failure(let error): "error \(error.code)"
            }
        add(text, { $0.ends.append(end) }) {
            finish()
            handshake.update { $0.finishedEnds += 1 }
        }
    }

    private func add(_ text: String, _ change: (inout State) -> Void, then finish: () -> Void) {
        journal?.begin(name, text)
        handshake.update { state in
            if !state.ends.isEmpty { state.callbacksAfterEnd += 1 }
            change(&state)
        }
        finish()
        journal?.end()
    }

    func waitForEnd() async throws(CancellationError) -> End {
        try await handshake.wait { $0.finishedEnds > 0 }
        return ends[0]
    }

    func blockUntilEnd() -> End {
        handshake.block { $0.finishedEnds > 0 }
        return ends[0]
    }
}
