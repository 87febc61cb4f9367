import PaginatorCore
import PaginatorLists

/// The changes that turn a list's sections and rows into others, for a view with sections.
///
/// As in a batch of `UICollectionView`, `UITableView` and `NSCollectionView`, removals and the origins of moves count
/// in what was shown before, insertions and targets of moves in what is shown after. Rows of removed and inserted
/// sections are not listed. A section only moves unchanged: one whose rows also change is removed and inserted. Updates
/// of rows come after the batch.
///
/// ```swift
/// var days = PaginatorListSections<Post, Post.ID, Day>(by: { $0.day })
/// list.observe(onMain: { update in
///     // The view's data source reads `days`, which must not change before the batch.
///     var next = days
///     let difference = next.apply(update)
///     collectionView.perform(difference) { days = next }
/// })
/// ```
public struct PaginatorSectionsDifference: Sendable {
    /// The indices of removed sections before the change, ascending.
    public private(set) var removedSections: [Int] = []
    /// The indices of inserted sections after the change, ascending.
    public private(set) var insertedSections: [Int] = []
    /// The sections that moved with all their rows: from an index before to one after, ascending by the latter.
    public private(set) var movedSections: [(from: Int, to: Int)] = []
    /// The changes of rows in the sections that stay.
    public private(set) var rows: PaginatorBatch

    /// Whether there are no changes.
    public var isEmpty: Bool { hasOnlyUpdates && rows.updates.isEmpty }

    var hasOnlyUpdates: Bool {
        removedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty && rows.hasOnlyUpdates
    }

    /// A difference of rows whose sections stay.
    init(_ rows: PaginatorBatch) {
        self.rows = rows
    }

    init<T, Key>(
        _ difference: PaginatorListDifference<T>, from old: [PaginatorListSection<Key>],
        to new: [PaginatorListSection<Key>]
    ) {
        rows = PaginatorBatch()
        let stretches = old.stretches(after: difference, to: new)
        let pairs = Self.pairs(old, new)
        let staying = Self.staying(pairs, stretches)
        let (oldStaying, newStaying) = (Set(staying.map(\.from)), Set(staying.map(\.to)))
        let origins = Dictionary(difference.moves.map { ($0.to, $0.from) }) { first, _ in first }
        movedSections = pairs.filter { pair in
            // A section moves as a whole if all of its rows moved and stayed in it.
            let (before, after) = (old[pair.from].range, new[pair.to].range)
            return !newStaying.contains(pair.to) && before.count == after.count
                && zip(before, after).allSatisfy { origins[$1] == $0 }
        }
        let (oldMoved, newMoved) = (Set(movedSections.map(\.from)), Set(movedSections.map(\.to)))
        removedSections = old.indices.filter { !oldStaying.contains($0) && !oldMoved.contains($0) }
        insertedSections = new.indices.filter { !newStaying.contains($0) && !newMoved.contains($0) }

        func before(_ position: Int) -> PaginatorBatch.Place? {
            old.place(of: position).flatMap { oldStaying.contains($0.section) ? $0 : nil }
        }
        func after(_ position: Int) -> PaginatorBatch.Place? {
            new.place(of: position).flatMap { newStaying.contains($0.section) ? $0 : nil }
        }
        rows.removals = difference.removals.joined().compactMap(before)
        rows.insertions = difference.insertions.flatMap(\.range).compactMap(after)
        // A row that stays in the list may still be in another section.
        let crossed = stretches.filter { old[$0.oldSection].id != new[$0.newSection].id }
        for move in difference.moves + crossed.flatMap({ zip($0.old, $0.new).map { (from: $0, to: $1) } }) {
            switch (before(move.from), after(move.to)) {
            case (let from?, let to?): rows.moves.append((from: from, to: to))
            case (let from?, nil): rows.removals.append(from)
            case (nil, let to?): rows.insertions.append(to)
            case (nil, nil): break
            }
        }
        // A removed and inserted row needs no update.
        rows.updates = difference.updates.compactMap { update in
            guard let place = new.place(of: update.position) else { return nil }
            let isKept = before(update.oldPosition) != nil && newStaying.contains(place.section)
            return isKept || newMoved.contains(place.section) ? place : nil
        }
    }

    private typealias Pair = (from: Int, to: Int)

    // The sections that are in both, in their new order.
    private static func pairs<Key>(_ old: [PaginatorListSection<Key>], _ new: [PaginatorListSection<Key>]) -> [Pair] {
        let before = Dictionary(old.enumerated().map { ($1.id, $0) }) { first, _ in first }
        return new.enumerated().compactMap { index, section in before[section.id].map { ($0, index) } }
    }

    // Sections with rows that stay keep their order; between them as many of the others as possible.
    private static func staying(_ pairs: [Pair], _ stretches: [SectionStretch]) -> [Pair] {
        let held = Set(stretches.map { [$0.oldSection, $0.newSection] })
        var staying: [Pair] = []
        var others: [Pair] = []
        func close(before end: Int) {
            let start = staying.last?.from ?? -1
            let fitting = others.filter { start < $0.from && $0.from < end }
            staying += longestAscent(fitting.map(\.from)).map { fitting[$0] }
            others = []
        }
        for pair in pairs {
            if held.contains([pair.from, pair.to]) {
                close(before: pair.from)
                staying.append(pair)
            } else {
                others.append(pair)
            }
        }
        close(before: .max)
        return staying
    }
}
