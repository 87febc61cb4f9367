public import PaginatorCore

/// A store whose calls have the faults of a ``FaultPlan``.
final class FaultyStore<T: Sendable>: PaginatorStore {
    private let store: any PaginatorStore<T>
    private let plan: FaultPlan
    private let line: FaultLine

    init(_ store: any PaginatorStore<T>, _ plan: FaultPlan, _ clock: any PaginatorClock) {
        self.store = store
        self.plan = plan
        line = FaultLine(clock: clock)
    }

    func attach(to environment: StoreEnvironment) {
        store.attach(to: environment)
    }

    func load(
        _ identity: PageIdentity, completion: @escaping @Sendable (Result<StoredPage<T>?, PaginatorError>) -> Void
    ) {
        _ = line.call(
            plan.fault(for: .load, identity), failure: { .failure(PaginatorError(injected: $0)) },
            completion: completion, body: { store.load(identity, completion: $0) })
    }

    func apply(
        _ changes: [StoreChange<T>], accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) {
        _ = line.call(
            plan.fault(for: .apply), failure: { .failure(PaginatorError(injected: $0)) },
            completion: accepted, body: { store.apply(changes, accepted: $0) })
    }

    func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        _ = line.call(
            plan.fault(for: .flush), failure: { .failure(PaginatorError(injected: $0)) },
            completion: completion, body: { store.flush(completion: $0) })
    }
}

extension PaginatorStore {
    /// Returns a store that calls this one, with faults.
    ///
    /// An injected error that is not a ``/PaginatorCore/PaginatorError`` becomes one with the code
    /// ``/PaginatorCore/PaginatorError/Code/storeFailed``. Changes are passed on at once, so they keep their order;
    /// only their answers are delayed. Changes of a lost call are not made.
    ///
    /// - Parameters:
    ///   - plan: decides the fault of each call.
    ///   - clock: the clock of delays; pass the test's manual clock.
    public func faulty(_ plan: FaultPlan, clock: any PaginatorClock) -> some PaginatorStore<T> {
        FaultyStore(self, plan, clock)
    }
}

extension PaginatorError {
    /// The error of an injected failure of a store or a file.
    init(injected error: any Error) {
        if let error = error as? PaginatorError {
            self = error
        } else {
            self.init(.storeFailed, "The test made the store fail.", underlying: error)
        }
    }
}
