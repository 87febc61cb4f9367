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

    private struct State: Sendable {
        var rule: Rule
        var script: [(operation: FaultOperation?, fault: Fault)] = []
        var random: SeededRandom
        var decisions: [String] = []
        var calls = 0

        mutating func takeScripted(_ operation: FaultOperation) -> Fault? {
            guard let index = script.firstIndex(where: { $0.operation == nil || $0.operation == operation }) else {
                return nil
            }
            return script.remove(at: index).fault
        }
    }

    private let handshake: Handshake<State>
    private let keepsDecisions: Bool

    private init(_ rule: Rule, seed: UInt64 = 0, keepsDecisions: Bool = true) {
        handshake = Handshake(State(rule: rule, random: SeededRandom(seed: seed)))
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
        handshake.update { $0.script += faults.map { (operation, $0) } }
    }

    /// Gives every call the same fault until ``heal()``, and drops scripted faults.
    public func always(_ fault: Fault) {
        handshake.update { state in
            state.rule = .always(fault)
            state.script = []
        }
    }

    /// Draws further faults by these chances; the sequence of random numbers continues.
    public func change(to chances: FaultChances) {
        handshake.update { $0.rule = .chances(chances) }
    }

    /// Ends all faults. Calls that hang already still hang.
    public func heal() { always(.none) }

    /// A text for each call so far with its fault, in order, for the message of a failed test.
    public var decisions: [String] { handshake.read(\.decisions) }

    /// Waits until the plan has decided a number of calls.
    ///
    /// - Parameter count: the number of calls since the plan was created.
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func waitForCalls(_ count: Int) async throws(CancellationError) {
        try await handshake.wait { $0.calls >= count }
    }

    /// Decides the fault of the next call.
    ///
    /// - Parameters:
    ///   - operation: the kind of call.
    ///   - identity: the call's page; `nil`, the default, for none or several.
    func fault(for operation: FaultOperation, _ identity: PageIdentity? = nil) -> Fault {
        let (number, drawn, decide) = handshake.update { state -> (Int, Fault, Decide?) in
            defer { state.calls += 1 }
            if let fault = state.takeScripted(operation) { return (state.calls, fault, nil) }
            switch state.rule {
            case .always(let fault): return (state.calls, fault, nil)
            case .chances(let chances): return (state.calls, chances.draw(&state.random), nil)
            case .closure(let decide): return (state.calls, Fault.none, decide)
            }
        }
        // The test's own code runs outside the lock.
        let fault = decide?(operation, identity) ?? drawn
        if keepsDecisions {
            let page = identity.map { " \($0)" } ?? ""
            handshake.update { $0.decisions.append("#\(number) \(operation)\(page): \(fault)") }
        }
        return fault
    }
}
