import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// When the source was asked for a value, or pushed it; of two values of an item the newer one wins.
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
    // One word for both makes a row a quarter smaller, and iteration as much faster.
    private let mark: UInt64

    init(id: ListItemID, value: ListValue, version: UInt64, isPending: Bool) {
        (self.id, self.value) = (id, value)
        mark = version << 1 | (isPending ? 1 : 0)
    }

    // Changes whenever the value does; two rows of one item with the same version have the same value.
    var version: UInt64 { mark >> 1 }

    var isPending: Bool { mark & 1 == 1 }
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

struct ListSeat: Sendable {
    var identity: PageIdentity
    var previous: String?
    var next: String?
    // In the source's order, without repetitions.
    var ids: [ListItemID]
    var stamp: ListStamp
    // What was asked for since then may follow it.
    var isFollowedSince: PaginatorInstant
    // The last refresh of this page, or of the one it was reached from: the source must have been asked at that time or
    // later for what follows. A page that stands in for a newer one passes it on.
    var notBefore: PaginatorInstant?
    var staleFrom: PaginatorInstant?
    var tags: [String] = []
    // Wall-clock time, computed once, so that reading two clocks again does not change the status.
    var savedAt: Date
    var refreshError: PaginatorError?
    // Whether this is a part of the page.
    var isPartial = false
    // The refresh of several pages that it came with, zero for none. Pages of one refresh belong together.
    var batch: UInt64
    // The number of items by which committed local edits inside this page moved what follows.
    var shift = 0
    var shiftAtFetch = 0
    var shiftBeforeAtFetch = 0
    var isLinkedToNext = false
    // Whether the list has the next key's page elsewhere, so that following it would be a cycle.
    var isNextRepeated = false
    var isPreviousRepeated = false
    // The page after it for which a repeated key has been reported.
    var gapTold: ListStamp?

    // The time since which a page that joins it must have been asked for; `nil` also if this page is older than that.
    var refreshedAt: PaginatorInstant? { isTooOld ? nil : notBefore }

    var isTooOld: Bool { !isAsNew(as: notBefore) }

    func isAsNew(as time: PaginatorInstant?) -> Bool { time.map { stamp.time >= $0 } ?? true }
}

/// A page that the window dropped: what it takes to load it again, and to see whether it still belongs there.
struct DroppedPage: Sendable {
    var identity: PageIdentity
    // The items that it had; `nil` if only the key is known.
    var ids: [ListItemID]?
    var fetchedAt = PaginatorInstant.zero
    // When the source was asked for the page before it; `nil` also before the loaded ones.
    var timeBefore: PaginatorInstant?
    var notBefore: PaginatorInstant?
    var shift = 0
    var shiftAtFetch = 0
    var shiftBeforeAtFetch = 0

    // Whether the page before it is no newer than it was then.
    func stoodBehind(_ left: ListSeat) -> Bool { timeBefore.map { left.stamp.time <= $0 } ?? false }
}

/// A page that arrives in a list.
struct ListPage: Sendable {
    var items: [(id: ListItemID, value: ListValue)]
    var previous: String?
    var next: String?
    var fetchedAt: PaginatorInstant
    // What was asked for since then may follow it; `nil` for the time of asking.
    var isFollowedSince: PaginatorInstant?
    // The source's load time; `nil` if a cache had it.
    var loadTime: Duration?
    var staleFrom: PaginatorInstant?
    var savedAt = Date.distantPast
    var refreshError: PaginatorError?
    var editCount: UInt64 = 0
    // The source's number of items, if the page tells it.
    var total: Int?
    var tags: [String] = []
    var isPartial = false
}
