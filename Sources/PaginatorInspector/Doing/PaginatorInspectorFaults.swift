public import PaginatorCore
import PaginatorTesting

/// Errors, latency, a lost connection and low power on demand, for a paginator that is looked at.
///
/// Make the paginator with it, and attach it with it. Until ``force(_:latency:conditions:)`` or the page in the browser asks
/// for something, it does nothing. What the page asked for ends when no browser looks any more, and with the attachment.
///
/// ```swift
/// let faults = PaginatorInspectorFaults()
/// var config = DefaultPaginatorConfig()
/// config.connectivity = faults.connectivity
/// let paginator = CallbackPaginator(dataSource: faults.around(posts), config: config)
/// let attachment = inspector.attach(paginator, name: "Feed", faults: faults)
/// ```
public final class PaginatorInspectorFaults: Sendable {
    /// How every call of the source fails.
    public enum Failure: String, Sendable {
        /// As without a connection; worth another attempt.
        case offline
        /// In a way that is worth another attempt.
        case retry
        /// In a way that is not.
        case fatal
        /// Since the key has expired.
        case keyExpired
        /// There is no answer at all.
        case hang
    }

    struct Setting: Sendable, Hashable {
        static let none = Setting()

        var failure: Failure?
        var latency = Duration.zero
        var conditions: PaginatorConditions = []
    }

    // It keeps nothing of the calls, of which there is no end.
    let plan = FaultPlan(seed: 0, FaultChances(), keepsDecisions: false)
    private let clock: any PaginatorClock
    private let forced: ForcedConditions
    /// What is forced, and whether the page in the browser has asked for it.
    private let forcing = Guarded((setting: Setting.none, isCommanded: false))

    /// Makes faults of which there is none yet.
    ///
    /// - Parameters:
    ///   - connectivity: what tells of the network and the device in truth; `nil`, the default, for a good connection.
    ///   - clock: the clock of latency; the device's by default.
    public init(
        connectivity: (any PaginatorConnectivity)? = nil, clock: any PaginatorClock = SystemPaginatorClock()
    ) {
        forced = ForcedConditions(over: connectivity)
        self.clock = clock
    }

    /// What to give the paginator's config, or its scheduler: the real conditions, with those that are forced.
    public var connectivity: any PaginatorConnectivity { forced }

    /// Returns a source that calls `source`, with the faults that are asked for.
    public func around<T>(_ source: some PaginatorDataSource<T>) -> some PaginatorDataSource<T> {
        source.faulty(plan, clock: clock)
    }

    /// Lets every call from now on fail or wait, and conditions count in addition to the real ones, until ``heal()`` or
    /// another call.
    ///
    /// - Parameters:
    ///   - failure: how calls fail; `nil`, the default, for not at all.
    ///   - latency: how long answers take in addition; none by default.
    ///   - conditions: what the paginator is told of the network and the device; nothing by default.
    public func force(
        _ failure: Failure? = nil, latency: Duration = .zero, conditions: PaginatorConditions = []
    ) {
        set(Setting(failure: failure, latency: latency, conditions: conditions), isCommanded: false)
    }

    /// Ends what was forced, here or in the browser; calls that hang already still hang.
    public func heal() { force() }

    /// Ends what the browser has asked for.
    func healCommanded() {
        if forcing.withLock({ $0.isCommanded }) { heal() }
    }

    var setting: Setting { forcing.withLock { $0.setting } }

    func set(_ setting: Setting, isCommanded: Bool) {
        forcing.withLock { $0 = (setting, isCommanded) }
        var fault = Fault.latency(setting.latency)
        switch setting.failure {
        case nil: break
        case .offline, .retry: fault = fault.and(.failure(SourceError.retry(ForcedFailure(setting.failure))))
        case .fatal: fault = fault.and(.failure(SourceError.fatal(ForcedFailure(setting.failure))))
        case .keyExpired: fault = fault.and(.failure(SourceError.keyExpired(ForcedFailure(setting.failure))))
        case .hang: fault = fault.and(.hang)
        }
        plan.always(fault)
        forced.set(setting.conditions)
    }
}

extension PaginatorInspectorFaults.Setting {
    init(_ message: JSONValue) throws(PaginatorInspectorError) {
        if let name = message["error"]?.text, !name.isEmpty {
            guard let failure = PaginatorInspectorFaults.Failure(rawValue: name) else {
                throw PaginatorInspectorError(.unknown)
            }
            self.failure = failure
        }
        latency = .clamped(seconds: max(0, message["latency"]?.number ?? 0) / 1_000)
        if message["offline"]?.flag == true { conditions.insert(.offline) }
        if message["lowPower"]?.flag == true { conditions.insert(.lowPower) }
    }
}

/// The error behind a failure that was asked for.
struct ForcedFailure: Error, Sendable, CustomStringConvertible {
    let name: String

    init(_ failure: PaginatorInspectorFaults.Failure?) {
        name = failure?.rawValue ?? ""
    }

    var description: String { "The inspector forced this failure: \(name)." }
}

/// Conditions of another connectivity, with some that are forced.
private final class ForcedConditions: PaginatorConnectivity {
    private let base: (any PaginatorConnectivity)?
    private let forced = ScriptedConnectivity()

    init(over base: (any PaginatorConnectivity)?) {
        self.base = base
    }

    // Without anything that tells of a device, there is power.
    var conditions: PaginatorConditions { (base?.conditions ?? .charging).union(forced.conditions) }

    func set(_ conditions: PaginatorConditions) { forced.set(conditions) }

    func observe(_ handler: @escaping @Sendable (PaginatorConditions) -> Void) -> any AnyObject & Sendable {
        let report: @Sendable (PaginatorConditions) -> Void = { [weak self] _ in
            if let self { handler(self.conditions) }
        }
        return Both(base?.observe(report), forced.observe(report))
    }

    private final class Both: Sendable {
        private let observations: [any AnyObject & Sendable]

        init(_ observations: (any AnyObject & Sendable)?...) {
            self.observations = observations.compactMap { $0 }
        }
    }
}
