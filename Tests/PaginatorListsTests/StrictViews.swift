/// What `UICollectionView` does with a batch of updates of one section, and what it refuses, written down from its
/// documentation and its exceptions; it computes nothing that a difference does.
struct StrictCollectionView<Item: Identifiable> {
    /// What was asked for within a batch.
    struct Batch {
        var deletes: [Int] = []
        var inserts: [Int] = []
        var moves: [(from: Int, to: Int)] = []
        var reloads: [Int] = []
    }

    struct Refusal: Error, CustomStringConvertible {
        var description: String
    }

    /// What the cells show, each made by the data source when it came or was reloaded.
    private(set) var cells: [Item] = []
    /// How often a cell was made or made anew.
    private(set) var made = 0

    /// - Parameter rows: what the data source has after the batch.
    mutating func performBatchUpdates(_ batch: Batch, rows: [Item]) throws(Refusal) {
        let (old, new) = (0..<cells.count, 0..<rows.count)
        // Deletes, reloads and what moves count in the old state, inserts and where moves go in the new one.
        let sources = batch.deletes + batch.reloads + batch.moves.map(\.from)
        if let path = sources.first(where: { !old.contains($0) }) {
            throw Refusal(description: "attempt to delete, reload or move item \(path) of \(old.count)")
        }
        let targets = batch.inserts + batch.moves.map(\.to)
        if let path = targets.first(where: { !new.contains($0) }) {
            throw Refusal(description: "attempt to insert or move item to \(path) of \(new.count) after the update")
        }
        if Set(sources).count < sources.count {
            throw Refusal(description: "attempt to delete, reload or move the same index path twice: \(sources)")
        }
        if Set(targets).count < targets.count {
            throw Refusal(description: "attempt to perform an insert and a move to the same index path: \(targets)")
        }
        guard rows.count == cells.count + batch.inserts.count - batch.deletes.count else {
            throw Refusal(
                description: "invalid number of items: \(rows.count) after the update, \(cells.count) before, "
                    + "\(batch.inserts.count) inserted, \(batch.deletes.count) deleted")
        }
        // A cell for each place; what nobody gave one gets those that stay, in their order.
        var places: [Item?] = rows.map { _ in nil }
        for move in batch.moves { places[move.to] = cells[move.from] }
        var staying = old.filter { !batch.deletes.contains($0) && !batch.moves.map(\.from).contains($0) }[...]
        var reloaded: [Int] = []
        for place in new where places[place] == nil && !batch.inserts.contains(place) {
            let cell = staying.removeFirst()
            places[place] = cells[cell]
            if batch.reloads.contains(cell) { reloaded.append(place) }
        }
        for place in batch.inserts + reloaded { places[place] = rows[place] }
        made += batch.inserts.count + reloaded.count
        cells = places.compactMap { $0 }
    }

    mutating func reconfigure(_ paths: [Int], rows: [Item]) throws(Refusal) {
        guard Set(paths).count == paths.count, paths.allSatisfy(cells.indices.contains) else {
            throw Refusal(description: "attempt to reconfigure \(paths) of \(cells.count) items")
        }
        for path in paths { cells[path] = rows[path] }
        made += paths.count
    }
}

/// What a diffable data source does, and what it refuses.
struct StrictDiffableView<Item: Identifiable> {
    private(set) var ids: [Item.ID] = []
    private var cells: [Item.ID: Item] = [:]

    var shown: [Item] { ids.compactMap { cells[$0] } }

    mutating func apply(
        _ ids: [Item.ID], reconfiguring changed: [Item.ID], rows: [Item]
    ) throws(StrictCollectionView<Item>.Refusal) {
        guard Set(ids).count == ids.count else {
            throw .init(description: "Fatal: supplied item identifiers are not unique: \(ids)")
        }
        guard Set(changed).count == changed.count, Set(changed).isSubset(of: self.ids) else {
            throw .init(description: "attempted to reconfigure items that do not exist: \(changed)")
        }
        let before = cells
        cells = [:]
        for (id, row) in zip(ids, rows) { cells[id] = changed.contains(id) ? row : before[id] ?? row }
        self.ids = ids
    }
}
