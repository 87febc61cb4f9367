/// One of several sources behind a paginator. A pause that it asks for applies to it alone: until the end it fails at
/// once, and the others are still called. So it does without a connection that it needs.
final class PausableSource<T: Sendable>: PaginatorDataSource, PartlyRemoteSource {
    private let source: any PaginatorDataSource<T>
    private let pause = SourcePause()

    init(_ source: any PaginatorDataSource<T>) {
        self.source = source
    }

    var firstKey: String { source.firstKey }

    var keyRule: KeyRule? { source.keyRule }

    var needsConnection: Bool { source.needsConnection }

    var usesConnection: Bool { source.usesConnection }

    func fetch(
        _ request: SourceRequest,
        completion: @escaping @Sendable (Result<PaginatorPage<T>, SourceError>) -> Void
    ) -> SourceCancellation {
        let isOffline = needsConnection && request.context.caller?.isOffline ?? false
        if let error = isOffline ? .noConnection : pause.error(at: request.clock.now) {
            completion(.failure(error))
            return .none
        }
        var request = request
        request.context.pause = pause
        return source.fetch(request, completion: completion)
    }

    func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        source.neighborKeys(of: key, pageSize: pageSize)
    }
}

final class SourcePause: Sendable {
    private let last = Guarded<(end: PaginatorInstant, cause: (any Error)?)?>(nil)

    /// The cause of the pause that ends last.
    var cause: (any Error)? { last.withLock({ $0 })?.cause }

    /// The error of calls during the pause; `nil` if there is none.
    func error(at now: PaginatorInstant) -> SourceError? {
        guard let pause = last.withLock({ $0 }), now < pause.end else { return nil }
        let rest = now.duration(to: pause.end)
        let error = PaginatorError(.throttled, "The source is to be left alone for \(rest).")
        return .retry(SourceNotCalled(cause: pause.cause ?? error), after: rest)
    }

    func extend(to end: PaginatorInstant, because cause: (any Error)?) {
        var other: (end: PaginatorInstant, cause: (any Error)?)? = (end, cause)
        last.withLock { last in if last.map({ $0.end < end }) ?? true { swap(&last, &other) } }
        // The user's error is released without the lock.
        withExtendedLifetime(other) {}
    }
}
