import PaginatorCore

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
