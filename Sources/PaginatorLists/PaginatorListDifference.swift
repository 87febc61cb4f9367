/// How one snapshot of a list becomes another, with as few moves as that takes.
///
/// Items are told by their identity: ``removals`` are of items that are gone, ``insertions`` of items that are new,
/// ``moves`` of items that stand in another order than before, ``updates`` of items with another value. What an event
/// did not change is not named, and neither is an item that came again as it was: items are compared where they are
/// `Equatable`, or by the list's `isEqual`.
///
/// Removals, and where moves come from, are positions in the old snapshot; insertions, and where moves go, positions in
/// the new one. That is how `UICollectionView`, `UITableView` and `NSCollectionView` count within a batch, which
/// moves everything at once. None of them lets an item be moved and reloaded in one batch, so updates come after it:
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
/// Within a batch, `reloadItems(at:)` takes positions of the old snapshot: `oldPosition` of the updates that are not
/// `isMoved`. A moved item is reloaded after the batch, at its `position`. A diffable data source finds removals,
/// insertions and moves by itself; `reconfigureItems(_:)` of its snapshot takes the identities of ``updates``.
///
/// `NSTableView` counts each call by what the call before it left. There the removals and what moves go first, from
/// the last to the first, then the insertions and the moved ones come in, from the first to the last, as ``apply(to:)``
/// does.
public struct PaginatorListDifference<T: Sendable>: Sendable {
    /// Where items are gone: positions in the old snapshot, ascending.
    public internal(set) var removals: [Range<Int>] = []
    /// The new items, at positions in the new snapshot, ascending.
    public internal(set) var insertions: [(range: Range<Int>, items: [T])] = []
    /// The items that are in both snapshots in another order: from positions in the old one to positions in the new
    /// one, ascending by these.
    ///
    /// They are as few as possible; where only some pages changed, as few as possible with the others staying in place.
    public internal(set) var moves: [(from: Int, to: Int)] = []
    /// The items that have another value, or an edit that is pending now or no longer: where they are in the new
    /// snapshot, ascending, where they were in the old one, and whether they are in ``moves``, too.
    public internal(set) var updates: [(position: Int, oldPosition: Int, item: T, isMoved: Bool)] = []

    /// Makes a difference that changes nothing.
    package init() {}

    /// Whether nothing changes.
    public var isEmpty: Bool { removals.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty }

    /// Applies the difference to a copy of the old snapshot's items.
    ///
    /// - Parameter items: as many as the old snapshot has.
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
    /// Whether both change the same in the same way.
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
        // Loops rather than closures, which would look the type up for each item.
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
