import PaginatorCore

/// Makes all decisions of one list: which pages to fetch, when, and what to show of them.
///
/// It is a value. Events are methods called inside ``handle(_:)``; actions are collected in ``actions``. It takes no
/// lock, reads no clock and does no I/O. It calls the user's hashes and edits, so its owner must not hold a lock.
///
/// A *seat* is a loaded page; seats are ordered by rank. Two neighbors are linked if they share items, or if one's next
/// key is the other's key and neither is older than the refresh of the other. Otherwise there is a gap. So the source
/// is asked again for what follows a refresh, whatever the caches have. A *chunk* is what a seat shows: each identity
/// at its first position, with its newest value, pending edits applied, and local rows inserted.
///
/// Complexity: an event costs O(rows of the changed pages + log n) with n loaded pages, except a refresh of several
/// pages, a reset, and the rare renumbering of ranks.
struct ListMachine: Sendable {
    typealias Tree = RankTree<ListChunk>

    static let cancelled = PaginatorError(.cancelled, "The fetch was cancelled.")

    /// What the list knows of an item.
    struct Entry: Sendable {
        // The newest value; `nil` if a committed edit removed the item, or only the device has it.
        var base: ListValue?
        // When the source was asked for `base`, or pushed it. Of two values the newer one counts.
        var time: PaginatorInstant
        // The ranks of the seats that have it, ascending; the first one shows it.
        var holders: [Int] = []
        var editCount: UInt64 = 0
        // Changes whenever what is shown changes.
        var version: UInt64
    }

    /// Items that were added or removed at the source, which pages requested earlier do not count.
    struct RecentShift: Sendable {
        let id: ListItemID?
        let time: PaginatorInstant
        let items: Int
        // The rank of the page inside which they are, `.min` for the head, `.max` for the tail, `nil` if unknown.
        var rank: Int?
    }

    struct PendingEdit: Sendable {
        let token: UInt64
        let change: ItemChange<ListValue>
        // The number of committed edits from which on a page contains it, once known.
        var number = UInt64.max
        // The value and place of an optimistic insert. It is applied over the source's value, if any.
        var insert: (value: ListValue?, place: PaginatorRowPlace<ListItemID>)?

        // Whether it removed the value that the item had when it began.
        var removes = false

        func apply(to value: ListValue?) -> ListValue? {
            if let insert { return insert.value }
            return value.flatMap(change)
        }
    }

    /// What a load is for. There is at most one load of each purpose.
    enum Purpose: Hashable, Sendable {
        case first
        case next
        case previous
        // From the page before the gap, or from the one after it.
        case gap(PageIdentity, fromStart: Bool)
        case jump(PageIdentity)
        case page(PageIdentity)
    }

    enum GapSide: Sendable {
        case start
        case end
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
        // Whether a later one within the debounce delay replaces it.
        var isDebounced = false
        // The demand: since when the source must have been asked for the page, so that it joins its neighbor.
        var notBefore: PaginatorInstant?
        // When the call began of which it loads one page.
        var calledAt: PaginatorInstant?
        // The time since which the source must have been asked for the page, where the caches are asked without it
        // because there is no connection.
        var wantedSince: PaginatorInstant?
        // The side of the page at which its refresh is to close a gap.
        var gap: GapSide?
        // Whether the page may be older than the last shift: the window dropped it, or its call is already running.
        var maySpanShifts = false
        // The key to ask for if the caches do not have the page under its old key. They alone are asked first.
        var shiftedKey: String?
        var batch: UInt64 = 0
        var bookmark: PaginatorListBookmark?
        // The number of items with which the list was to begin when the load failed.
        var goal: Int?
        var isPreviewed = false
        // Whether the page is the answer, and not a preview of it.
        var isFinal = true
        // Whether items before its place were deleted since, so that it may lack one.
        var isOutdated = false
        // Invalidations since it began, with the last time of each: its page may be older than that.
        var invalidations: [PageInvalidation: PaginatorInstant] = [:]
        // Whether its page is loaded again if it was invalidated meanwhile.
        var isRenewed = false
        // Whether it was requested again because its place was refreshed meanwhile.
        var isSecond = false
        // The time of a later refresh of the page, for which an older answer is not enough; and that refresh's `batch`.
        var newer: PaginatorInstant?
        var newerBatch: UInt64 = 0
    }

    /// A direction in which prefetching has failed.
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
    // The rows from before a switch, until the first page of the new scope arrives: at most one.
    var kept: [ListMachine] = []
    // The rows: the pages, and beyond them local rows while the adjacent page is loaded.
    var tree = Tree()
    var seats: [Int: ListSeat] = [:]
    var ranks: [PageIdentity: Int] = [:]
    var entries: [ListItemID: Entry] = [:]
    // Items that nothing shows, oldest first. A page may bring an older value of one.
    var strays: [ListItemID] = []
    var local: [ListItemID: LocalRow] = [:]
    var headRows = ListEdge(isHead: true)
    var tailRows = ListEdge(isHead: false)
    // The local rows right after an item, topmost first.
    var followers: [ListItemID: [ListItemID]] = [:]
    var pending: [ListItemID: [PendingEdit]] = [:]
    var tokens: [UInt64: ListItemID] = [:]
    // Dropped pages before the first and after the last loaded one, the nearest last.
    var droppedBefore: [DroppedPage] = []
    var droppedAfter: [DroppedPage] = []
    var dropped: Set<PageIdentity> = []
    // The sum of the shifts before the first loaded page.
    var leadingShift = 0
    // The last shifts, oldest first, for pages that were requested before them.
    var recentShifts: [RecentShift] = []
    // Intervals in which the source's rows moved for another reason, as far as pages tell.
    var foreignShifts: [ClosedRange<PaginatorInstant>] = []
    // When the last shift became known.
    var shiftedAt: PaginatorInstant?
    // The same, only of shifts above the loaded pages.
    var shiftedAboveAt: PaginatorInstant?

    var running: [Purpose: Load] = [:]
    var purposes: [UInt64: Purpose] = [:]
    var failures: [(load: Load, error: PaginatorError)] = []
    var setbacks: [Purpose: Setback] = [:]
    // The pages that stand in for newer ones, with the errors of those.
    var standIns: [PageIdentity: PaginatorError] = [:]
    // Jumps that wait for a load that replaces everything.
    var waitingJumps: [(key: String, placement: PaginatorListPlacement)] = []
    var awaited: [UInt64: AwaitedRefresh] = [:]
    // The number of items each `loadAll` wants; 0 is the list's own, as it begins.
    var goals: [UInt64: Int] = [:]
    // Inserts and removals at the source, in the order in which the list learned of them, for pages with an older
    // total.
    var comings: [(id: ListItemID?, items: Int, time: PaginatorInstant)] = []
    // Rows at the head of which the source told only the number, and when.
    var newRows: [(count: Int, time: PaginatorInstant)] = []
    // The total that the newest page told, and when.
    var total: (items: Int, time: PaginatorInstant)?
    var conditions: PaginatorConditions = []
    // The last load that may have begun offline.
    var lastOffline: UInt64 = 0
    // When the list was made. It has shown nothing from before.
    var startedAt: PaginatorInstant?
    // When the list was last reset, or one of its pages refreshed: what begins again is no older.
    var refreshedAt: PaginatorInstant?
    // The same of other scopes that it has shown.
    var refreshes: [ExactText: PaginatorInstant] = [:]
    var hasRestarted = false
    var isPrefetchPaused = false
    var distance: PrefetchDistance
    var visible: VisibleRange?
    // The last hint before there were rows.
    var earlyHint: Range<Int>?
    var sought: Sought?
    var emptyPages = 0
    // The ends, `next` and `previous`, at which a call asked for rows that have not come.
    var asked: Set<Purpose> = []

    var lastNumber: UInt64 = 0
    // The chunks to make again, and those of which one row alone is.
    var dirty: Set<Int> = []
    var dirtyRows: [Int: ListItemID] = [:]
    // The ranks of the chunks that may have changed since the last update; `nil` for all.
    var touches: Set<Int>? = []
    var notices: [PaginatorListNotice] = []
    var actions: [ListAction] = []

    init(config: PaginatorListConfig, firstKey: String) {
        self.config = config
        self.firstKey = firstKey
        distance = PrefetchDistance(bounds: config.prefetchBounds)
    }

    // Tests set it to a small number, at least 2, so that ranks run out.
    var rankStep = Tree.step

    mutating func handle(_ event: (inout ListMachine) -> Void) {
        event(&self)
        forgetSeenRows()
        seek()
        pursueGoals()
        rebuildDirty()
        replaceKept()
    }

    mutating func makeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    // Whether it may ask the source without being told to.
    var asksSource: Bool { config.policy != .cacheOnly }

    // Whether it is certain that nothing follows the last loaded page. It is not if that page stands in for a newer
    // one, or is a part.
    var isEndCertain: Bool {
        lastPage.flatMap { seats[$0] }.map { $0.refreshError == nil && !$0.isTooOld && !$0.isPartial } ?? true
    }

    var isStartLoaded: Bool {
        guard droppedBefore.isEmpty, let first = firstPage, let seat = seats[first] else { return false }
        return seat.previous == nil || seat.isPreviousRepeated
    }

    var isEndLoaded: Bool {
        guard droppedAfter.isEmpty, let last = lastPage, let seat = seats[last] else { return false }
        return !seat.isPartial && (seat.next == nil || seat.isNextRepeated)
    }
}
