public import PaginatorCore

/// A connectivity that must not be asked: every use is reported, and nothing is complained of.
public struct UnimplementedConnectivity: PaginatorConnectivity {
    private let place: UnimplementedPlace

    /// Makes a connectivity.
    ///
    /// - Parameters:
    ///   - file: the file that failures are reported at; where the connectivity is made, by default.
    ///   - line: the line there.
    ///   - report: takes each failure, on the thread of the call.
    public init(file: StaticString = #filePath, line: UInt = #line, report: @escaping FailureReport) {
        place = UnimplementedPlace(report: report, file: file, line: line)
    }

    /// Reports the call and complains of nothing.
    public var conditions: PaginatorConditions {
        place.fail("PaginatorConnectivity.conditions")
        return []
    }

    /// Reports the call and tells nothing.
    public func observe(_ handler: @escaping @Sendable (PaginatorConditions) -> Void) -> any AnyObject & Sendable {
        place.fail("PaginatorConnectivity.observe")
        return Nothing()
    }

    private final class Nothing: Sendable {}
}
