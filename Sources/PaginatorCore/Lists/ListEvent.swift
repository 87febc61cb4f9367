// Indirect, because the code that copies so many cases in place would be 40 KB of each program.
indirect enum ListEvent: Sendable {
    case loadNext
    case loadPrevious
    case jump(String, PaginatorListPlacement)
    case fillGap(at: Int, fromStart: Bool)
    case retry
    // The token is answered with `ListAction/refreshEnded(_:_:)`.
    case refresh(PaginatorListRefresh, at: PaginatorInstant, token: UInt64? = nil)
    // What is loaded from then on, the source is asked for at that time or later.
    case reset(at: PaginatorInstant)
    case cancelLoads
    case hint(Range<Int>)
    case setPrefetchDistance(Int)
    case setPrefetchPaused(Bool)
    case restore(PaginatorListBookmark)
    // A page came; more of the same load may follow when it is not final.
    case arrived(UInt64, ListPage, isFinal: Bool)
    case failed(UInt64, PaginatorError)
    case renewed(PageIdentity, ListPage)
    case invalidated(PageSelection)
    case conditionsChanged(PaginatorConditions)
    case woken
    // Rows came that belong to no page. Those of no token are the source's own: live rows.
    case insert(
        [(id: ListItemID, value: ListValue)], PaginatorRowPlace<ListItemID>, token: UInt64?, at: PaginatorInstant)
    // An optimistic edit begins; pages with as many committed edits as its number contain it.
    case edit(token: UInt64, ListItemID, ItemChange<ListValue>, number: UInt64 = .max)
    // An edit ends; it may be known to have removed the item, also where the list does not have it.
    case settle(
        token: UInt64, EditOutcome<(id: ListItemID, value: ListValue)>, number: UInt64 = 0, removes: Bool = false,
        at: PaginatorInstant)
}

enum ListAction: Sendable {
    case fetch(UInt64, PageRequest, isRefresh: Bool)
    case cancel(UInt64)
    case pin(PageIdentity)
    case unpin(PageIdentity)
    // Load ahead again later; of several the first one counts.
    case wake(after: Duration)
    case refreshEnded(UInt64, PaginatorError?)
}

struct ListTouches: Sendable {
    var isEverything = false
    // The ranks of the chunks that may have changed.
    var ranks: Set<Int> = []

    static let everything = ListTouches(isEverything: true)

    var isEmpty: Bool { !isEverything && ranks.isEmpty }

    mutating func formUnion(_ other: ListTouches) {
        isEverything = isEverything || other.isEverything
        ranks.formUnion(other.ranks)
    }
}
