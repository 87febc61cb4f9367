public import PaginatorCore
import PaginatorTesting

/// Errors, latency, a lost connection and low power on demand, for an inspected paginator.
///
/// Create the paginator with it, and pass it when attaching the paginator. It does nothing until
/// ``force(_:latency:conditions:)`` or the browser's page asks for it. Faults that the page asked for end when no
/// browser is connected any more, and with the attachment.
///
/// ```swift
/// let faults = PaginatorInspectorFaults()
/// var config = PaginatorConfig()
/// config.connectivity = faults.connectivity
/// let paginator = CallbackPaginator(dataSource: faults.around(posts), config: config)
/// let attachment = inspector.attach(paginator, name: "Feed", faults: faults)
/// ```
public final class PaginatorInspectorFaults: Sendable {
    /// How calls of the source fail.
    public enum Failure: String, Sendable {
        /// A temporary failure whose text says "offline"; retried. A list is offline only with the condition.
        case offline
        /// A temporary failure; retried.
        case retry
        /// A fatal failure; not retried.
        case fatal
        /// As if the key had expired.
        case keyExpired
        /// There is no answer.
        case hang
    }

    struct Setting: Sendable, Hashable {
        static let none = Setting()

        var failure: Failure?
        var latency = Duration.zero
        var conditions: PaginatorConditions = []
    }

    // Decisions are not kept, because the number of calls is unlimited.
    let plan = FaultPlan(seed: 0, FaultChances(), keepsDecisions: false)
    private let clock: any PaginatorClock
    private let forced: ForcedConditions
    /// The forced faults, and whether the browser's page asked for them.
    private let forcing = Guarded((setting: Setting.none, isCommanded: false))

    /// Creates an object without faults.
    ///
    /// - Parameters:
    ///   - connectivity: the real connectivity; `nil`, the default, assumes a good connection.
    ///   - clock: the clock of latency; the device's by default.
    public init(
        connectivity: (any PaginatorConnectivity)? = nil, clock: any PaginatorClock = SystemPaginatorClock()
    ) {
        forced = ForcedConditions(over: connectivity)
        self.clock = clock
    }

    /// The connectivity for the paginator's config or its scheduler: the real conditions and the forced ones.
    public var connectivity: any PaginatorConnectivity { forced }

    /// Returns a source that calls `source`, with the forced faults.
    public func around<T>(_ source: some PaginatorDataSource<T>) -> some PaginatorDataSource<T> {
        source.faulty(plan, clock: clock)
    }

    /// Forces faults on every further call, until ``heal()`` or another call of this method.
    ///
    /// - Parameters:
    ///   - failure: how calls fail; `nil`, the default, for no failure.
    ///   - latency: the additional delay of answers; none by default.
    ///   - conditions: conditions in addition to the real ones; none by default.
    public func force(
        _ failure: Failure? = nil, latency: Duration = .zero, conditions: PaginatorConditions = []
    ) {
        set(Setting(failure: failure, latency: latency, conditions: conditions), isCommanded: false)
    }

    /// Ends all forced faults, also those of the browser. Calls that hang already still hang.
    public func heal() { force() }

    /// Ends the faults that the browser asked for.
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

/// The error of a forced failure.
struct ForcedFailure: Error, Sendable, CustomStringConvertible {
    let name: String

    init(_ failure: PaginatorInspectorFaults.Failure?) {
        name = failure?.rawValue ?? ""
    }

    var description: String { "The inspector forced this failure: \(name)." }
}

/// The conditions of another connectivity, and forced ones.
private final class ForcedConditions: PaginatorConnectivity {
    private let base: (any PaginatorConnectivity)?
    private let forced = ScriptedConnectivity()

    init(over base: (any PaginatorConnectivity)?) {
        self.base = base
    }

    // Without a connectivity the device counts as connected to power.
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
