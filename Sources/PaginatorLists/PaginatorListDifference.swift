/// The changes that turn one snapshot of a list into another, with as few moves as possible.
///
/// Items are identified by their identity: ``removals`` and ``insertions`` are of items in only one of the snapshots,
/// ``moves`` of items whose order changed, and ``updates`` of items whose value changed. Unchanged items are not
/// listed. Values are compared by the list's `isEqual`, or with `==` if they are `Equatable`.
///
/// Removals and the origins of moves are positions in the old snapshot; insertions and the targets of moves are
/// positions in the new one, as in batch updates of `UICollectionView`, `UITableView` and `NSCollectionView`. None of
/// these can move and reload an item in one batch, so apply updates after it:
///
/// ```swift
/// list.observe(onMain: { update in
///     let difference = update.difference
///     collectionView.performBatchUpdates {
///         dataSource.rows = update.snapshot
///         collectionView.deleteItems(at: difference.removals.joined().map { [0, $0] })
///         collectionView.insertItems(at: difference.insertions.flatMap(\.range).map { [0, $0] })
///         for move in difference.moves { collectionView.moveItem(at: [0, move.from], to: [0, move.to]) }
///     }
///     collectionView.reconfigureItems(at: difference.updates.map { [0, $0.position] })
/// })
/// ```
///
/// Inside a batch, `reloadItems(at:)` takes old positions: pass `oldPosition` of the updates that are not `isMoved`,
/// and reload moved items after the batch at their `position`. A diffable data source computes removals, insertions and
/// moves itself; pass the identities of ``updates`` to `reconfigureItems(_:)` of its snapshot.
///
/// `NSTableView` applies each call to the result of the one before. Remove removals and the origins of moves from the
/// last to the first, then insert insertions and moved items from the first to the last, as ``apply(to:)`` does.
public struct PaginatorListDifference<T: Sendable>: Sendable {
    /// The removed items: positions in the old snapshot, ascending.
    public internal(set) var removals: [Range<Int>] = []
    /// The inserted items, with positions in the new snapshot, ascending.
    public internal(set) var insertions: [(range: Range<Int>, items: [T])] = []
    /// The items whose order changed: from a position in the old snapshot to one in the new, sorted by `to`.
    ///
    /// Their number is minimal. If only some pages changed, it is minimal with the other pages in place.
    public internal(set) var moves: [(from: Int, to: Int)] = []
    /// The items whose value changed, or that gained or lost a pending edit: position in the new snapshot, ascending,
    /// position in the old one, and whether ``moves`` has the item, too.
    public internal(set) var updates: [(position: Int, oldPosition: Int, item: T, isMoved: Bool)] = []

    /// Creates an empty difference.
    package init() {}

    /// Whether the difference has no changes.
    public var isEmpty: Bool { removals.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty }

    /// Applies the difference to the items of the old snapshot.
    ///
    /// - Parameter items: all items of the old snapshot, in order.
    public func apply(to items: inout [T]) {
        let moved = moves.map { (range: $0.to..<$0.to + 1, items: [items[$0.from]]) }
        for range in (removals + moves.map { $0.from..<$0.from + 1 }).sorted(by: { $0.lowerBound > $1.lowerBound }) {
            items.removeSubrange(range)
        }
        for (range, new) in (insertions + moved).sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            items.insert(contentsOf: new, at: range.lowerBound)
        }
        for update in updates { items[update.position] = update.item }
    }
}

extension PaginatorListDifference: Equatable where T: Equatable {
    /// Whether both have the same changes.
    public static func == (left: Self, right: Self) -> Bool {
        left.removals == right.removals && left.insertions.elementsEqual(right.insertions, by: ==)
            && left.moves.elementsEqual(right.moves, by: ==) && left.updates.elementsEqual(right.updates, by: ==)
    }
}

extension PaginatorListDifference {
    /// - Parameters:
    ///   - touches: the ranks of the chunks that may differ; `nil` for all.
    ///   - isEqual: whether two values of one item look the same; `nil` for `==`, where they have that.
    init(from old: ListRows, to new: ListRows, touches: Set<Int>?, isEqual: ((T, T) -> Bool)? = nil) {
        // The first update of an observation, perhaps of a long list.
        if old.count == 0, new.count > 0 {
            var items: [T] = []
            items.reserveCapacity(new.count)
            for chunk in new.chunks { for row in chunk.rows { items.append(ItemBox.content(of: row.value)) } }
            self.init()
            insertions = [(0..<new.count, items)]
            return
        }
        func equality<Value: Equatable>(_: Value.Type) -> (ListValue, ListValue) -> Bool {
            { ItemBox<Value>.content(of: $0) == ItemBox<Value>.content(of: $1) }
        }
        let areEqual: (ListValue, ListValue) -> Bool
        if let isEqual {
            areEqual = { isEqual(ItemBox.content(of: $0), ItemBox.content(of: $1)) }
        } else {
            areEqual = (T.self as? any Equatable.Type).map { equality($0) } ?? { _, _ in false }
        }
        self.init(ListDifference(from: old, to: new, touches: touches, by: areEqual))
    }

    init(_ difference: ListDifference) {
        (removals, moves) = (difference.removals, difference.moves)
        // Loops rather than closures, which would look the type up for each item, as would an array without room.
        insertions.reserveCapacity(difference.insertions.count)
        updates.reserveCapacity(difference.updates.count)
        for insertion in difference.insertions {
            var items: [T] = []
            items.reserveCapacity(insertion.items.count)
            for value in insertion.items { items.append(ItemBox.content(of: value)) }
            insertions.append((insertion.range, items))
        }
        for update in difference.updates {
            updates.append((update.position, update.oldPosition, ItemBox.content(of: update.item), update.isMoved))
        }
    }
}
