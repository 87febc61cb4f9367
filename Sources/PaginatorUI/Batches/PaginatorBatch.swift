public import PaginatorCore

/// A difference of a list as a view with a plain data source performs it: first ``removals``, ``insertions`` and
/// ``moves`` in one batch, then ``updates`` in a second step, because no view moves and reloads a row at once.
///
/// It counts as `UICollectionView`, `UITableView` and `NSCollectionView` do: what goes by the rows before the batch, what
/// comes by the rows after it.
public struct PaginatorBatch: Hashable, Sendable {
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

    /// A row that stands in another order than before.
    public struct Move: Hashable, Sendable {
        /// Where it was, by the rows before the batch.
        public let from: Place
        /// Where it is, by the rows after it.
        public let to: Place
    }

    /// The rows that are gone, by the rows before the batch.
    public internal(set) var removals: [Place] = []
    /// The rows that are new, by the rows after the batch.
    public internal(set) var insertions: [Place] = []
    /// The rows that stand in another order.
    public internal(set) var moves: [Move] = []
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
        moves = difference.moves.map { Move(from: place($0.from), to: place($0.to)) }
        updates = difference.updates.map { place($0.position) }
    }

    /// Whether the first step moves nothing, so that there are only updates.
    public var keepsOrder: Bool { removals.isEmpty && insertions.isEmpty && moves.isEmpty }
}
