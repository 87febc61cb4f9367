public import PaginatorCore

/// An eviction strategy that must not be used: every call but the question for its lifetime is reported.
///
/// The reports come under the cache's lock, so the closure must not call the library.
public struct UnimplementedEvictionStrategy: PaginatorEvictionStrategy {
    private let place: UnimplementedPlace

    /// Makes a strategy.
    ///
    /// - Parameters:
    ///   - file: the file that failures are reported at; where the strategy is made, by default.
    ///   - line: the line there.
    ///   - report: takes each failure, on the thread of the call.
    public init(file: StaticString = #filePath, line: UInt = #line, report: @escaping FailureReport) {
        place = UnimplementedPlace(report: report, file: file, line: line)
    }

    /// Reports the call.
    public mutating func inserted(_ page: PageHandle, _ facts: PageFacts) { fail("inserted") }

    /// Reports the call.
    public mutating func used(_ page: PageHandle) { fail("used") }

    /// Reports the call.
    public mutating func removed(_ page: PageHandle) { fail("removed") }

    /// Reports the call and is content.
    public mutating func victim(in usage: PageUsage) -> PageHandle? {
        fail("victim")
        return nil
    }

    /// Reports the call and lets no page in.
    public func admits(_ facts: PageFacts) -> Bool {
        fail("admits")
        return false
    }

    private func fail(_ call: String) {
        place.fail("PaginatorEvictionStrategy.\(call)")
    }
}
