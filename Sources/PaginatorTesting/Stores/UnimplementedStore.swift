public import PaginatorCore

/// A store that must not be used: every call is reported, and answered with an error. Attaching it is no use of it.
public final class UnimplementedStore<T: Sendable>: PaginatorStore {
    private let place: UnimplementedPlace

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - file: the file that failures are reported at; where the store is made, by default.
    ///   - line: the line there.
    ///   - report: takes each failure, on the thread of the call.
    public init(file: StaticString = #filePath, line: UInt = #line, report: @escaping FailureReport) {
        place = UnimplementedPlace(report: report, file: file, line: line)
    }

    /// Reports the call and answers with an error.
    public func load(
        _ identity: PageIdentity, completion: @escaping @Sendable (Result<StoredPage<T>?, PaginatorError>) -> Void
    ) {
        completion(.failure(error("PaginatorStore.load(\(identity))")))
    }

    /// Reports the call and answers with an error.
    public func apply(
        _ changes: [StoreChange<T>], accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) {
        let texts = changes.map { "\(StoreCall($0))" }.joined(separator: ", ")
        accepted(.failure(error("PaginatorStore.apply(\(texts))")))
    }

    /// Reports the call and answers with an error.
    public func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        completion(.failure(error("PaginatorStore.flush")))
    }

    private func error(_ call: String) -> PaginatorError { PaginatorError(injected: place.fail(call)) }
}
