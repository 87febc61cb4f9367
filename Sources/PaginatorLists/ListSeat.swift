import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
    // The following page must have been requested at this time or later: that of the last refresh of this page, or of
    // the page that led to it. An older page in place of a failed load keeps the time that was demanded of it.
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

    // Returns whether both pages were refreshed together.
    func isOfOneRefresh(with other: ListSeat) -> Bool { refreshNumber != 0 && refreshNumber == other.refreshNumber }
}

/// A page that the window dropped, with what is needed to load it again and to check that its place is still right.
struct DroppedPage: Sendable {
    var identity: PageIdentity
    // The items that it had; `nil` if only its key is known.
    var ids: [ListItemID]?
    // The items of the page beside which it was dropped.
    var neighborIDs: [ListItemID] = []
    var fetchedAt = PaginatorInstant.zero
    // The request time of the page beside which it was dropped.
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
