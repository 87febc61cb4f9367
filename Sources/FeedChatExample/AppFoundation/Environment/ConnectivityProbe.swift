package import PaginatorCore

/// Detects the connection by probing the server.
///
/// It probes seldom while the connection is good, soon and then at growing intervals while it is not, never while the
/// app is suspended, and at once after ``AppEnvironment/doubtConnection()``, which is for calls that failed.
///
/// If the system reports the connection, it probes only at the start, after a doubt, after a report that the last probe
/// contradicts, and when the app returns to the foreground or from a suspension. Then it goes on until the server
/// answers.
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

    /// Creates a probe and runs it at once.
    ///
    /// - Parameters:
    ///   - environment: the environment to update.
    ///   - probe: calls the server, within a few seconds, and returns whether it answered.
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

    /// Takes the connection that the system reports. It counts until two probes in a row have failed, and again once
    /// one was answered. A connection that the last probe did not find is probed at once.
    package func systemReports(_ link: AppEnvironment.Link) {
        let isDoubtful = state.withLock { state in
            guard !state.isStopped else { return false }
            timer.disarm()
            // Under the lock, as for a probe.
            environment.update { $0.link = link }
            return state.schedule.systemReports(link)
        }
        if isDoubtful { checkNow() }
    }

    /// Probes now, unless a probe is running.
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

    /// Stops probing permanently.
    package func stop() {
        timer.disarm()
        state.withLock { state in
            state.isStopped = true
            state.observation = nil
            state.running?.cancel()
        }
    }

    /// Probes when the app comes to the foreground, or out of a suspension. Other changes, such as the link, are no
    /// reason.
    private func moved(to lifecycle: AppEnvironment.Lifecycle) {
        let hasCome = state.withLock { state in
            defer { state.lifecycle = lifecycle }
            return lifecycle != state.lifecycle && (lifecycle == .foreground || state.lifecycle == .suspended)
        }
        if hasCome { checkNow() }
    }

    private func probed(_ latency: Duration?) {
        state.withLock { state in
            state.running = nil
            guard !state.isStopped else { return }
            let link = state.schedule.probed(latency)
            if let interval = state.schedule.interval { timer.arm(at: clock.now.advanced(by: interval)) }
            // Under the lock, so that it does not follow what a later probe has found.
            if let link { environment.update { $0.link = link } }
        }
    }
}

/// Decides what answers to a probe mean, and when the next probe is due.
package struct ProbeSchedule: Sendable {
    private var failures = 0
    /// The connection that the system reports; `nil` if it reports none.
    private var systemLink: AppEnvironment.Link?

    package init() {}

    /// Handles a report of the system: no earlier failure counts any more.
    ///
    /// - Returns: whether it reports a connection that the last probe did not find.
    @discardableResult
    package mutating func systemReports(_ link: AppEnvironment.Link) -> Bool {
        defer { (systemLink, failures) = (link, 0) }
        return failures > 0 && link != .none
    }

    /// Handles one answer: two failures in a row mean that there is no connection, one answer that there is.
    ///
    /// - Parameter latency: the time until the answer; `nil` if there was none.
    /// - Returns: the quality of the connection; `nil` while it is uncertain.
    package mutating func probed(_ latency: Duration?) -> AppEnvironment.Link? {
        guard let latency else {
            failures = min(failures + 1, 8)
            return failures >= 2 ? AppEnvironment.Link.none : nil
        }
        failures = 0
        return systemLink ?? (latency > .seconds(1) ? .weak : .good)
    }

    /// The time until the next probe: 15 s while the connection is good, from 250 ms up to 16 s while it is not; `nil`
    /// if the system reports that there is none, or reports one and the server has answered.
    package var interval: Duration? {
        if failures == 0 { return systemLink == nil ? .seconds(15) : nil }
        return systemLink == AppEnvironment.Link.none ? nil : Duration.milliseconds(250) * (1 << min(failures - 1, 6))
    }
}
