import Dispatch
public import Foundation
public import PaginatorCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the system tells of the network and the device, so that a paginator loads less, or nothing, where that is wise.
///
/// ```swift
/// // On Apple's platforms:
/// config.connectivity = SystemConnectivity()
/// ```
///
/// | What the system tells | What a paginator hears |
/// | --- | --- |
/// | there is no connection | `offline`: no attempt is started |
/// | the link is expensive (cellular, a hotspot) or constrained (Low Data Mode) | `weakLink` |
/// | Low Power Mode is on, or the device is seriously hot | `lowPower` |
/// | the app went to the background (iOS, tvOS, watchOS, visionOS) | `background` |
/// | the battery charges or is full (iOS, visionOS; on watchOS never, elsewhere always) | `charging` |
///
/// A prefetch that does not allow `weakLink`, `lowPower` or `background` waits while they hold, and half as many calls
/// run at once. To hear of the
/// battery it turns on `UIDevice.isBatteryMonitoringEnabled`, for the whole app. Where the system tells nothing of the
/// network, as on Linux, ``init(probing:)`` asks a server. One object may serve every paginator of an app.
public final class SystemConnectivity: PaginatorConnectivity {
    private typealias Handler = @Sendable (PaginatorConditions) -> Void
    typealias Update = @Sendable (@escaping @Sendable (inout DeviceState) -> Void) -> Void

    private struct State: Sendable {
        var device = DeviceState()
        var handlers: [Int: Handler] = [:]
        var lastObserver = 0
        var watches: [any AnyObject & Sendable] = []
    }

    private let state = Guarded(State())
    /// Where observers are called, in the order of the changes.
    let queue = DispatchQueue(label: "paginator.connectivity")

    #if canImport(Network)
        /// Watches network and device until it is released. Until the system has told of the network, there is a good link;
        /// the app counts as in the foreground until it leaves it.
        public convenience init() {
            self.init { [PathWatch($0), DeviceWatch($0)] }
        }
    #endif

    /// Asks a server every 15 seconds, and sooner while it does not answer, with a `HEAD` request. Two failures in a row mean
    /// `offline`, an answer that takes longer than a second means `weakLink`; any status is an answer.
    ///
    /// - Parameter address: what to ask for, best a small resource of the server that the pages come from.
    public convenience init(probing address: URL) {
        var request = URLRequest(url: address, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 5)
        request.httpMethod = "HEAD"
        let session = URLSession(configuration: .ephemeral)
        self.init(clock: SystemPaginatorClock()) { [request] answered in
            session.dataTask(with: request) { _, response, _ in answered(response != nil) }.resume()
        }
    }

    /// Asks by a closure, which answers once.
    convenience init(
        clock: any PaginatorClock, probe: @escaping @Sendable (@escaping @Sendable (Bool) -> Void) -> Void
    ) {
        self.init { update in
            var watches: [any AnyObject & Sendable] = [ProbeWatch(clock: clock, probe: probe, update)]
            #if canImport(Network)
                watches.append(DeviceWatch(update))
            #endif
            return watches
        }
    }

    private init(watching watch: (@escaping Update) -> [any AnyObject & Sendable]) {
        let watches = watch { [weak self] change in self?.update(change) }
        state.withLock { $0.watches = watches }
    }

    /// The conditions now.
    public var conditions: PaginatorConditions { state.withLock { $0.device.conditions } }

    /// Calls `handler` after each change until the returned object is released.
    public func observe(_ handler: @escaping @Sendable (PaginatorConditions) -> Void) -> any AnyObject & Sendable {
        let number = state.withLock { state in
            state.lastObserver += 1
            state.handlers[state.lastObserver] = handler
            return state.lastObserver
        }
        // Strongly: a scheduler keeps what it observes by, and often nobody else keeps this.
        return Observation { [self] in
            // Released without the lock.
            _ = state.withLock { $0.handlers.removeValue(forKey: number) }
        }
    }

    private func update(_ change: @escaping @Sendable (inout DeviceState) -> Void) {
        queue.async { [self] in
            let (handlers, conditions) = state.withLock { state -> ([Handler], PaginatorConditions) in
                let before = state.device.conditions
                change(&state.device)
                let conditions = state.device.conditions
                guard conditions != before else { return ([], conditions) }
                return (state.handlers.sorted { $0.key < $1.key }.map(\.value), conditions)
            }
            for handler in handlers { handler(conditions) }
        }
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

/// Asks a server whether it can be reached, again and again.
private final class ProbeWatch: Sendable {
    private let clock: any PaginatorClock
    private let probe: @Sendable (@escaping @Sendable (Bool) -> Void) -> Void
    private let update: SystemConnectivity.Update
    private let schedule = Guarded(ProbeSchedule())
    private let timer = Guarded<(any PaginatorTimer)?>(nil)

    init(
        clock: any PaginatorClock, probe: @escaping @Sendable (@escaping @Sendable (Bool) -> Void) -> Void,
        _ update: @escaping SystemConnectivity.Update
    ) {
        self.clock = clock
        self.probe = probe
        self.update = update
        let timer = clock.makeTimer { [weak self] in self?.ask() }
        self.timer.withLock { $0 = timer }
        ask()
    }

    private func ask() {
        let start = clock.now
        probe { [weak self] isReached in
            guard let self else { return }
            answered(after: isReached ? start.duration(to: clock.now) : nil)
        }
    }

    private func answered(after delay: Duration?) {
        let (link, pause) = schedule.withLock { schedule in (schedule.answered(after: delay), schedule.pause) }
        if let link { update { $0.link = link } }
        timer.withLock(\.self)?.arm(at: clock.now.advanced(by: pause))
    }
}
