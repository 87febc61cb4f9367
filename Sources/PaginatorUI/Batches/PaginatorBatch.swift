import PaginatorCore
public import PaginatorLists

/// A difference of a list as a view with a plain data source performs it: first ``removals``, ``insertions`` and
/// ``moves`` in one batch, then ``updates`` in a second step, because no view moves and reloads a row at once.
///
/// It counts as `UICollectionView`, `UITableView` and `NSCollectionView` do: what goes by the rows before the batch, what
/// comes by the rows after it. `NSTableView` does not: between `beginUpdates()` and `endUpdates()` it counts each step by
/// the rows that the steps before it left, so it takes removals from the last to the first, then insertions in order, and
/// cannot take `moves` as they are; ``PaginatorListAdapter`` serves it.
public struct PaginatorBatch: Sendable {
    /// Where a row is: the numbers of an index path.
    public struct Place: Hashable, Sendable {
        /// The number of its section.
        public let section: Int
        /// Its number in the section.
        public let row: Int

        /// Makes a place.
        public init(section: Int, row: Int) {
            self.section = section
            self.row = row
        }
    }

    /// The rows that are gone, by the rows before the batch.
    public internal(set) var removals: [Place] = []
    /// The rows that are new, by the rows after the batch.
    public internal(set) var insertions: [Place] = []
    /// The rows that stand in another order: from where, by the rows before the batch, to where, by those after it.
    public internal(set) var moves: [(from: Place, to: Place)] = []
    /// The rows to configure anew once the batch is done, by the rows after it.
    public internal(set) var updates: [Place] = []

    /// Makes a batch of a difference.
    ///
    /// - Parameters:
    ///   - difference: how the rows change.
    ///   - section: the number of the section that shows them, 0 by default.
    public init<T>(_ difference: PaginatorListDifference<T>, inSection section: Int = 0) {
        func place(_ row: Int) -> Place { Place(section: section, row: row) }
        removals = difference.removals.joined().map(place)
        insertions = difference.insertions.flatMap(\.range).map(place)
        moves = difference.moves.map { (from: place($0.from), to: place($0.to)) }
        updates = difference.updates.map { place($0.position) }
    }

    /// Whether no row goes, comes or moves, so that there are updates at most, and no first step.
    public var hasOnlyUpdates: Bool { removals.isEmpty && insertions.isEmpty && moves.isEmpty }
}
