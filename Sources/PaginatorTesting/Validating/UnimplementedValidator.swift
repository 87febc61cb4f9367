public import PaginatorCore

/// A validator that must not be asked: every judgement is reported, and refuses the page.
public struct UnimplementedValidator<T: Sendable>: PageValidator {
    private let place: UnimplementedPlace

    /// Makes a validator.
    ///
    /// - Parameters:
    ///   - file: the file that failures are reported at; where the validator is made, by default.
    ///   - line: the line there.
    ///   - report: takes each failure, on the thread of the call.
    public init(file: StaticString = #filePath, line: UInt = #line, report: @escaping FailureReport) {
        place = UnimplementedPlace(report: report, file: file, line: line)
    }

    /// Reports the call and refuses the page.
    public func judge(_ page: PaginatorPage<T>, in context: ValidationContext) -> PageVerdict {
        .fail(reason: place.fail("PageValidator.judge of \(context.identity)").description)
    }
}
