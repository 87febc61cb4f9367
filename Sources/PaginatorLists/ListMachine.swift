import PaginatorCore

/// Makes all decisions of one list: which pages to fetch, when, and which rows to show.
///
/// It is a value. Events are methods called inside ``handle(_:)``; actions are collected in ``actions``. It takes no
/// lock, reads no clock and does no I/O. It calls the user's hashes and edits, so its owner must not hold a lock.
///
/// A *seat* is a loaded page; seats are ordered by rank. Two neighbors are linked if they share items, or if one's next
/// key is the other's key and neither is older than the refresh of the other. Otherwise there is a gap. So after a
/// refresh the following pages are requested from the source again, even if they are cached. A *chunk* is the rows of a
/// seat: each identity at its first position, with its newest value, pending edits applied, and local rows inserted.
///
/// Complexity: an event costs O(rows of the changed pages + log n) with n loaded pages, except a refresh of several
/// pages, a reset, and the rare renumbering of ranks.
struct ListMachine: Sendable {
    typealias Tree = RankTree<ListChunk>

    static let cancelled = PaginatorError(.cancelled, "The fetch was cancelled.")

    // The token of the list's own initial load; those of callers begin at 1.
    static let initialLoad: UInt64 = 0

    /// The state of an item in the list.
    struct Entry: Sendable {
        // The newest value; `nil` if a committed edit removed the item, or only the device has it.
        var base: ListValue?
        // The time at which `base` was requested or pushed. Of two values the newer one counts.
        var time: PaginatorInstant
        // The ranks of the seats that have it, ascending; the first one shows it.
        var holders: [Int] = []
        var editCount: UInt64 = 0
        // Changes whenever the shown value changes.
        var version: UInt64
    }

    /// Items that were added or removed at the source, which pages requested earlier do not count.
    struct RecentShift: Sendable {
        let id: ListItemID?
        let time: PaginatorInstant
        let items: Int
        // The rank of the page inside which they are, `.min` for the head, `.max` for the tail, `nil` if unknown.
        var rank: Int?
        // The request time of the first page that counts them, if it was before the report.
        var countedFrom: PaginatorInstant?
    }

    struct PendingEdit: Sendable {
        let token: UInt64
        let change: ItemChange<ListValue>
        // Pages requested earlier do not count it.
        let begun: PaginatorInstant
        // The number of committed edits from which on a page contains this edit, once known.
        var number = UInt64.max
        // The value and place of an optimistic insert. The value covers that of the source, if there is one.
        var insert: (value: ListValue?, place: PaginatorRowPlace<ListItemID>)?

        // Whether it removed the item's value at its beginning.
        var removes = false

        func apply(to value: ListValue?) -> ListValue? {
            if let insert { return insert.value }
            return value.flatMap(change)
        }
    }

    /// The purpose of a load. There is at most one load of each purpose.
    enum Purpose: Hashable, Sendable {
        case first
        case next
        case previous
        // Starts from the page before the gap, which is at the end of that page, or from the page after it.
        case gap(PageIdentity, at: ListEnd)
        case jump(PageIdentity)
        case page(PageIdentity)
    }

    struct Load: Sendable {
        var id: UInt64
        var purpose: Purpose
        var identity: PageIdentity
        var placement = PaginatorListPlacement.automatic
        var isRefresh = false
        // Whether it is a prefetch.
        var isAhead = false
        // Whether its page counts as visible once it arrives.
        var isJump = false
        // The demand: the time after which the page must have been requested, so that it joins its neighbor.
        var notBefore: PaginatorInstant?
        // The start of the call of which it loads one page.
        var calledAt: PaginatorInstant?
        // The demand of a load that reads only the caches, because there is no connection.
        var wantedSince: PaginatorInstant?
        // The side of the page at which its refresh has to close a gap.
        var gap: ListEnd?
        var cacheUse = CacheUse.sinceShift
        var refreshNumber: UInt64 = 0
        var bookmark: PaginatorListBookmark?
        // The number of items that the list was to begin with when the load failed.
        var goal: Int?
        var isPreviewed = false
        // Whether items before its place were deleted since, so that the page may lack an item, or added, and nothing
        // would show whether it counts them.
        var isOutdated = false
        // The number of items added or removed since a second request, of which nothing would show if it counts them.
        var unknownItems = 0
        // Invalidations since it began, with the last time of each; its page may have been requested before.
        var invalidations: [PageInvalidation: PaginatorInstant] = [:]
        // Whether its page is loaded again if it was invalidated meanwhile.
        var reloadsIfStale = false
        // Whether it was requested again because its place was refreshed or shifted meanwhile.
        var isSecond = false
        // A later refresh of the page, for which an older answer is not enough.
        var newer: (time: PaginatorInstant, refreshNumber: UInt64)?

        var readsOldKey: Bool { if case .oldKey = cacheUse { true } else { false } }
    }

    /// Which pages of the caches a load may use.
    enum CacheUse: Sendable {
        // Only those requested after the last shift.
        case sinceShift
        // Older ones, too: the window dropped the page, or its call is already running.
        case anyAge
        // Only the caches are read; if they do not have the page, this key is requested.
        case oldKey(then: String)
    }

    /// An end at which prefetching has failed.
    struct Setback: Sendable {
        // The number of consecutive failures.
        var failures = 0
        // The number of further hints to ignore.
        var hints = 0
        // Whether it waits for better conditions.
        var waitsForConditions = false
        // The error of the last prefetch.
        var error: PaginatorError?
    }

    struct AwaitedRefresh: Sendable {
        let time: PaginatorInstant
        var loads: Set<UInt64>
        var error: PaginatorError?
    }

    var config: PaginatorListConfig
    let firstKey: String
    let needsConnection: Bool
    // The rows from before a switch, until the first page of the new scope arrives: at most one.
    var kept: [ListMachine] = []
    // The rows: the pages, and beyond them local rows while the adjacent page is loaded.
    var tree = Tree()
    var seats: [Int: ListSeat] = [:]
    var ranks: [PageIdentity: Int] = [:]
    // Tests set a small number, at least 2, so that ranks run out.
    var rankStep = Tree.step
    var entries = GradualDictionary<ListItemID, Entry>()
    // Items that no row shows, oldest first, because a page may bring an older value of one.
    var unshownItems: [ListItemID] = []
    // The same for values that are newer than the item's page: others do not push them out.
    var unshownNewerItems: [ListItemID] = []
    var local: [ListItemID: LocalRow] = [:]
    var headRows = ListEdge(at: .start)
    var tailRows = ListEdge(at: .end)
    // The local rows right after an item, topmost first.
    var followers: [ListItemID: [ListItemID]] = [:]
    var pending: [ListItemID: [PendingEdit]] = [:]
    var tokens: [UInt64: ListItemID] = [:]
    // Dropped pages before the first and after the last loaded one, the nearest last.
    var droppedBefore: [DroppedPage] = []
    var droppedAfter: [DroppedPage] = []
    var dropped: Set<PageIdentity> = []
    // The largest ordinal of an item of a page. Items with larger ones are on no dropped page.
    var lastOrdinal = 0
    // The sum of the shifts before the first loaded page.
    var leadingShift = 0
    // The last shifts, oldest first, for pages that were requested before them.
    var recentShifts: [RecentShift] = []
    // Pages that share more rows with an older page before them than their keys say: they may count inserts that were
    // not reported yet.
    var overlapping: Set<PageIdentity> = []
    // Intervals in which the source's rows moved for another reason, as far as pages show it.
    var foreignShifts: [ClosedRange<PaginatorInstant>] = []
    // The time at which the last shift became known.
    var shiftedAt: PaginatorInstant?
    // The same, only of shifts above the loaded pages.
    var shiftedAboveAt: PaginatorInstant?

    var running: [Purpose: Load] = [:]
    var purposes: [UInt64: Purpose] = [:]
    var failures: [(load: Load, error: PaginatorError)] = []
    var setbacks: [ListEnd: Setback] = [:]
    // The older pages that replace failed loads, with the errors.
    var fallbackPages: [PageIdentity: PaginatorError] = [:]
    // Jumps that wait for a load that replaces everything.
    var waitingJumps: [(key: String, placement: PaginatorListPlacement)] = []
    var awaited: [UInt64: AwaitedRefresh] = [:]
    // The number of items that each `loadAll` wants, and the list's own initial load.
    var goals: [UInt64: Int] = [:]
    // Inserts and removals at the source, in the order in which they were reported, for pages with an older total.
    var countChanges: [(id: ListItemID?, items: Int, time: PaginatorInstant, isAtHead: Bool)] = []
    // Rows at the head of which the source reported only the number, and the times.
    var newRows: [(count: Int, time: PaginatorInstant)] = []
    // The total of the newest page that states one, and its time.
    var total: (items: Int, time: PaginatorInstant)?
    var conditions: PaginatorConditions = []
    // The last load that may have begun offline, or before the app was suspended.
    var lastInterrupted: UInt64 = 0
    // The time at which the list was created. It has shown no rows from before.
    var startedAt: PaginatorInstant?
    // The last reset of the list, or refresh of one of its pages: a list that begins again must be as new.
    var refreshedAt: PaginatorInstant?
    // The same for other scopes that it has shown.
    var refreshes: [ExactText: PaginatorInstant] = [:]
    // The number of pages when it last began again because of an expired key. It does so once more only when it has
    // more, since a key may be refused every time.
    var restartedWith: Int?
    var isPrefetchPaused = false
    var distance: PrefetchDistance
    var visible: VisibleRange?
    // The last hint before there were rows.
    var earlyHint: Range<Int>?
    var restoreTarget: RestoreTarget?
    // How often a page has replaced all, also the same one again, or the only page has got other rows.
    var replacements = 0
    var emptyPages = 0
    // The ends at which a call requested rows that have not arrived.
    var asked: Set<ListEnd> = []

    var lastNumber: UInt64 = 0
    // The chunks to make again, and those of which one row alone is.
    var dirty: Set<Int> = []
    var dirtyRows: [Int: ListItemID] = [:]
    // The ranks of the chunks that may have changed since the last update; `nil` for all.
    var touches: Set<Int>? = []
    var notices: [PaginatorListNotice] = []
    var actions: [ListAction] = []

    init(config: PaginatorListConfig, firstKey: String, needsConnection: Bool = true) {
        self.config = config
        self.firstKey = firstKey
        self.needsConnection = needsConnection
        distance = PrefetchDistance(bounds: config.prefetchBounds)
    }

    mutating func handle(_ event: (inout ListMachine) -> Void) {
        event(&self)
        forgetSeenRows()
        seek()
        continueLoadAll()
        rebuildDirty()
        replaceKept()
    }

    mutating func makeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    // The conditions that hold back loads of its source.
    var blocking: PaginatorConditions { needsConnection ? conditions : conditions.subtracting(.offline) }

    // Whether it may call the source without a request of the user.
    var mayCallSource: Bool { config.policy != .cacheOnly }

    // Whether it is certain that the last loaded page is the last one. It is not if that page is an older one in place
    // of a failed load, or a part.
    var isEndCertain: Bool {
        lastSeat.map { $0.refreshError == nil && !$0.isTooOld && !$0.isPartial } ?? true
    }

    var isStartLoaded: Bool {
        guard droppedBefore.isEmpty, let first = firstPage, let seat = seats[first] else { return false }
        return seat.isPreviousRepeated || effectivePrevious(of: seat, at: first) == nil
    }

    var isEndLoaded: Bool {
        guard droppedAfter.isEmpty, let last = lastPage, let seat = seats[last] else { return false }
        return !seat.isPartial && (seat.next == nil || seat.isNextRepeated)
    }
}
