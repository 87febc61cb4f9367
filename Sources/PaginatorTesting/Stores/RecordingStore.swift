public import PaginatorCore

/// A store that hands every call on to a real one and records it.
public final class RecordingStore<T: Sendable>: PaginatorStore {
    private struct State: Sendable {
        var calls: [StoreCall] = []
        var answered = 0
        var errors: [PaginatorError] = []
    }

    private let store: any PaginatorStore<T>
    private let handshake = Handshake(State())

    /// Wraps a store.
    public init(_ store: any PaginatorStore<T>) {
        self.store = store
    }

    /// Attaches the real store; not recorded.
    public func attach(to environment: StoreEnvironment) {
        store.attach(to: environment)
    }

    /// Records the call and loads from the real store.
    public func load(
        _ identity: PageIdentity, completion: @escaping @Sendable (Result<StoredPage<T>?, PaginatorError>) -> Void
    ) {
        handshake.update { $0.calls.append(.load(identity)) }
        store.load(identity) { [handshake] result in
            completion(result)
            Self.note(result, in: handshake)
        }
    }

    /// Records each change and hands them to the real store.
    public func apply(
        _ changes: [StoreChange<T>], accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) {
        handshake.update { $0.calls += changes.map { StoreCall($0) } }
        store.apply(changes) { [handshake] result in
            accepted(result)
            Self.note(result, in: handshake)
        }
    }

    /// Records the call and flushes the real store.
    public func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        handshake.update { $0.calls.append(.flush) }
        store.flush { [handshake] result in
            completion(result)
            Self.note(result, in: handshake)
        }
    }

    /// Every call so far, in order; each change of an `apply` counts as one.
    public var calls: [StoreCall] { handshake.read(\.calls) }

    /// How many answers the real store has given; all changes of one `apply` have one.
    public var answers: Int { handshake.read(\.answered) }

    /// The errors that the real store answered with, in order.
    public var errors: [PaginatorError] { handshake.read(\.errors) }

    /// Waits until calls have come.
    ///
    /// - Parameter count: how many, since the store was wrapped.
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForCalls(_ count: Int) async throws(CancellationError) {
        try await handshake.wait { $0.calls.count >= count }
    }

    private static func note<Value>(_ result: Result<Value, PaginatorError>, in handshake: Handshake<State>) {
        let error: PaginatorError? = if case .failure(let error) = result { error } else { nil }
        handshake.update { state in
            state.answered += 1
            if let error { state.errors.append(error) }
        }
    }
}
