/// The items of a list with separators between them, such as a date above the first item of each day, kept up with the
/// list update by update.
///
/// ```swift
/// var days = PaginatorListSeparation<Post, Post.ID, Day>(by: { before, after in
///     guard let after, before?.day != after.day else { return nil }
///     return after.day
/// })
/// list.observe(onMain: { update in view.apply(days.apply(update), days.snapshot.count) })
/// ```
///
/// It is a value: a copy goes on from where it was made.
public struct PaginatorListSeparation<T: Sendable, ID: Hashable & Sendable, Separator: Sendable>: Sendable {
    private typealias Row = PaginatorSeparatedRow<T, Separator>
    private typealias RowID = PaginatorSeparatedRowID<ID>
    private typealias Items = PaginatorListSnapshot<T, ID>
    private typealias Chunk = ListChunk<Row, RowID>

    /// All rows, as of the update applied last. Complexity: O(1).
    public private(set) var snapshot = PaginatorListSnapshot<
        PaginatorSeparatedRow<T, Separator>, PaginatorSeparatedRowID<ID>
    >()

    private let separator: @Sendable (_ before: T?, _ after: T?) -> Separator?
    private var last: PaginatorListUpdate<T, ID>.Numbers?

    /// Makes rows of no list yet.
    ///
    /// - Parameter separator: takes two neighbors, the first one `nil` at the start and the second one at the end, and
    ///   returns what stands between them, or `nil` for nothing; pure. An empty list has no separators.
    public init(by separator: @escaping @Sendable (_ before: T?, _ after: T?) -> Separator?) {
        self.separator = separator
    }

    /// Follows the list to an update.
    ///
    /// The updates of one observation are to be applied one after the other. When one was left out, or it is another
    /// observation's, all rows are made anew, and the difference still leads from the rows before to those after.
    /// Complexity: O(rows of the pages that the update changed, and of one more each) + O(log pages) for an update that
    /// follows the last one, O(items) for any other.
    ///
    /// - Parameter update: what the list told.
    /// - Returns: how the rows change.
    public mutating func apply(
        _ update: PaginatorListUpdate<T, ID>
    ) -> PaginatorListDifference<PaginatorSeparatedRow<T, Separator>> {
        let follows = last.map { $0.isFollowed(by: update.numbers) } ?? false
        last = update.numbers
        var touches = ListTouches()
        touches.isEverything = !follows || update.touches.isEverything
        let old = snapshot
        snapshot = touches.isEverything ? rows(of: update.snapshot) : rows(of: update, touching: &touches)
        return PaginatorListDifference(from: old, to: snapshot, touches: touches)
    }

    private func rows(of items: Items) -> PaginatorListSnapshot<Row, RowID> {
        var trees: [RankTree<Chunk>] = []
        for (part, start) in Self.parts(of: items) {
            var tree = RankTree<Chunk>()
            part.forEach { place in set(chunk(place, from: start, in: items), at: place.rank, in: &tree) }
            trees.append(tree)
        }
        setEnd(of: items, in: &trees[2])
        return PaginatorListSnapshot(head: trees[0], tree: trees[1], tail: trees[2])
    }

    /// What is above the pages, the pages, and what is below, each with the position of its first item.
    private static func parts(of items: Items) -> [(part: Items.Tree, start: Int)] {
        let end = items.head.total.rows
        return [(items.head, 0), (items.tree, end), (items.tail, end + items.tree.total.rows)]
    }

    /// Makes the chunks anew that an update changed, and those behind them, whose first separator sees their last item.
    private func rows(
        of update: PaginatorListUpdate<T, ID>, touching touches: inout ListTouches
    ) -> PaginatorListSnapshot<Row, RowID> {
        let items = update.snapshot
        let parts = Self.parts(of: items)
        let changed = [update.touches.headRanks, update.touches.ranks, update.touches.tailRanks]
        var ranks = changed
        // A part that came or went as a whole.
        for (index, isWhole) in [update.touches.hasHead, false, update.touches.hasTail].enumerated() where isWhole {
            ranks[index].formUnion((index == 0 ? snapshot.head : snapshot.tail).ranks)
            ranks[index].formUnion(parts[index].part.ranks)
        }
        for (index, touched) in ranks.enumerated() {
            var part = parts[index].part
            for rank in touched {
                let rows = part.place(of: rank)?.payload.rows.count ?? 0
                let end = parts[index].start + part.sum(before: rank).rows + rows
                if let next = Self.chunk(at: end, of: parts) { ranks[next.part].insert(next.rank) }
            }
        }
        var trees = [snapshot.head, snapshot.tree, snapshot.tail]
        for (index, touched) in ranks.enumerated() {
            for rank in touched where rank != Self.endRank {
                if let place = parts[index].part.place(of: rank) {
                    set(chunk(place, from: parts[index].start, in: items), at: rank, in: &trees[index])
                } else {
                    trees[index].remove(at: rank)
                }
            }
        }
        setEnd(of: items, in: &trees[2])
        (touches.headRanks, touches.ranks, touches.tailRanks) = (ranks[0], ranks[1], ranks[2])
        touches.tailRanks.insert(Self.endRank)
        return PaginatorListSnapshot(head: trees[0], tree: trees[1], tail: trees[2])
    }

    /// The chunk that begins at a position or has it.
    private static func chunk(at position: Int, of parts: [(part: Items.Tree, start: Int)]) -> (part: Int, rank: Int)? {
        for (index, (part, start)) in parts.enumerated() {
            if position >= start, let place = part.place(ofRow: position - start) { return (index, place.rank) }
        }
        return nil
    }

    private func set(_ chunk: Chunk, at rank: Int, in tree: inout RankTree<Chunk>) {
        tree.set(chunk, RankTree<Chunk>.Measure(rows: chunk.rows.count), at: rank)
    }

    private func chunk(_ place: Items.Tree.Place, from start: Int, in items: Items) -> Chunk {
        let before = row(before: start + place.before.rows, in: items)
        return Chunk(
            rows: separated(place.payload.rows, behind: before), isFollowedByGap: place.payload.isFollowedByGap)
    }

    /// The rank of the separator behind the last item.
    private static var endRank: Int { .max }

    private func setEnd(of items: Items, in tree: inout RankTree<Chunk>) {
        guard let last = row(before: items.count, in: items), let found = separator(last.value, nil) else {
            return tree.remove(at: Self.endRank)
        }
        set(Chunk(rows: [row(found, between: last, and: nil)]), at: Self.endRank, in: &tree)
    }

    private func row(before position: Int, in items: Items) -> ListRow<T, ID>? {
        position > 0 ? items.row(at: position - 1) : nil
    }

    private func separated(_ items: [ListRow<T, ID>], behind first: ListRow<T, ID>?) -> [ListRow<Row, RowID>] {
        var rows: [ListRow<Row, RowID>] = []
        rows.reserveCapacity(items.count + 1)
        var before = first
        for item in items {
            if let found = separator(before?.value, item.value) { rows.append(row(found, between: before, and: item)) }
            rows.append(
                ListRow(id: .item(item.id), value: .item(item.value), version: item.version, isPending: item.isPending))
            before = item
        }
        return rows
    }

    /// A separator is another one when either neighbor is, or has another value.
    private func row(
        _ found: Separator, between before: ListRow<T, ID>?, and after: ListRow<T, ID>?
    ) -> ListRow<Row, RowID> {
        var version = Hasher()
        version.combine(before?.id)
        version.combine(before?.version)
        version.combine(after?.version)
        return ListRow(
            id: .separator(before: after?.id), value: .separator(found),
            version: UInt64(bitPattern: Int64(version.finalize())), isPending: false)
    }
}

/// A row of a list whose items are shown with separators between them.
public enum PaginatorSeparatedRow<Item: Sendable, Separator: Sendable>: Sendable {
    /// An item.
    case item(Item)
    /// What stands before the next item.
    case separator(Separator)
}

extension PaginatorSeparatedRow: Equatable where Item: Equatable, Separator: Equatable {}

/// What tells one row of a list with separators from another.
public enum PaginatorSeparatedRowID<ID: Hashable & Sendable>: Sendable, Hashable {
    /// The row of an item.
    case item(ID)
    /// The separator before an item, or behind the last one.
    case separator(before: ID?)
}
