@testable import PaginatorCore

extension FetchMachine {
    /// The state as dumps show it; durations reach to `time`, by default the last event's.
    func describe(at time: PaginatorInstant? = nil) -> [String] {
        state().lines("paginator", at: max(now, time ?? now))
    }
}
