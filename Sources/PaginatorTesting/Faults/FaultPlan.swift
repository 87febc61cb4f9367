public import PaginatorCore

/// Decides the fault of each call of a wrapped source or store: by script, by seeded chance, or by a closure.
///
/// ```swift
/// var chances = FaultChances()
/// chances.loss = 0.1
/// chances.latency = .milliseconds(20) ... .seconds(2)
/// let plan = FaultPlan(seed: 42, chances)
/// let source = posts.faulty(plan, clock: clock)
/// ```
///
/// A plan may wrap several sources and stores, and may be changed while they are in use: ``always(_:)`` begins an
/// outage, ``heal()`` ends it. Faults are drawn in the order of the calls, so a seed reproduces a run with the same
/// order of calls, as on a ``SimulatedExecutor``. Every method may be called from any thread.
public final class FaultPlan: Sendable {
    /// Returns the fault of one call.
    private typealias Decide = @Sendable (FaultOperation, PageIdentity?) -> Fault

    private enum Rule: Sendable {
        case always(Fault)
        case chances(FaultChances)
        case closure(Decide)
    }

    private struct Decision: Sendable {
        let operation: FaultOperation
        let page: PageIdentity?
        /// `nil` while the closure decides.
        var fault: Fault?
    }

    private struct State: Sendable {
        var rule: Rule
        var script: [(operation: FaultOperation?, fault: Fault)] = []
        var random: SeededRandom
        var decisions: [Decision] = []

        mutating func takeScripted(_ operation: FaultOperation) -> Fault? {
            guard let index = script.firstIndex(where: { $0.operation == nil || $0.operation == operation }) else {
                return nil
            }
            return script.remove(at: index).fault
        }

        /// The fault of the next call, or the closure that decides it.
        mutating func decide(_ operation: FaultOperation) -> (fault: Fault?, decide: Decide?) {
            if let fault = takeScripted(operation) { return (fault, nil) }
            switch rule {
            case .always(let fault): return (fault, nil)
            case .chances(let chances): return (chances.draw(&random), nil)
            case .closure(let decide): return (nil, decide)
            }
        }
    }

    private let state: Guarded<State>
    private let keepsDecisions: Bool

    private init(_ rule: Rule, seed: UInt64 = 0, keepsDecisions: Bool = true) {
        state = Guarded(State(rule: rule, random: SeededRandom(seed: seed)))
        self.keepsDecisions = keepsDecisions
    }

    /// Creates a plan with faults by chance.
    ///
    /// - Parameters:
    ///   - seed: the seed of all faults; print it when a test fails.
    ///   - chances: the probability of each fault.
    ///   - keepsDecisions: whether ``decisions`` are kept; true by default. A long simulation saves their memory.
    public convenience init(seed: UInt64, _ chances: FaultChances, keepsDecisions: Bool = true) {
        self.init(.chances(chances), seed: seed, keepsDecisions: keepsDecisions)
    }

    /// Creates a plan with scripted faults.
    ///
    /// - Parameters:
    ///   - script: the faults of the first calls, in order; none by default.
    ///   - fault: the fault of every later call; ``Fault/none`` by default.
    public convenience init(script: [Fault] = [], then fault: Fault = .none) {
        self.init(.always(fault))
        self.script(script)
    }

    /// Creates a plan that calls a closure for each call.
    ///
    /// - Parameter decide: returns the fault; called on the thread of the call. Its page is `nil` for calls without a
    ///   page or with several.
    public convenience init(
        _ decide: @escaping @Sendable (_ operation: FaultOperation, _ page: PageIdentity?) -> Fault
    ) {
        self.init(.closure(decide))
    }

    /// Adds faults for the next calls, ahead of chances and the closure.
    ///
    /// - Parameters:
    ///   - faults: the faults, in order.
    ///   - operation: the kind of calls; `nil`, the default, for every kind.
    public func script(_ faults: [Fault], for operation: FaultOperation? = nil) {
        state.withLock { $0.script += faults.map { (operation, $0) } }
    }

    /// Gives every call the same fault until ``heal()``, and drops scripted faults.
    public func always(_ fault: Fault) {
        state.withLock { state in
            state.rule = .always(fault)
            state.script = []
        }
    }

    /// Draws further faults by these chances; the sequence of random numbers continues.
    public func change(to chances: FaultChances) {
        state.withLock { $0.rule = .chances(chances) }
    }

    /// Ends all faults. Calls that hang already still hang.
    public func heal() { always(.none) }

    /// A text for each call so far with its fault, in order, for the message of a failed test. A call for which the
    /// closure is still running is "undecided".
    public var decisions: [String] {
        // The texts of errors are the test's own code, which runs outside the lock.
        state.withLock { $0.decisions }.enumerated().map { number, decision in
            let page = decision.page.map { " \($0)" } ?? ""
            return "#\(number) \(decision.operation)\(page): \(decision.fault?.description ?? "undecided")"
        }
    }

    /// Decides the fault of the next call.
    ///
    /// - Parameters:
    ///   - operation: the kind of call.
    ///   - identity: the call's page; `nil`, the default, for none or several.
    func fault(for operation: FaultOperation, _ identity: PageIdentity? = nil) -> Fault {
        let (number, fault, decide) = state.withLock { state -> (Int, Fault?, Decide?) in
            let number = state.decisions.count
            let (fault, decide) = state.decide(operation)
            if keepsDecisions {
                state.decisions.append(Decision(operation: operation, page: identity, fault: fault))
            }
            return (number, fault, decide)
        }
        // The test's own code runs outside the lock.
        guard let decided = fault ?? decide?(operation, identity) else { return .none }
        if fault == nil, keepsDecisions { state.withLock { $0.decisions[number].fault = decided } }
        return decided
    }
}
