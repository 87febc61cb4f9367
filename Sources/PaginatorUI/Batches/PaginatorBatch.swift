import PaginatorCore
public import PaginatorLists

/// A list's difference as a view with a plain data source performs it: ``removals``, ``insertions`` and ``moves`` in
/// one batch, then ``updates``, because no view can move and reload a row at once.
///
/// As in `UICollectionView`, `UITableView` and `NSCollectionView`, removals and the origins of moves count in the rows
/// before the batch, everything else in the rows after it. `NSTableView` applies each step between `beginUpdates()` and
/// `endUpdates()` to the result of the one before: it needs removals from the last to the first, then insertions in
/// order, and cannot perform `moves` like this. ``PaginatorListAdapter`` handles it.
public struct PaginatorBatch: Sendable {
    /// The section and row of an index path.
    public struct Place: Hashable, Sendable {
        /// The section's index.
        public let section: Int
        /// The row's index in the section.
        public let row: Int

        /// Creates a place.
        public init(section: Int, row: Int) {
            self.section = section
            self.row = row
        }
    }

    /// The removed rows, as places before the batch.
    public internal(set) var removals: [Place] = []
    /// The inserted rows, as places after the batch.
    public internal(set) var insertions: [Place] = []
    /// The rows whose order changed: from a place before the batch to one after it.
    public internal(set) var moves: [(from: Place, to: Place)] = []
    /// The rows to configure again after the batch, as places after it.
    public internal(set) var updates: [Place] = []

    init() {}

    /// Creates a batch from a difference.
    ///
    /// - Parameters:
    ///   - difference: the changes of the rows.
    ///   - section: the index of the section that shows them; 0 by default.
    public init<T>(_ difference: PaginatorListDifference<T>, inSection section: Int = 0) {
        func place(_ row: Int) -> Place { Place(section: section, row: row) }
        removals = difference.removals.joined().map(place)
        insertions = difference.insertions.flatMap(\.range).map(place)
        moves = difference.moves.map { (from: place($0.from), to: place($0.to)) }
        updates = difference.updates.map { place($0.position) }
    }

    /// Whether no row is removed, inserted or moved.
    public var hasOnlyUpdates: Bool { removals.isEmpty && insertions.isEmpty && moves.isEmpty }
}
