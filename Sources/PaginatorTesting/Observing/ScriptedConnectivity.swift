public import PaginatorCore

/// A connectivity whose conditions the test sets: offline, weak link, low power, background.
public final class ScriptedConnectivity: PaginatorConnectivity {
    private typealias Handler = @Sendable (PaginatorConditions) -> Void

    private struct State: Sendable {
        var conditions: PaginatorConditions
        var handlers: [Int: Handler] = [:]
        var lastObserver = 0
    }

    private let handshake: Handshake<State>

    /// Creates a connectivity.
    ///
    /// - Parameter conditions: the initial conditions; none, a good connection, by default.
    public init(_ conditions: PaginatorConditions = []) {
        handshake = Handshake(State(conditions: conditions))
    }

    /// The current conditions.
    public var conditions: PaginatorConditions { handshake.read(\.conditions) }

    /// The number of observers.
    package var observerCount: Int { handshake.read(\.handlers.count) }

    /// Sets the conditions, and calls all observers before it returns, in the order in which they were added, on the
    /// calling thread. Unchanged conditions are not reported.
    public func set(_ conditions: PaginatorConditions) {
        let handlers = handshake.update { state -> [Handler] in
            guard state.conditions != conditions else { return [] }
            state.conditions = conditions
            return state.handlers.sorted { $0.key < $1.key }.map(\.value)
        }
        for handler in handlers { handler(conditions) }
    }

    /// Calls `handler` after each change until the returned object is released.
    public func observe(_ handler: @escaping @Sendable (PaginatorConditions) -> Void) -> any AnyObject & Sendable {
        let id = handshake.update { state in
            state.lastObserver += 1
            state.handlers[state.lastObserver] = handler
            return state.lastObserver
        }
        return Observation { [weak self] in self?.forget(id) }
    }

    private func forget(_ id: Int) {
        _ = handshake.update { $0.handlers.removeValue(forKey: id) }
    }

    private final class Observation: Sendable {
        private let end: @Sendable () -> Void

        init(end: @escaping @Sendable () -> Void) {
            self.end = end
        }

        deinit {
            end()
        }
    }
}
