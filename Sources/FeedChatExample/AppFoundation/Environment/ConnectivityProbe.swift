package import PaginatorCore

/// Finds out about the connection by asking the server: where the system tells nothing, such as on Linux.
///
/// It asks seldom while all is well, soon and then ever less often while it is not, never while the app is suspended,
/// and at once after ``AppEnvironment/doubtConnection()``, which is for calls that failed.
package final class ConnectivityProbe: Sendable {
    private struct State {
        var schedule = ProbeSchedule()
        var running: Task<Void, Never>?
        var observation: (any AnyObject & Sendable)?
        var lifecycle: AppEnvironment.Lifecycle
        var isStopped = false
    }

    private final class Relay: Sendable {
        private struct Reference: Sendable { weak var probe: ConnectivityProbe? }
        private let reference = Guarded(Reference())
        var probe: ConnectivityProbe? { reference.withLock { $0.probe } }
        func set(_ probe: ConnectivityProbe) { reference.withLock { $0.probe = probe } }
    }

    private let environment: AppEnvironment
    private let clock: any PaginatorClock
    private let probe: @Sendable () async -> Bool
    private let timer: any PaginatorTimer
    private let state: Guarded<State>

    /// Makes a probe and asks at once.
    ///
    /// - Parameters:
    ///   - environment: takes what is found.
    ///   - probe: asks the server, within a few seconds, and says whether it answered.
    package init(
        _ environment: AppEnvironment, clock: any PaginatorClock = SystemPaginatorClock(),
        probe: @escaping @Sendable () async -> Bool
    ) {
        self.environment = environment
        self.clock = clock
        self.probe = probe
        state = Guarded(State(lifecycle: environment.state.lifecycle))
        let relay = Relay()
        timer = clock.makeTimer { relay.probe?.checkNow() }
        relay.set(self)
        let observation = environment.observeState { [weak self] in self?.moved(to: $0.lifecycle) }
        state.withLock { $0.observation = observation }
        environment.onDoubt { relay.probe?.checkNow() }
        checkNow()
    }

    deinit {
        stop()
    }

    /// Asks now, unless it is asking already.
    package func checkNow() {
        guard environment.state.lifecycle != .suspended else { return }
        state.withLock { state in
            guard state.running == nil, !state.isStopped else { return }
            state.running = Task.detached { [weak self, probe, clock] in
                let start = clock.now
                let isReached = await probe()
                self?.probed(isReached ? start.duration(to: clock.now) : nil)
            }
        }
    }

    /// Stops asking for good.
    package func stop() {
        timer.disarm()
        state.withLock { state in
            state.isStopped = true
            state.observation = nil
            state.running?.cancel()
        }
    }

    /// Asks when the app comes to the foreground; what else changes, the link among it, is no reason.
    private func moved(to lifecycle: AppEnvironment.Lifecycle) {
        let hasCome = state.withLock { state in
            defer { state.lifecycle = lifecycle }
            return lifecycle == .foreground && state.lifecycle != .foreground
        }
        if hasCome { checkNow() }
    }

    private func probed(_ latency: Duration?) {
        let link = state.withLock { state -> AppEnvironment.Link? in
            state.running = nil
            guard !state.isStopped else { return nil }
            let link = state.schedule.probed(latency)
            timer.arm(at: clock.now.advanced(by: state.schedule.interval))
            return link
        }
        if let link { environment.update { $0.link = link } }
    }
}

/// Decides what answers to a probe mean, and when to ask again.
package struct ProbeSchedule: Sendable {
    private var failures = 0

    package init() {}

    /// Judges one answer: two failures in a row mean that there is no connection, one answer that there is.
    ///
    /// - Parameter latency: how long the server took; `nil` if it did not answer.
    /// - Returns: how good the connection is; `nil` where that is not sure yet.
    package mutating func probed(_ latency: Duration?) -> AppEnvironment.Link? {
        guard let latency else {
            failures = min(failures + 1, 8)
            return failures >= 2 ? AppEnvironment.Link.none : nil
        }
        failures = 0
        return latency > .seconds(1) ? .weak : .good
    }

    /// How long to wait before asking again: 15 s while all is well, from 250 ms up to 16 s while it is not.
    package var interval: Duration {
        failures == 0 ? .seconds(15) : .milliseconds(250) * (1 << min(failures - 1, 6))
    }
}
