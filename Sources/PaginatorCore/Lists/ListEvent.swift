/// Something that the list machine learns.
enum ListEvent<T: Sendable, ID: Hashable & Sendable>: Sendable {
    case loadNext
    case loadPrevious
    case jump(String, PaginatorListPlacement)
    case fillGap(at: Int, fromStart: Bool)
    case retry
    /// The token is answered with ``ListAction/refreshEnded(_:_:)``.
    case refresh(PaginatorListRefresh, at: PaginatorInstant, token: UInt64? = nil)
    /// What is loaded from then on, the source is asked for at that time or later.
    case reset(at: PaginatorInstant)
    case cancelLoads
    case hint(Range<Int>)
    case setPrefetchDistance(Int)
    case setPrefetchPaused(Bool)
    case restore(PaginatorListBookmark)
    /// A page came; more of the same load may follow when it is not final.
    case arrived(UInt64, ListPage<T, ID>, isFinal: Bool)
    case failed(UInt64, PaginatorError)
    /// A page came to the caches that the list had no part in.
    case renewed(PageIdentity, ListPage<T, ID>)
    /// Pages were marked stale.
    case invalidated(PageSelection)
    case conditionsChanged(PaginatorConditions)
    /// The time of ``ListAction/wake(after:)`` has come.
    case woken
    /// Rows came that belong to no page. Those of no token are the source's own: live rows.
    case insert(id: ID, value: T, PaginatorRowPlace<ID>, token: UInt64?, at: PaginatorInstant)
    /// Rows that the source pushed, in one go.
    case insertLive([(id: ID, value: T)], PaginatorRowPlace<ID>, at: PaginatorInstant)
    /// An optimistic edit begins; pages with as many committed edits as its number contain it.
    case edit(token: UInt64, ID, ItemChange<T>, number: UInt64 = .max)
    /// An edit ends; it may be known to have removed the item, also where the list does not have it.
    case settle(
        token: UInt64, EditOutcome<(id: ID, value: T)>, number: UInt64 = 0, removes: Bool = false, at: PaginatorInstant)
}

/// Something that the list's shell has to do, in this order.
enum ListAction: Sendable {
    case fetch(UInt64, PageRequest, isRefresh: Bool)
    case cancel(UInt64)
    case pin(PageIdentity)
    case unpin(PageIdentity)
    /// Load ahead again later; of several the first one counts.
    case wake(after: Duration)
    /// Everything that a refresh has loaded has ended; with the first error.
    case refreshEnded(UInt64, PaginatorError?)
}

/// Which parts of a list's content changed.
struct ListTouches: Sendable {
    var isEverything = false
    /// Whether the rows above the pages, or below, have come or gone as a whole.
    var hasHead = false
    var hasTail = false
    /// The chunks of rows above the pages and below them.
    var headRanks: Set<Int> = []
    var tailRanks: Set<Int> = []
    var ranks: Set<Int> = []

    init() {}

    var isEmpty: Bool {
        !isEverything && !hasHead && !hasTail && ranks.isEmpty && headRanks.isEmpty && tailRanks.isEmpty
    }

    mutating func formUnion(_ other: ListTouches) {
        isEverything = isEverything || other.isEverything
        hasHead = hasHead || other.hasHead
        hasTail = hasTail || other.hasTail
        ranks.formUnion(other.ranks)
        headRanks.formUnion(other.headRanks)
        tailRanks.formUnion(other.tailRanks)
    }
}
