public import PaginatorCore

/// A page file that must not be used: every call is reported, and throws.
public final class UnimplementedPageFile: PageFile {
    private let place: UnimplementedPlace

    /// Makes a file.
    ///
    /// - Parameters:
    ///   - file: the file that failures are reported at; where the double is made, by default.
    ///   - line: the line there.
    ///   - report: takes each failure, on the thread of the call.
    public init(file: StaticString = #filePath, line: UInt = #line, report: @escaping FailureReport) {
        place = UnimplementedPlace(report: report, file: file, line: line)
    }

    /// Reports the call and throws.
    public func read(_ identity: PageIdentity) throws(PaginatorError) -> PageRecord? {
        throw PaginatorError(injected: place.fail("PageFile.read(\(identity))"))
    }

    /// Reports the call and throws.
    public func commit(_ changes: [RecordChange], durably: Bool) throws(PaginatorError) {
        throw PaginatorError(injected: place.fail("PageFile.commit of \(changes.count) changes"))
    }

    /// Reports the call and throws.
    public func recover() throws(PaginatorError) -> [RecordFacts] {
        throw PaginatorError(injected: place.fail("PageFile.recover"))
    }
}
