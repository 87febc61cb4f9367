import PaginatorCore
import PaginatorLists

/// How sections of a list and their rows become others, for a view with sections.
///
/// It counts as `UICollectionView`, `UITableView` and `NSCollectionView` do within a batch: removed sections, and what
/// is removed or moves away, by what was shown before; inserted sections, and what is inserted or moves in, by what is
/// shown after. Rows of removed and of inserted sections are not named. A section moves as it is: one whose rows come and
/// go, too, is removed and inserted. The updates of rows come after the batch.
///
/// ```swift
/// var days = PaginatorListSections<Post, Post.ID, Day>(by: { $0.day })
/// list.observe(onMain: { update in
///     // The view's data source reads `days`, which must not change before the batch.
///     var next = days
///     let difference = next.apply(update)
///     collectionView.performBatchUpdates {
///         days = next
///         collectionView.deleteSections(IndexSet(difference.removedSections))
///         collectionView.insertSections(IndexSet(difference.insertedSections))
///         for move in difference.movedSections { collectionView.moveSection(move.from, toSection: move.to) }
///         collectionView.deleteItems(at: difference.rows.removals.map { [$0.section, $0.row] })
///         collectionView.insertItems(at: difference.rows.insertions.map { [$0.section, $0.row] })
///         for move in difference.rows.moves {
///             collectionView.moveItem(at: [move.from.section, move.from.row], to: [move.to.section, move.to.row])
///         }
///     }
///     collectionView.reconfigureItems(at: difference.rows.updates.map { [$0.section, $0.row] })
/// })
/// ```
public struct PaginatorSectionsDifference: Sendable {
    /// The numbers of the sections that are gone, as they were, ascending.
    public private(set) var removedSections: [Int] = []
    /// The numbers of the sections that are new, as they are, ascending.
    public private(set) var insertedSections: [Int] = []
    /// The sections that are in another order with all their rows: from which number to which, ascending by these.
    public private(set) var movedSections: [(from: Int, to: Int)] = []
    /// How rows change in the sections that stay.
    public private(set) var rows: PaginatorBatch

    /// Whether nothing changes.
    public var isEmpty: Bool { hasOnlyUpdates && rows.updates.isEmpty }

    var hasOnlyUpdates: Bool {
        removedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty && rows.hasOnlyUpdates
    }

    /// The difference of rows whose sections stay as they are.
    init(_ rows: PaginatorBatch) {
        self.rows = rows
    }

    init<T, Key>(
        _ difference: PaginatorListDifference<T>, from old: [PaginatorListSection<Key>],
        to new: [PaginatorListSection<Key>]
    ) {
        rows = PaginatorBatch(PaginatorListDifference<Never>())
        let stretches = old.stretches(after: difference, to: new)
        let pairs = Self.pairs(old, new)
        let staying = Self.staying(pairs, stretches)
        let (oldStaying, newStaying) = (Set(staying.map(\.from)), Set(staying.map(\.to)))
        let origins = Dictionary(difference.moves.map { ($0.to, $0.from) }) { first, _ in first }
        movedSections = pairs.filter { pair in
            // As a whole: each of its rows has moved, and is the same one of the section.
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
        // What stays in the list may be in another section all the same.
        let crossed = stretches.filter { old[$0.oldSection].id != new[$0.newSection].id }
        for move in difference.moves + crossed.flatMap({ zip($0.old, $0.new).map { (from: $0, to: $1) } }) {
            switch (before(move.from), after(move.to)) {
            case (let from?, let to?): rows.moves.append((from: from, to: to))
            case (let from?, nil): rows.removals.append(from)
            case (nil, let to?): rows.insertions.append(to)
            case (nil, nil): break
            }
        }
        // Of a row that is made anew nothing else is told.
        rows.updates = difference.updates.compactMap { update in
            guard let place = new.place(of: update.position) else { return nil }
            let isKept = before(update.oldPosition) != nil && newStaying.contains(place.section)
            return isKept || newMoved.contains(place.section) ? place : nil
        }
    }

    private typealias Pair = (from: Int, to: Int)

    // The sections that are in both, by their new order.
    private static func pairs<Key>(_ old: [PaginatorListSection<Key>], _ new: [PaginatorListSection<Key>]) -> [Pair] {
        let before = Dictionary(old.enumerated().map { ($1.id, $0) }) { first, _ in first }
        return new.enumerated().compactMap { index, section in before[section.id].map { ($0, index) } }
    }

    // Those with rows that stay are in the same order, as these rows are; between them as many of the others as can.
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
