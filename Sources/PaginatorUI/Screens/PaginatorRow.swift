import PaginatorCore
public import PaginatorLists

/// A row of a screen: an item or a gap.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum PaginatorRow<T: Sendable, ItemID: Hashable & Sendable>: Identifiable, Sendable {
    /// An item, its identity, and its position in the snapshot.
    case item(T, id: ItemID, position: Int)
    /// A gap: its position for `fillGap(at:)`, the item before it (`nil` at the start), and the state of its load.
    case gap(position: Int, behind: ItemID?, PaginatorLoadState)

    /// The row's identity.
    public var id: PaginatorRowID<ItemID> {
        switch self {
        case .item(_, let id, _): .item(id)
        case .gap(_, let item, _): .gap(behind: item)
        }
    }
}

/// The identity of a row, for instance for `ScrollViewReader`.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum PaginatorRowID<ItemID: Hashable & Sendable>: Hashable, Sendable {
    /// An item's row.
    case item(ItemID)
    /// The row of the gap after an item.
    case gap(behind: ItemID?)
}

/// The rows of a screen: the items of a snapshot or a part of it, and a row for each gap. It does not copy items.
public struct PaginatorRows<T: Sendable, ID: Hashable & Sendable>: RandomAccessCollection, Sendable {
    private let items: PaginatorListSnapshot<T, ID>
    private let range: Range<Int>
    // The rows that are gaps, ascending.
    private let gaps: [(row: Int, position: Int)]
    private let states: [Int: PaginatorLoadState]

    /// Creates the rows of a snapshot.
    ///
    /// - Parameters:
    ///   - items: the list's snapshot.
    ///   - status: the list's status of the same time.
    ///   - range: the positions of the items; all by default. A gap belongs to the item before it, at the start to the
    ///     one after it.
    public init(_ items: PaginatorListSnapshot<T, ID>, _ status: PaginatorListStatus, in range: Range<Int>? = nil) {
        let range = range ?? items.startIndex..<items.endIndex
        self.items = items
        self.range = range
        gaps = items.gaps.filter { ($0 > range.lowerBound || $0 == 0) && range.lowerBound...range.upperBound ~= $0 }
            .enumerated().map { ($1 - range.lowerBound + $0, $1) }
        states = status.gaps
    }

    /// Always zero.
    public var startIndex: Int { 0 }

    /// The number of rows. Complexity: O(1).
    public var endIndex: Int { range.count + gaps.count }

    /// The row at an index. Complexity: O(log pages).
    public subscript(index: Int) -> PaginatorRow<T, ID> {
        var (low, high) = (0, gaps.count)
        while low < high {
            let middle = (low + high) / 2
            if gaps[middle].row < index { low = middle + 1 } else { high = middle }
        }
        if low < gaps.count, gaps[low].row == index {
            let position = gaps[low].position
            let item = position > 0 ? items.id(at: position - 1) : nil
            return .gap(position: position, behind: item, states[position] ?? .idle)
        }
        let position = range.lowerBound + index - low
        return .item(items[position], id: items.id(at: position), position: position)
    }
}
