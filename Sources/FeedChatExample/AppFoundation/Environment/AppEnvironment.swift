package import PaginatorCore

/// What the app needs to know of its device, and tells everybody who depends on it: the one environment port.
///
///     let environment = AppEnvironment()
///     let watch = ConnectionWatch(environment) { ... }               // asks the server, or the system where it knows
///     environment.update { $0.lifecycle = .background }              // from the app's delegate
///     config.connectivity = environment                              // paginators follow it
///     outbox.follow(environment)
///
/// Without a source it changes only by ``update(_:)``, which is what tests want. Observers are told on one serial queue,
/// in the order of the changes.
package final class AppEnvironment: PaginatorConnectivity {
    /// What the device is like.
    package struct State: Sendable, Hashable {
        package var lifecycle: Lifecycle
        package var isLowPower: Bool
        package var link: Link
        /// What the user reads.
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

        /// What the app says, in the user's language.
        package var texts: AppTexts { AppTexts(language) }

        /// Whether there is a connection.
        package var isOnline: Bool { link != .none }

        /// The same for a paginator.
        package var conditions: PaginatorConditions {
            var conditions: PaginatorConditions = []
            if link == .none { conditions.insert(.offline) }
            if link == .weak { conditions.insert(.weakLink) }
            if isLowPower { conditions.insert(.lowPower) }
            if lifecycle != .foreground { conditions.insert(.background) }
            return conditions
        }
    }

    /// Where the app is in its life.
    package enum Lifecycle: Sendable, Hashable {
        case foreground, background
        /// In the background, and about to get no more time.
        case suspended
    }

    /// How good the connection is.
    package enum Link: Sendable, Hashable, Comparable {
        case none, weak, good
    }

    private let observed: Observed<State>
    private let doubted = Guarded<(@Sendable () -> Void)?>(nil)

    /// Makes an environment that stays as it is until it is updated.
    package init(_ state: State = State()) {
        observed = Observed(state, label: "environment")
    }

    /// What the device is like now.
    package var state: State { observed.value }

    /// What the app says, in the user's language.
    package var texts: AppTexts { state.texts }

    /// Changes the state, and tells the observers if it is another one.
    package func update(_ change: (inout State) -> Void) { observed.update(change) }

    /// Calls `handler` with each new state until the observation is released.
    package func observeState(_ handler: @escaping @Sendable (State) -> Void) -> any AnyObject & Sendable {
        observed.observe(handler)
    }

    /// Says that a call did not reach the server: whoever watches the connection finds out at once whether there is one.
    package func doubtConnection() { doubted.withLock { $0 }?() }

    /// Sets what a doubt about the connection calls.
    func onDoubt(_ handler: @escaping @Sendable () -> Void) { doubted.withLock { $0 = handler } }

    // MARK: PaginatorConnectivity

    package var conditions: PaginatorConditions { state.conditions }

    package func observe(_ handler: @escaping @Sendable (PaginatorConditions) -> Void) -> any AnyObject & Sendable {
        observeState { handler($0.conditions) }
    }
}
