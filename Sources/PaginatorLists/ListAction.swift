import PaginatorCore

enum ListAction: Sendable {
    case fetch(UInt64, PageRequest, isRefresh: Bool)
    case cancel(UInt64)
    case pin(PageIdentity)
    case unpin(PageIdentity)
    // Load ahead again later; of several the first one counts.
    case wake(after: Duration)
    // What somebody waits for is over: a refresh, or loading all.
    case ended(UInt64, PaginatorError?)
}
