import Dispatch
public import Foundation
public import PaginatorCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The system's conditions of the network and the device, under which a paginator loads less or nothing.
///
/// ```swift
/// // On Apple's platforms:
/// config.connectivity = SystemConnectivity()
/// ```
///
/// | The system's state | The paginator's condition |
/// | --- | --- |
/// | there is no connection | `offline`: no attempt is started, except of a source that needs none |
/// | the link is expensive (cellular, a hotspot) or constrained (Low Data Mode) | `weakLink` |
/// | Low Power Mode is on, or the device is seriously hot | `lowPower` |
/// | the app went to the background (iOS, tvOS, watchOS, visionOS) | `background` |
/// | the battery charges or is full (iOS, visionOS; on watchOS never, elsewhere always) | `charging` |
///
/// Under `weakLink`, `lowPower` or `background`, a prefetch that does not allow it waits, and half as many calls run in
/// parallel. To observe the battery it sets `UIDevice.isBatteryMonitoringEnabled` for the whole app. If the system does
/// not report the network, as on Linux, ``init(probing:)`` probes a server. One object can serve all paginators of an
/// app.
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
    /// The queue of the observers, in the order of the changes.
    let queue = DispatchQueue(label: "paginator.connectivity")

    #if canImport(Network)
        /// Observes the network and the device until it is released. Until the system reports otherwise, the link
        /// counts as good and the app as in the foreground.
        public convenience init() {
            self.init { [PathWatch($0), DeviceWatch($0)] }
        }
    #endif

    /// Probes a server with a `HEAD` request every 15 seconds, and sooner while it does not answer. Two failures in a
    /// row mean `offline`; an answer that takes longer than a second means `weakLink`. Any status is an answer.
    ///
    /// - Parameter address: the address to probe, best a small resource of the server that the pages come from. With
    ///   `https` only that server can answer. With `http` a network that asks its users to sign in can, too, and then
    ///   counts as a connection.
    public convenience init(probing address: URL) {
        var request = URLRequest(url: address, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 5)
        request.httpMethod = "HEAD"
        let session = URLSession(configuration: .ephemeral)
        self.init(clock: SystemPaginatorClock()) { [request] answered in
            session.dataTask(with: request) { _, response, _ in answered(response != nil) }.resume()
        }
    }

    /// Probes with a closure that answers once.
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

    /// The current conditions.
    public var conditions: PaginatorConditions { state.withLock { $0.device.conditions } }

    /// Calls `handler` after each change until the returned object is released.
    public func observe(_ handler: @escaping @Sendable (PaginatorConditions) -> Void) -> any AnyObject & Sendable {
        let number = state.withLock { state in
            state.lastObserver += 1
            state.handlers[state.lastObserver] = handler
            return state.lastObserver
        }
        // A strong reference: a scheduler retains its observation, and often nothing else retains this object.
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

/// Probes a server repeatedly.
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
