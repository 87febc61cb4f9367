struct FallbackDataSource<T: Sendable>: PaginatorDataSource {
    private let first: any PaginatorDataSource<T>
    private let second: any PaginatorDataSource<T>
    private let patience: Duration?
    private let fallsBack: @Sendable (SourceError, SourceRequest) -> Bool

    init(
        _ first: any PaginatorDataSource<T>,
        _ second: any PaginatorDataSource<T>,
        after patience: Duration?,
        when fallsBack: @escaping @Sendable (SourceError, SourceRequest) -> Bool
    ) {
        self.first = first
        self.second = second
        self.patience = patience
        self.fallsBack = fallsBack
    }

    var firstKey: String { first.firstKey }

    func fetch(
        _ request: SourceRequest,
        completion: @escaping @Sendable (Result<PaginatorPage<T>, SourceError>) -> Void
    ) -> SourceCancellation {
        let call = RelayedCall(completion: completion)
        // Both sources share the time of this call, also where one of them shares its own part again.
        let request = request.limited(to: request.timeLeft).forWholePage
        let patience = patience ?? request.halfOfTimeLeft
        let goOn: @Sendable (Result<PaginatorPage<T>, SourceError>) -> Void = { [second, fallsBack] result in
            guard case .failure(let failure) = result, fallsBack(failure, request) else { return call.end(result) }
            // The second one has all of the time that is left.
            call.run(second, request) { call.end($0.mapError { failure.and($0) }) }
        }
        call.run(first, request, within: patience, then: goOn)
        return SourceCancellation { call.cancel() }
    }

    func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        first.neighborKeys(of: key, pageSize: pageSize)
    }
}

extension SourceError {
    // What follows from this failure of the first source and another one of the second: retry when either may succeed
    // later, not before both stated delays; otherwise what this one says.
    fileprivate func and(_ second: SourceError) -> SourceError {
        let both = FallbackFailure(first: self, second: second)
        if isRetryable || second.isRetryable {
            guard let delay = [statedDelay, second.statedDelay].compactMap(\.self).max() else { return .retry(both) }
            return .retry(both, after: delay)
        }
        return isKeyExpired ? .keyExpired(both) : .fatal(both)
    }
}

extension PaginatorDataSource {
    /// Returns a source that asks this one first, and `second` when it fails: a mirror, a file of the app's bundle.
    ///
    /// Both sources must understand the same keys. Without `when`, every failure but an expired key falls back, also one
    /// that another attempt could mend: a page now is better than a retry. A first source that has not answered after some
    /// time is stopped and has failed, with ``PaginatorError/Code/timedOut``; what it answers later is ignored. When both
    /// fail, the error tells of both of them; the call is tried again if either may succeed later, and not before the delays
    /// that they state.
    ///
    /// - Parameters:
    ///   - second: the source to ask when this one fails.
    ///   - patience: how long this source may take; `nil`, the default, for half of the time that both have together. That
    ///     is the paginator's ``PaginatorConfig/attemptTimeout``, or the part of it that a source around them leaves: of
    ///     three sources, one behind the other, the first has half, the second a quarter.
    ///   - fallsBack: says whether a failure of this source falls back; otherwise the call ends with it. It is called on
    ///     the thread of the answer.
    public func fallback(
        to second: some PaginatorDataSource<T>,
        after patience: Duration? = nil,
        when fallsBack: @escaping @Sendable (_ failure: SourceError, _ request: SourceRequest) -> Bool = {
            failure, _ in !failure.isKeyExpired
        }
    ) -> some PaginatorDataSource<T> {
        FallbackDataSource(self, second, after: patience, when: fallsBack)
    }
}

struct FallbackFailure: Error, CustomStringConvertible {
    let first: SourceError
    let second: SourceError

    var description: String { "first: \(first), then: \(second)" }
}
