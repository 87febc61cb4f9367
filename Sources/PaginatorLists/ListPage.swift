import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A page that arrives in a list.
struct ListPage: Sendable {
    var items: [(id: ListItemID, value: ListValue)]
    var previous: String?
    var next: String?
    var fetchedAt: PaginatorInstant
    // The start of the call that requested it; `nil` is its own request time.
    var calledAt: PaginatorInstant?
    // The source's load time; `nil` if a cache had it.
    var loadTime: Duration?
    var staleFrom: PaginatorInstant?
    var isStale = false
    var savedAt = Date.distantPast
    var refreshError: PaginatorError?
    var editCount: UInt64 = 0
    // The source's number of items, if the page states it.
    var total: Int?
    var tags: [String] = []
    var isPartial = false
    // Whether the load's answer is yet to come.
    var isPreview = false
}
