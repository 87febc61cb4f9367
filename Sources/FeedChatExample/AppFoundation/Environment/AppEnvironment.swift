package import PaginatorCore

/// The state of the device for everything that depends on it: the single environment port.
///
///     let environment = AppEnvironment()
///     let watch = ConnectionWatch(environment) { ... }               // asks the server, and the system where it knows
///     environment.update { $0.lifecycle = .background }              // from the app's delegate
///     config.connectivity = environment                              // paginators follow it
///     outbox.follow(environment)
///
/// Without a source it changes only by ``update(_:)``, as tests want. Observers are called on one serial queue, in the
/// order of the changes.
package final class AppEnvironment: PaginatorConnectivity {
    /// The state of the device.
    package struct State: Sendable, Hashable {
        package var lifecycle: Lifecycle
        package var isLowPower: Bool
        package var link: Link
        /// The user's language.
        package var language: AppLanguage

        package init(
            lifecycle: Lifecycle = .foreground, isLowPower: Bool = false, link: Link = .good,
            language: AppLanguage = .english
        ) {
            self.language = language
            self.lifecycle = lifecycle
            self.isLowPower = isLowPower
            self.link = link
        }

        /// The texts of the app in the user's language.
        package var texts: AppTexts { AppTexts(language) }

        /// Whether there is a connection.
        package var isOnline: Bool { link != .none }

        /// The conditions for a paginator.
        package var conditions: PaginatorConditions {
            var conditions: PaginatorConditions = []
            if link == .none { conditions.insert(.offline) }
            if link == .weak { conditions.insert(.weakLink) }
            if isLowPower { conditions.insert(.lowPower) }
            if lifecycle != .foreground { conditions.insert(.background) }
            return conditions
        }
    }

    /// The lifecycle state of the app.
    package enum Lifecycle: Sendable, Hashable {
        case foreground, background
        /// In the background, and about to be suspended.
        case suspended
    }

    /// The quality of the connection.
    package enum Link: Sendable, Hashable, Comparable {
        case none, weak, good
    }

    private let observed: Observed<State>
    private let doubted = Guarded<(@Sendable () -> Void)?>(nil)

    /// Creates an environment that changes only by updates.
    package init(_ state: State = State()) {
        observed = Observed(state, label: "environment")
    }

    /// The current state of the device.
    package var state: State { observed.value }

    /// The texts of the app in the user's language.
    package var texts: AppTexts { state.texts }

    /// Changes the state, and calls the observers if it differs.
    package func update(_ change: (inout State) -> Void) { observed.update(change) }

    /// Calls `handler` with each new state until the observation is released.
    package func observeState(_ handler: @escaping @Sendable (State) -> Void) -> any AnyObject & Sendable {
        observed.observe(handler)
    }

    /// Reports that a call did not reach the server, so that the connection watch checks the connection at once.
    package func doubtConnection() { doubted.withLock { $0 }?() }

    /// Sets the handler of ``doubtConnection()``.
    func onDoubt(_ handler: @escaping @Sendable () -> Void) { doubted.withLock { $0 = handler } }

    // MARK: PaginatorConnectivity

    package var conditions: PaginatorConditions { state.conditions }

    package func observe(_ handler: @escaping @Sendable (PaginatorConditions) -> Void) -> any AnyObject & Sendable {
        observeState { handler($0.conditions) }
    }
}
