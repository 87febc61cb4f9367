/// A source that may use the connection, although it needs none: a fallback by one of its sources, a mediator by its
/// remote one, and what is around them.
package protocol PartlyRemoteSource {
    var usesConnection: Bool { get }
}

struct FallbackDataSource<T: Sendable>: PaginatorDataSource, PartlyRemoteSource {
    private let first: PausableSource<T>
    private let second: PausableSource<T>
    private let patience: Duration?
    let usesConnection: Bool
    // Whether the second source replaces one that needs a connection.
    private let isSubstitute: Bool
    private let fallsBack: @Sendable (SourceError, SourceRequest) -> Bool

    init(
        _ first: any PaginatorDataSource<T>, _ second: any PaginatorDataSource<T>, after patience: Duration?,
        when fallsBack: @escaping @Sendable (SourceError, SourceRequest) -> Bool
    ) {
        self.first = PausableSource(first)
        self.second = PausableSource(second)
        self.patience = patience
        let doUse = [first.usesConnection, second.usesConnection]
        usesConnection = doUse.contains(true)
        isSubstitute = doUse == [true, false]
        self.fallsBack = fallsBack
    }

    var firstKey: String { first.firstKey }

    var keyRule: KeyRule? { first.keyRule }

    var needsConnection: Bool { first.needsConnection && second.needsConnection }

    func fetch(
        _ request: SourceRequest, completion: @escaping @Sendable (Result<PaginatorPage<T>, SourceError>) -> Void
    ) -> SourceCancellation {
        let call = RelayedCall(completion: completion)
        // Both sources share the time of this call, and a nested fallback divides its own share again.
        let request = request.limited(to: request.timeLeft).forWholePage
        call.run(first, request, within: patience ?? request.halfOfTimeLeft) { result in
            guard case .failure(let error) = result, fallsBack(error.plain, request) else { return call.end(result) }
            // The second source has all of the remaining time.
            call.run(second, request) { result in
                guard isSubstitute, case .success(let page) = result else {
                    return call.end(result.mapError { error.and($0) })
                }
                request.context.caller?.answerIsFallback(for: error)
                call.end(.success(page.expired))
            }
        }
        return SourceCancellation { call.cancel() }
    }

    func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        first.neighborKeys(of: key, pageSize: pageSize)
    }
}

extension SourceError {
    static let noConnection = SourceError.retry(
        SourceNotCalled(cause: PaginatorError(.offline, "There is no connection to call a source.")))

    /// Whether no source was called, because of pauses or without a connection.
    var isWithoutCall: Bool {
        guard case .retry(let error, _) = self else { return false }
        if let both = error as? FallbackFailure { return both.first.isWithoutCall && both.second.isWithoutCall }
        return error is SourceNotCalled
    }

    // The same without the mark, for user code.
    fileprivate var plain: SourceError { isWithoutCall ? .retry(underlying, after: statedDelay) : self }

    /// Whether only a connection can make another attempt succeed.
    var lacksConnection: Bool {
        guard let both = underlying as? FallbackFailure else {
            return isRetryable && (underlying as? PaginatorError)?.code == .offline
        }
        return isRetryable && [both.first, both.second].allSatisfy { $0.lacksConnection || !$0.isRetryable }
    }

    // Returns the error if both fail: retry if either may succeed later, not before both stated delays; otherwise as
    // this error says.
    fileprivate func and(_ second: SourceError) -> SourceError {
        let both = FallbackFailure(first: self, second: second)
        guard isRetryable || second.isRetryable else { return isKeyExpired ? .keyExpired(both) : .fatal(both) }
        return .retry(both, after: [statedDelay, second.statedDelay].compactMap(\.self).max())
    }
}

extension PaginatorDataSource {
    package var usesConnection: Bool { (self as? any PartlyRemoteSource)?.usesConnection ?? needsConnection }

    /// Returns a source that calls this one first, and `second` if it fails, such as a mirror or a file on the device.
    ///
    /// Both sources must understand the same keys. By default every failure falls back except an expired key, even a
    /// failure that a retry could fix: a page now is better than a retry. If the first source has not answered after
    /// `patience`, it is stopped and counts as failed with ``PaginatorError/Code/timedOut``; a later answer is ignored.
    /// If both fail, the error contains both errors, and the call is repeated if either may succeed later, not before
    /// the delays that they state. A source that asks for a pause is not called in the meantime, and counts as failed.
    /// So does one without the connection that it needs.
    ///
    /// If only this source, or a part of it, needs a connection, a page of `second` is stale and has the failure as its
    /// ``FetchedPage/refreshError``, so the next call asks this source again. In the caches it takes the place of an
    /// earlier page, even if that is a newer one of this source: put pages of the app's bundle into the caches with
    /// ``Paginator/prime(_:pageSize:)`` instead. A page of a mirror counts as its own.
    ///
    /// - Parameters:
    ///   - second: the source to ask if this one fails.
    ///   - patience: the time that this source may take; `nil`, the default, is half of the time for both. That is the
    ///     paginator's ``PaginatorConfig/attemptTimeout``, or the share that an enclosing source leaves: with
    ///     `a.fallback(to: b.fallback(to: c))`, `a` has half and `b` a quarter; with
    ///     `a.fallback(to: b).fallback(to: c)`, both have a quarter.
    ///   - fallsBack: returns whether a failure of this source falls back; otherwise the call ends with it. Called on
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

/// Marks the error of a source that was not called.
struct SourceNotCalled: Error, CustomStringConvertible {
    let cause: any Error

    var description: String { "\(cause)" }
}

struct FallbackFailure: Error, CustomStringConvertible {
    let first: SourceError
    let second: SourceError

    var description: String { "first: \(first), then: \(second)" }
}
