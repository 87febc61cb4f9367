public import PaginatorCore

/// An observer that must not be told anything, or nothing but certain kinds: every other event is reported.
public struct UnimplementedObserver: PaginatorObserver {
    private let place: UnimplementedPlace
    private let allowed: Set<PaginatorEvent.Kind>

    /// Makes an observer.
    ///
    /// - Parameters:
    ///   - allowed: kinds of events that may come; none by default.
    ///   - file: the file that failures are reported at; where the observer is made, by default.
    ///   - line: the line there.
    ///   - report: takes each failure, on the queue of events.
    public init(
        allowing allowed: Set<PaginatorEvent.Kind> = [], file: StaticString = #filePath, line: UInt = #line,
        report: @escaping FailureReport
    ) {
        self.allowed = allowed
        place = UnimplementedPlace(report: report, file: file, line: line)
    }

    /// Reports the event unless its kind is allowed.
    public func paginatorDidReport(_ event: PaginatorEvent) {
        guard !allowed.contains(event.kind) else { return }
        place.fail("PaginatorObserver.paginatorDidReport(\(event.kind))")
    }
}
