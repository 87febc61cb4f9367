import Dispatch
public import PaginatorCore

/// A paginator that must not be used: every call is reported, and every fetch ends with an error, on a queue of its own.
public final class UnimplementedPaginator<T: Sendable>: Paginator {
    private let place: UnimplementedPlace
    private let queue = DispatchQueue(label: "paginator.testing.unimplemented")

    /// Makes a paginator.
    ///
    /// - Parameters:
    ///   - file: the file that failures are reported at; where the paginator is made, by default.
    ///   - line: the line there.
    ///   - report: takes each failure, on the thread of the call.
    public init(file: StaticString = #filePath, line: UInt = #line, report: @escaping FailureReport) {
        place = UnimplementedPlace(report: report, file: file, line: line)
    }

    /// Reports the call and ends the fetch with an error.
    @discardableResult
    public func fetch(_ request: PageRequest, listener: PaginatorFetchListener<T>) -> PaginatorExecution {
        let error = error("Paginator.fetch(\(request.identity))")
        queue.async { listener.fetchDidEnd(.failure(error)) }
        return .custom { false }
    }

    /// Reports the call and ends the fetch with an error.
    @discardableResult
    public func fetchAround(
        _ request: AroundRequest, listener: PaginatorFetchAroundListener<T>
    ) -> PaginatorExecution {
        let error = error("Paginator.fetchAround(\(request.page.identity))")
        queue.async { listener.fetchAroundDidEnd(.failure(error)) }
        return .custom { false }
    }

    /// Reports the call.
    public func clear(key: String) {
        place.fail("Paginator.clear(key: \(key))")
    }

    private func error(_ call: String) -> PaginatorError {
        let error = place.fail(call)
        return PaginatorError(.sourceFailed, error.description, underlying: error)
    }
}
