import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The time at which a value was requested or pushed. Of two values of an item, the newer one wins.
struct ListStamp: Sendable, Comparable {
    var time: PaginatorInstant
    // Orders values of the same time by their arrival in the list.
    var arrival: UInt64

    static func < (left: ListStamp, right: ListStamp) -> Bool {
        (left.time, left.arrival) < (right.time, right.arrival)
    }
}

@usableFromInline
struct ListRow: Sendable {
    let id: ListItemID
    @usableFromInline let value: ListValue
    // Both in one word, which makes a row a quarter smaller, and iteration faster by as much.
    private let versionAndPending: UInt64

    init(id: ListItemID, value: ListValue, version: UInt64, isPending: Bool) {
        (self.id, self.value) = (id, value)
        versionAndPending = version << 1 | (isPending ? 1 : 0)
    }

    // Changes whenever the value does; two rows of one item with the same version have the same value.
    var version: UInt64 { versionAndPending >> 1 }

    var isPending: Bool { versionAndPending & 1 == 1 }
}

/// The visible rows of one page at one time, shared by snapshots.
final class ListChunk: Sendable {
    let rows: [ListRow]
    let isFollowedByGap: Bool

    init(rows: [ListRow], isFollowedByGap: Bool = false) {
        self.rows = rows
        self.isFollowedByGap = isFollowedByGap
    }
}

/// The shifts of the keys of a page, in items.
struct PageShifts: Sendable {
    // By committed edits inside the page; they shift the following keys.
    var own = 0
    // How much of `own` its next key counts already.
    var ownAtFetch = 0
    // How much of the shifts before the page its keys count already.
    var beforeAtFetch = 0
}

struct ListSeat: Sendable {
    var identity: PageIdentity
    var previous: String?
    var next: String?
    // In the source's order, without duplicates.
    var ids: [ListItemID]
    var stamp: ListStamp
    // Rows that were reported until then may be on it.
    var mayCountUntil: PaginatorInstant
    // The start of the call that requested it, or its own request time. The following page must not be older.
    var calledAt: PaginatorInstant
    // The last refresh of this page, or of the page that led to it: the following page must have been requested at that
    // time or later. An older page that replaces a failed load passes the time on.
    var notBefore: PaginatorInstant?
    var staleFrom: PaginatorInstant?
    var tags: [String] = []
    // Wall-clock time, computed once, because reading two clocks again would change the status.
    var savedAt: Date
    var refreshError: PaginatorError?
    // Whether this is a part of the page.
    var isPartial = false
    // The number of the refresh that loaded this page together with others; zero for none.
    var refreshNumber: UInt64
    var shifts = PageShifts()
    // Whether its key has changed since it was loaded: the caches may have another page under the new one.
    var isRenamed = false
    var isLinkedToNext = false
    // Whether the previous key of the page after it led to it.
    var isLoadedBackward = false
    // Whether the list already has the page of the next key elsewhere, so that following it would be a cycle.
    var isNextRepeated = false
    var isPreviousRepeated = false
    // The page after it for which a repeated key has been reported.
    var reportedGap: ListStamp?

    // The demand on an adjacent page; `nil` also if this page itself is too old for it.
    var demandOnNeighbors: PaginatorInstant? { isTooOld ? nil : notBefore }

    var isTooOld: Bool { !isAsNew(as: notBefore) }

    func isAsNew(as time: PaginatorInstant?) -> Bool { time.map { stamp.time >= $0 } ?? true }
}

/// A page that the window dropped, with what is needed to load it again and to check that its place is still right.
struct DroppedPage: Sendable {
    var identity: PageIdentity
    // The items that it had; `nil` if only its key is known.
    var ids: [ListItemID]?
    // The items of the page beside which it was dropped.
    var neighborIDs: [ListItemID] = []
    var fetchedAt = PaginatorInstant.zero
    // The request time of that page.
    var neighborTime: PaginatorInstant?
    var notBefore: PaginatorInstant?
    var shifts = PageShifts()
    // Whether it was dropped beside a gap, in which its rows may be loaded again by another page's key, or has lost the
    // neighbor beside which it was dropped.
    var isBesideGap = false
    // Whether its key has changed since it was loaded, or it may lack an item: what the caches have is not enough.
    var isOutdated = false

    // Returns whether it was dropped beside a page as new as this one, or newer.
    func wasBeside(_ other: ListSeat) -> Bool { neighborTime.map { other.stamp.time <= $0 } ?? false }
}

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
