import PaginatorCore

enum ListAction: Sendable {
    case fetch(UInt64, PageRequest, isRefresh: Bool)
    case cancel(UInt64)
    case pin(PageIdentity)
    case unpin(PageIdentity)
    // Prefetch again after a delay. Of several delays, the shortest counts.
    case wake(after: Duration)
    // A refresh, or loading all, has ended.
    case ended(UInt64, PaginatorError?)
}
