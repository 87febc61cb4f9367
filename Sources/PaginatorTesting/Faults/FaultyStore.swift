public import PaginatorCore

/// A store whose calls suffer what a ``FaultPlan`` says.
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
    /// Wraps the store in faults.
    ///
    /// Errors that are no ``/PaginatorCore/PaginatorError`` become one with the code
    /// ``/PaginatorCore/PaginatorError/Code/storeFailed``. Changes that get through are handed on at once, so that they
    /// keep their order; only their answers come late or in another order. A loss of changes loses them for good.
    ///
    /// - Parameters:
    ///   - plan: what goes wrong with each call.
    ///   - clock: what delays are measured by; pass the test's manual clock.
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
