import Dispatch
package import PaginatorCore

/// What the app needs to know of its device, and tells everybody who depends on it: the one environment port.
///
///     let environment = AppEnvironment()
///     let source = ConnectivityProbe(environment, probe: ...)        // NWPathMonitor on Apple: PathMonitor(environment)
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

        package init(lifecycle: Lifecycle = .foreground, isLowPower: Bool = false, link: Link = .good) {
            self.lifecycle = lifecycle
            self.isLowPower = isLowPower
            self.link = link
        }

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

    private struct Guts {
        var state: State
        var observers: [Int: @Sendable (State) -> Void] = [:]
        var lastObserver = 0
    }

    private let guts: Guarded<Guts>
    private let queue = DispatchQueue(label: "environment")

    /// Makes an environment that stays as it is until it is updated.
    package init(_ state: State = State()) {
        guts = Guarded(Guts(state: state))
    }

    /// What the device is like now.
    package var state: State { guts.withLock { $0.state } }

    /// Changes the state, and tells the observers if it is another one.
    package func update(_ change: (inout State) -> Void) {
        guts.withLock { guts in
            let old = guts.state
            change(&guts.state)
            guard guts.state != old else { return }
            let state = guts.state
            let ids = guts.observers.keys.sorted()
            // Handed over with the lock held, so that the order of the queue is the order of the changes.
            queue.async { [self] in
                for id in ids { self.guts.withLock { $0.observers[id] }?(state) }
            }
        }
    }

    /// Calls `handler` with each new state until the observation is released.
    package func observeState(_ handler: @escaping @Sendable (State) -> Void) -> any AnyObject & Sendable {
        let id = guts.withLock { guts in
            guts.lastObserver += 1
            guts.observers[guts.lastObserver] = handler
            return guts.lastObserver
        }
        return Observation { [weak self] in _ = self?.guts.withLock { $0.observers.removeValue(forKey: id) } }
    }

    // MARK: PaginatorConnectivity

    package var conditions: PaginatorConditions { state.conditions }

    package func observe(_ handler: @escaping @Sendable (PaginatorConditions) -> Void) -> any AnyObject & Sendable {
        observeState { handler($0.conditions) }
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
