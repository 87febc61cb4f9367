/// A list's items with separators between them, such as a date above the first item of each day, kept current by
/// applying each update.
///
/// ```swift
/// var days = PaginatorListSeparation<Post, Post.ID, Day>(by: { before, after in
///     guard let after, before?.day != after.day else { return nil }
///     return after.day
/// })
/// list.observe(onMain: { update in view.apply(days.apply(update), days.snapshot.count) })
/// ```
///
/// It is a value: copies change independently.
public struct PaginatorListSeparation<T: Sendable, ID: Hashable & Sendable, Separator: Sendable>: Sendable {
    private typealias Row = PaginatorSeparatedRow<T, Separator>

    /// All rows as of the last applied update. Complexity: O(1).
    ///
    /// An item's row has the identity of the item; a separator's row has that of the item after it. The gaps
    /// are those of the list, in the same order, but at positions of this snapshot: fill a gap, or look up its state, by
    /// its position in the update's snapshot.
    public private(set) var snapshot = PaginatorListSnapshot<
        PaginatorSeparatedRow<T, Separator>, PaginatorSeparatedRow<ID, ID?>
    >()

    private let ids = ListItemIDs<PaginatorSeparatedRow<ID, ID?>>()
    private let separator: @Sendable (_ before: T?, _ after: T?) -> Separator?
    private var last: ListChange.Numbers?

    /// Creates an empty value; apply an update to fill it.
    ///
    /// - Parameter separator: returns the separator between two neighbors, or `nil` for none. The first is `nil` at the
    ///   start, the second at the end. It must be pure. An empty list has no separators.
    public init(by separator: @escaping @Sendable (_ before: T?, _ after: T?) -> Separator?) {
        self.separator = separator
    }

    /// Applies an update of the list.
    ///
    /// Apply the updates of one observation in order. After a skipped update, or one of another observation, all rows
    /// are created again; the difference is correct in any case. Complexity: O(rows of the changed pages and of one
    /// neighbor each + log pages) for the next update of the same observation, otherwise O(items).
    ///
    /// - Parameter update: an update of the list.
    /// - Returns: the changes of the rows.
    public mutating func apply(
        _ update: PaginatorListUpdate<T, ID>
    ) -> PaginatorListDifference<PaginatorSeparatedRow<T, Separator>> {
        let items = update.change.content.rows
        let follows = last.map { $0.isFollowed(by: update.numbers) } ?? false
        last = update.numbers
        let ranks = (follows ? update.change.touches : nil).map { withFollowing($0, in: items) }
        let old = snapshot.rows
        var rows = ranks == nil ? ListRows() : old
        for rank in ranks ?? Set(items.ranks) {
            if let place = items.place(of: rank) {
                set(separated(place.payload, behind: place.before.rows, in: items), at: rank, in: &rows)
            } else {
                rows.remove(at: rank)
            }
        }
        setEnd(of: items, in: &rows)
        snapshot = PaginatorListSnapshot(rows, ids)
        let isEqual = update.isEqual.map { isEqual in
            { (left: Row, right: Row) in
                switch (left, right) {
                case (.item(let left), .item(let right)): isEqual(left, right)
                case (.separator(let left), .separator(let right)): Self.isEqual(left, right)
                default: false
                }
            }
        }
        return PaginatorListDifference(
            from: old, to: rows, touches: ranks?.union([Self.endRank]), isEqual: isEqual)
    }

    private static func isEqual(_ left: Separator, _ right: Separator) -> Bool {
        func compare<Value: Equatable>(_ left: Value) -> Bool { left == right as? Value }
        return (left as? any Equatable).map { compare($0) } ?? false
    }

    // The changed chunks and their successors, whose first separator depends on the last item before them.
    private func withFollowing(_ ranks: Set<Int>, in items: ListRows) -> Set<Int> {
        let following = ranks.compactMap { rank in
            items.place(ofRow: items.sum(before: rank).rows + (items.place(of: rank)?.payload.rows.count ?? 0))?.rank
        }
        return ranks.union(following)
    }

    private static var endRank: Int { .max }

    private mutating func setEnd(of items: ListRows, in rows: inout ListRows) {
        guard let last = row(before: items.count, in: items), let found = separator(item(last), nil) else {
            return rows.remove(at: Self.endRank)
        }
        set(ListChunk(rows: [row(found, between: last, and: nil)]), at: Self.endRank, in: &rows)
    }

    private func set(_ chunk: ListChunk, at rank: Int, in rows: inout ListRows) {
        ids.table.note(chunk.rows, at: rank)
        rows.set(chunk, at: rank)
    }

    private func row(before position: Int, in items: ListRows) -> ListRow? {
        position > 0 ? items.row(at: position - 1) : nil
    }

    private func item(_ row: ListRow?) -> T? { row.map { ItemBox.content(of: $0.value) } }

    private func id(_ row: ListRow?) -> ID? { row.map { ListItemIDs.id(of: $0.id) } }

    private mutating func separated(_ chunk: ListChunk, behind position: Int, in items: ListRows) -> ListChunk {
        var rows: [ListRow] = []
        rows.reserveCapacity(chunk.rows.count + 1)
        var before = row(before: position, in: items)
        for row in chunk.rows {
            let content: T = ItemBox.content(of: row.value)
            if let found = separator(item(before), content) { rows.append(self.row(found, between: before, and: row)) }
            rows.append(
                ListRow(
                    id: ids[.item(ListItemIDs.id(of: row.id))], value: ItemBox(Row.item(content)),
                    version: version([row]), isPending: row.isPending))
            before = row
        }
        return ListChunk(rows: rows, isFollowedByGap: chunk.isFollowedByGap)
    }

    // A separator changes when either neighbor or its value does.
    private mutating func row(_ found: Separator, between before: ListRow?, and after: ListRow?) -> ListRow {
        ListRow(
            id: ids[.separator(id(after))], value: ItemBox(Row.separator(found)), version: version([before, after]),
            isPending: false)
    }

    // Versions of another observation, perhaps of another list, cannot be compared with these.
    private func version(_ rows: [ListRow?]) -> UInt64 {
        var version = Hasher()
        version.combine((last?.observation).map { ObjectIdentifier($0) })
        for row in rows {
            version.combine(row?.id)
            version.combine(row?.version)
        }
        return UInt64(truncatingIfNeeded: version.finalize())
    }
}

/// A row of a list with separators.
public enum PaginatorSeparatedRow<Item: Sendable, Separator: Sendable>: Sendable {
    /// An item.
    case item(Item)
    /// A separator before the next item, or at the end.
    case separator(Separator)
}

extension PaginatorSeparatedRow: Equatable where Item: Equatable, Separator: Equatable {}

extension PaginatorSeparatedRow: Hashable where Item: Hashable, Separator: Hashable {}
