public import PaginatorCore

/// A data source that must not be used: every call is reported, and answered with a fatal error.
///
/// Its first key may be read, as a paginator does when it is made.
public struct UnimplementedDataSource<T: Sendable>: PaginatorDataSource {
    /// The key of the first page.
    public let firstKey: String
    private let place: UnimplementedPlace

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - firstKey: the key of the first page, "0" by default.
    ///   - file: the file that failures are reported at; where the source is made, by default.
    ///   - line: the line there.
    ///   - report: takes each failure, on the thread of the call.
    public init(
        firstKey: String = "0", file: StaticString = #filePath, line: UInt = #line, report: @escaping FailureReport
    ) {
        self.firstKey = firstKey
        place = UnimplementedPlace(report: report, file: file, line: line)
    }

    /// Reports the call and answers with a fatal error, before it returns.
    public func fetch(
        _ request: SourceRequest,
        completion: @escaping @Sendable (Result<PaginatorPage<T>, SourceError>) -> Void
    ) -> SourceCancellation {
        completion(.failure(.fatal(place.fail("PaginatorDataSource.fetch(\(request.identity))"))))
        return .none
    }

    /// Reports the call and returns `nil`.
    public func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        place.fail("PaginatorDataSource.neighborKeys(of: \(key))")
        return nil
    }
}
