import PaginatorCore

/// Decides everything about one list: what is loaded, in which order, what is shown of it, and what to fetch.
///
/// It is a value: events are calls of its methods inside ``handle(_:)``, actions come out in ``actions``. It takes no lock, reads no clock
/// and does no I/O; it calls the identities' hash and the edits' changes, so its owner must not hold a lock either.
///
/// *A seat* is a loaded page. Seats are ordered by rank. Two neighbors are linked when they share items, or when one's
/// next key is the other's and neither is older than the refresh of the other; where they are not there is a gap. So the
/// source is asked anew for what follows a refresh, whatever the caches have. *A chunk* is what a seat shows: each identity
/// at its first position, with its newest value, pending edits folded over it, and local rows spliced in.
///
/// Complexity: an event costs O(rows of the pages that it changes + log n) with n pages loaded, except a refresh of many
/// pages, a reset, and the rare renumbering of ranks.
struct ListMachine: Sendable {
    typealias Tree = RankTree<ListChunk>

    static let cancelled = PaginatorError(.cancelled, "The fetch was cancelled.")

    /// What the list knows of one item.
    struct Entry: Sendable {
        // The newest value; `nil` when a committed edit removed the item, or while only the device has it.
        var base: ListValue?
        // When the source was asked for `base`, or told of it by itself: of two values of one item the newer one counts.
        var time: PaginatorInstant
        // The ranks of the seats that have it, ascending; the first one shows it.
        var holders: [Int] = []
        var editCount: UInt64 = 0
        // Another one for each change of what is shown.
        var version: UInt64
    }

    /// Items more or less at the source, which pages asked for earlier do not count.
    struct RecentShift: Sendable {
        let id: ListItemID?
        let time: PaginatorInstant
        let items: Int
        // The page inside which they are, `.min` for the head and `.max` behind all; `nil` where that is not known.
        var rank: Int?
    }

    struct PendingEdit: Sendable {
        let token: UInt64
        let change: ItemChange<ListValue>
        // How many committed edits a page has that contains it, once that is known.
        var number = UInt64.max
        // What an optimistic insert puts in, and where. It lies over what the source has of the item, if anything.
        var insert: (value: ListValue?, place: PaginatorRowPlace<ListItemID>)?

        // Whether it removed the value that the item had when it began.
        var removes = false

        func apply(to value: ListValue?) -> ListValue? {
            if let insert { return insert.value }
            return value.flatMap(change)
        }
    }

    /// What a load is for; there is one of each at a time.
    enum Purpose: Hashable, Sendable {
        case first
        case next
        case previous
        // From the page at the gap's start, or at its end.
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
        // Whether a hint started it.
        var isAhead = false
        // Whether what it brings is looked at then.
        var isJump = false
        // Whether another one that comes soon takes its place.
        var isDebounced = false
        // Since when the source must have been asked for what it brings, to join the page beside it.
        var notBefore: PaginatorInstant?
        // At which side of the page lies the gap that its refresh is to close.
        var gap: GapSide?
        // Whether the page may be as old as the last shift: the window dropped it, or its call runs already.
        var maySpanShifts = false
        // The key to ask for when the caches, which alone are asked first, do not have the page under its old one.
        var shiftedKey: String?
        var batch: UInt64 = 0
        var bookmark: PaginatorListBookmark?
        // With how many items the list was to begin when it failed.
        var goal: Int?
        var isPreviewed = false
        // Whether what it brings is its answer, and no preview of that.
        var isFinal = true
        // Whether items before its place were deleted since, so that it may lack one.
        var isOutdated = false
        // What was marked stale meanwhile, of everything named the last time: its page may be older than that.
        var invalidations: [PageInvalidation: PaginatorInstant] = [:]
        // Whether its page is loaded anew where it was marked stale meanwhile.
        var isRenewed = false
        // Whether it was asked for again because its place was refreshed meanwhile.
        var isSecond = false
        // When a later refresh of the page was asked for, which an older answer does not serve; and its `batch`.
        var newer: PaginatorInstant?
        var newerBatch: UInt64 = 0
    }

    /// A direction in which loading ahead has failed.
    struct Setback: Sendable {
        // How often in a row.
        var failures = 0
        // How many further hints do nothing.
        var hints = 0
        // Whether nothing is tried before the conditions are better.
        var waitsForConditions = false
        // Why the last load ahead brought nothing.
        var error: PaginatorError?
    }

    struct AwaitedRefresh: Sendable {
        let time: PaginatorInstant
        var loads: Set<UInt64>
        var error: PaginatorError?
    }

    var config: PaginatorListConfig
    let firstKey: String
    // What was shown before the scope was changed, until the first page of the new one has come: at most one.
    var kept: [ListMachine] = []
    // What is shown: the pages, and beyond them the local rows while the page beside them is loaded.
    var tree = Tree()
    var seats: [Int: ListSeat] = [:]
    var ranks: [PageIdentity: Int] = [:]
    var entries: [ListItemID: Entry] = [:]
    // Items that nothing shows any more, the oldest first: a page may bring one with an older value.
    var strays: [ListItemID] = []
    var local: [ListItemID: LocalRow] = [:]
    var headRows = ListEdge(isHead: true)
    var tailRows = ListEdge(isHead: false)
    // The local rows right after an item, topmost first.
    var followers: [ListItemID: [ListItemID]] = [:]
    var pending: [ListItemID: [PendingEdit]] = [:]
    var tokens: [UInt64: ListItemID] = [:]
    // Pages dropped before the first loaded one and behind the last, the nearest one last.
    var droppedBefore: [DroppedPage] = []
    var droppedAfter: [DroppedPage] = []
    var dropped: Set<PageIdentity> = []
    // The sum of the shifts before the first loaded page.
    var leadingShift = 0
    // The last shifts, oldest first, for pages that the source was asked for before them.
    var recentShifts: [RecentShift] = []
    // Between when and when the table has moved for another reason, as far as pages tell.
    var foreignShifts: [ClosedRange<PaginatorInstant>] = []
    // When the last of all shifts was known of.
    var shiftedAt: PaginatorInstant?
    // The same, of those alone that move what lies above the loaded pages.
    var shiftedAboveAt: PaginatorInstant?

    var running: [Purpose: Load] = [:]
    var purposes: [UInt64: Purpose] = [:]
    var failures: [(load: Load, error: PaginatorError)] = []
    var setbacks: [Purpose: Setback] = [:]
    // The pages that stand in for newer ones, with why those could not be had.
    var standIns: [PageIdentity: PaginatorError] = [:]
    // Jumps that come after what is about to take the place of everything.
    var waitingJumps: [(key: String, placement: PaginatorListPlacement)] = []
    var awaited: [UInt64: AwaitedRefresh] = [:]
    // How many items somebody waits for; by zero the list does itself, when it begins.
    var goals: [UInt64: Int] = [:]
    // What came and went at the source, in the order in which the list learned it, for pages that tell an older total.
    var comings: [(id: ListItemID?, items: Int, time: PaginatorInstant)] = []
    // Rows that the source has at the head, as far as it told their number alone, and when.
    var newRows: [(count: Int, time: PaginatorInstant)] = []
    // What the newest page told of how many items the source has, and when.
    var total: (items: Int, time: PaginatorInstant)?
    var conditions: PaginatorConditions = []
    // The last load that may have begun without a connection.
    var lastOffline: UInt64 = 0
    // When the list was made: it has not shown what came before.
    var startedAt: PaginatorInstant?
    // When the list was last reset, or one of its pages refreshed: what begins anew is no older.
    var refreshedAt: PaginatorInstant?
    // The same of other scopes that it has shown.
    var refreshes: [ExactText: PaginatorInstant] = [:]
    var hasRestarted = false
    var isPrefetchPaused = false
    var distance: PrefetchDistance
    var visible: VisibleRange?
    // What was hinted before there were rows.
    var earlyHint: Range<Int>?
    var sought: Sought?
    var emptyPages = 0

    var lastNumber: UInt64 = 0
    var dirty: Set<Int> = []
    // The ranks of the chunks that may have changed since they were told; `nil` for all.
    var touches: Set<Int>? = []
    var notices: [PaginatorListNotice] = []
    var actions: [ListAction] = []

    init(config: PaginatorListConfig, firstKey: String) {
        self.config = config
        self.firstKey = firstKey
        distance = PrefetchDistance(bounds: config.prefetchBounds)
    }

    // Tests make it small, at least 2, so that the room runs out.
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

    // Whether the last loaded page can be believed that nothing follows it: one that stands in for a newer one cannot, nor
    // can the beginning of one.
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
