import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// When the source gave a value; the newest of two values of one item wins.
struct ListStamp: Sendable, Comparable {
    var time: PaginatorInstant
    // Which of two of the same time came later to the list.
    var arrival: UInt64

    static func < (left: ListStamp, right: ListStamp) -> Bool {
        (left.time, left.arrival) < (right.time, right.arrival)
    }
}

@usableFromInline
struct ListRow: Sendable {
    let id: ListItemID
    @usableFromInline let value: ListValue
    // In one word, which makes a row a quarter smaller, and a walk over many as much faster.
    private let mark: UInt64

    init(id: ListItemID, value: ListValue, version: UInt64, isPending: Bool) {
        (self.id, self.value) = (id, value)
        mark = version << 1 | (isPending ? 1 : 0)
    }

    // Changes whenever the value does; two rows of one item with the same version have the same value.
    var version: UInt64 { mark >> 1 }

    var isPending: Bool { mark & 1 == 1 }
}

/// The visible items of one page, as they were at one time; snapshots share it.
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
    // In the source's order, each once.
    var ids: [ListItemID]
    var stamp: ListStamp
    // When this page, or the one that it was reached from, was loaded anew: what follows it, the source must have been
    // asked for at that time or later. A page that stands in for a newer one carries that on.
    var notBefore: PaginatorInstant?
    var staleFrom: PaginatorInstant?
    var tags: [String] = []
    // By the wall clock when it came: what is told of a page does not change with each look at two clocks.
    var savedAt: Date
    var refreshError: PaginatorError?
    // Whether it is only the beginning of its page.
    var isPartial = false
    // Which refresh of many pages it came with; zero for none. Pages of one refresh belong together.
    var batch: UInt64
    // By how many items committed local edits inside this page have moved what comes after it.
    var shift = 0
    var shiftAtFetch = 0
    var shiftBeforeAtFetch = 0
    var isLinkedToNext = false
    // Whether the next key names a page that the list has elsewhere, so that following it would go in a circle.
    var isNextRepeated = false
    var isPreviousRepeated = false
    // Of which page behind it has been told that no key leads there.
    var gapTold: ListStamp?

    // Since when what joins it must have been asked for; `nil` also where it is older than that itself.
    var refreshedAt: PaginatorInstant? { isTooOld ? nil : notBefore }

    var isTooOld: Bool { !isAsNew(as: notBefore) }

    func isAsNew(as time: PaginatorInstant?) -> Bool { time.map { stamp.time >= $0 } ?? true }
}

/// A page that the window has dropped: enough to bring it back and to see whether it still belongs there.
struct DroppedPage: Sendable {
    var identity: PageIdentity
    // The items that it had; `nil` when only the key is known.
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

/// A page that comes to a list.
struct ListPage: Sendable {
    var items: [(id: ListItemID, value: ListValue)]
    var previous: String?
    var next: String?
    var fetchedAt: PaginatorInstant
    // How long the source took; `nil` where a cache had it.
    var loadTime: Duration?
    var staleFrom: PaginatorInstant?
    var savedAt = Date.distantPast
    var refreshError: PaginatorError?
    var editCount: UInt64 = 0
    // How many items the source has in all, where it says so.
    var total: Int?
    var tags: [String] = []
    var isPartial = false
}
