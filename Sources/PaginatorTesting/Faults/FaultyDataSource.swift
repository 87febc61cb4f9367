public import PaginatorCore

/// A data source whose calls have the faults of a ``FaultPlan``.
struct FaultyDataSource<T: Sendable>: PaginatorDataSource, PartlyRemoteSource {
    private let source: any PaginatorDataSource<T>
    private let plan: FaultPlan
    private let line: FaultLine

    init(_ source: any PaginatorDataSource<T>, _ plan: FaultPlan, _ clock: any PaginatorClock) {
        self.source = source
        self.plan = plan
        line = FaultLine(clock: clock)
    }

    var firstKey: String { source.firstKey }

    var keyRule: KeyRule? { source.keyRule }

    var needsConnection: Bool { source.needsConnection }

    var usesConnection: Bool { source.usesConnection }

    func fetch(
        _ request: SourceRequest,
        completion: @escaping @Sendable (Result<PaginatorPage<T>, SourceError>) -> Void
    ) -> SourceCancellation {
        let fault = plan.fault(for: .fetch, request.identity)
        let cancellation = line.call(
            fault,
            failure: { .failure($0 as? SourceError ?? .retry($0)) },
            completion: completion,
            body: { source.fetch(request, completion: $0) })
        return cancellation ?? .none
    }

    func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        source.neighborKeys(of: key, pageSize: pageSize)
    }
}

extension PaginatorDataSource {
    /// Returns a source that calls this one, with faults.
    ///
    /// An injected error that is not a ``/PaginatorCore/SourceError`` counts as a temporary failure. Cancelling reaches
    /// this source; an answer that is already delayed still comes.
    ///
    /// - Parameters:
    ///   - plan: decides the fault of each call.
    ///   - clock: the clock of delays; pass the test's manual clock.
    public func faulty(_ plan: FaultPlan, clock: any PaginatorClock) -> some PaginatorDataSource<T> {
        FaultyDataSource(self, plan, clock)
    }
}
