public import PaginatorCore
import PaginatorTesting

/// Errors, latency, a lost connection and low power on demand, for a paginator that is looked at.
///
/// Make the paginator with it, and attach it with it. Until the page in the browser asks for something, it does nothing.
///
/// ```swift
/// let faults = PaginatorInspectorFaults()
/// var config = DefaultPaginatorConfig()
/// config.connectivity = faults.connectivity
/// let paginator = CallbackPaginator(dataSource: faults.around(posts), config: config)
/// let attachment = inspector.attach(paginator, name: "Feed", faults: faults)
/// ```
public final class PaginatorInspectorFaults: Sendable {
    struct Setting: Sendable, Hashable {
        enum Failure: String, Sendable {
            case offline, retry, fatal, keyExpired, hang
        }

        var failure: Failure?
        var latency = Duration.zero
        var conditions: PaginatorConditions = []
    }

    private let plan = FaultPlan()
    private let clock: any PaginatorClock
    private let forced: ForcedConditions

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

    func set(_ setting: Setting) {
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
            guard let failure = Failure(rawValue: name) else { throw PaginatorInspectorError(.unknown) }
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

    init(_ failure: PaginatorInspectorFaults.Setting.Failure?) {
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
