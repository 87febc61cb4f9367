public import PaginatorCore

/// The rows of a list at one time: an immutable random-access collection that shares its pages with the list.
///
/// Taking a snapshot is O(1), access to an item O(log pages), iteration O(items).
public struct PaginatorListSnapshot<T: Sendable, ID: Hashable & Sendable>: Sendable, RandomAccessCollection {
    let rows: ListRows
    private let known: ListItemIDs<ID>

    /// Creates an empty snapshot.
    public init() {
        self.init(ListRows(), ListItemIDs())
    }

    /// - Parameter rows: rows whose boxes hold `T` and `ID`.
    init(_ rows: ListRows, _ known: ListItemIDs<ID>) {
        self.rows = rows
        self.known = known
    }

    /// Always zero.
    public var startIndex: Int { 0 }

    /// The number of items. Complexity: O(1).
    public var endIndex: Int { rows.count }

    /// Returns the item at a position. Complexity: O(log pages).
    public subscript(position: Int) -> T { ItemBox.content(of: rows.row(at: position).value) }

    /// Returns the identity of the item at a position. Complexity: O(log pages).
    public func id(at position: Int) -> ID { ListItemIDs.id(of: rows.row(at: position).id) }

    /// The identities of all items, in order. Complexity: O(items).
    public var ids: [ID] { rows.all.map { ListItemIDs.id(of: $0.id) } }

    /// Returns the position of the item with an identity, or `nil` if the snapshot does not have it.
    ///
    /// Complexity: O(log pages + items of a page); O(items) if the item has moved or was removed since the snapshot.
    public func position(of id: ID) -> Int? {
        known.find(id).flatMap { rows.position(of: $0.id, at: $0.rank) ?? rows.position(of: $0.id) }
    }

    /// The item with an identity, or `nil`. Complexity: as ``position(of:)``.
    public subscript(id id: ID) -> T? { position(of: id).map { self[$0] } }

    /// Whether the snapshot has an item with this identity. Complexity: as ``position(of:)``.
    public func contains(id: ID) -> Bool { position(of: id) != nil }

    /// Whether the item at a position has a pending edit, or was inserted by one. Complexity: O(log pages).
    public func isPending(at position: Int) -> Bool { rows.row(at: position).isPending }

    /// The positions of the gaps, ascending, each once: the position of the item after the gap. Complexity: O(pages).
    ///
    /// Fill one of a list's snapshot with ``PaginatorList/fillGap(at:fromEnd:)``.
    public var gaps: [Int] { rows.gaps }

    /// Returns an iterator over the items. Each step is O(1) on average.
    public func makeIterator() -> Iterator { Iterator(rows) }

    /// An iterator that walks a snapshot page by page.
    public struct Iterator: IteratorProtocol {
        private var chunks: ListRows.Iterator
        // The rows of one page, and the index of the next one.
        @usableFromInline var rows: [ListRow] = []
        @usableFromInline var index = 0

        fileprivate init(_ all: ListRows) {
            chunks = ListRows.Iterator(all)
        }

        // Inlinable, because a call into another module for each item takes ten times as long.
        /// Returns the next item.
        @inlinable
        public mutating func next() -> T? {
            if index == rows.count, !takeChunk() { return nil }
            defer { index += 1 }
            let box: ItemBox<T> = KnownType.cast(rows[index].value)
            return box.content
        }

        @usableFromInline
        mutating func takeChunk() -> Bool {
            while let chunk = chunks.next() {
                (rows, index) = (chunk.rows, 0)
                if !rows.isEmpty { return true }
            }
            return false
        }
    }
}

/// The rows of a snapshot, with the item type erased.
typealias ListRows = RankTree<ListChunk>

extension ListRows {
    var count: Int { total.rows }

    mutating func set(_ chunk: ListChunk, shift: Int = 0, at rank: Int) {
        set(chunk, Measure(rows: chunk.rows.count, shift: shift), at: rank)
    }

    func row(at position: Int) -> ListRow {
        guard let place = place(ofRow: position) else {
            preconditionFailure("position \(position) is outside 0..<\(count)")
        }
        return place.payload.rows[position - place.before.rows]
    }

    func position(of id: ListItemID, at rank: Int) -> Int? {
        guard let place = place(of: rank) else { return nil }
        return place.payload.rows.firstIndex { $0.id == id }.map { place.before.rows + $0 }
    }

    func position(of id: ListItemID) -> Int? { all.firstIndex { $0.id == id } }

    var gaps: [Int] {
        var gaps: [Int] = []
        forEach { place in
            let position = place.before.rows + place.payload.rows.count
            // Between two gaps there may be a page without rows: a screen has one place for both.
            if place.payload.isFollowedByGap, gaps.last != position { gaps.append(position) }
        }
        return gaps
    }

    var chunks: [ListChunk] {
        var chunks: [ListChunk] = []
        forEach { chunks.append($0.payload) }
        return chunks
    }

    var all: [ListRow] {
        var rows: [ListRow] = []
        rows.reserveCapacity(count)
        forEach { rows += $0.payload.rows }
        return rows
    }
}
