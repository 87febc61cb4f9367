import PaginatorCore
public import PaginatorLists

/// The items of a list in sections, such as one for each day, kept up with the list update by update.
///
/// ```swift
/// var days = PaginatorListSections<Post, Post.ID, Day>(by: { $0.day })
/// list.observe(onMain: { update in
///     let difference = days.apply(update)
///     view.apply(difference, days.sections.map(\.key))
/// })
/// ```
///
/// A section is a run of neighbors with the same key. Where a key comes again further down, behind other keys, as in a
/// feed that is not sorted by it or across a gap, it is another section: its identity has the key and how many
/// sections with that key stand above. So no two sections have one identity, which a diffable data source does not
/// allow; but when such a section comes or goes, those below with the same key are told as other ones.
///
/// It is a value: a copy goes on from where it was made.
public struct PaginatorListSections<T: Sendable, ID: Hashable & Sendable, Key: Hashable & Sendable>: Sendable {
    /// Where an item is: the numbers of an index path.
    public typealias Place = PaginatorBatch.Place

    /// The sections from the top, as of the update applied last. Complexity: O(1).
    public private(set) var sections: [PaginatorListSection<Key>] = []
    /// The items of all sections, as of the update applied last.
    public private(set) var items = PaginatorListSnapshot<T, ID>()
    // The position of the list's anchor.
    private var anchorPosition: Int?
    private var last: ListChange.Numbers?
    private let key: @Sendable (T) -> Key

    /// Makes sections of no list yet.
    ///
    /// - Parameter key: what the items of a section have in common; pure.
    public init(by key: @escaping @Sendable (T) -> Key) {
        self.key = key
    }

    /// Follows the list to an update.
    ///
    /// The updates of one observation are to be applied one after the other. When one was left out, or it is another
    /// observation's, the difference still leads from what was shown before.
    /// Complexity: O(sections + changes · log items) for an update that follows the last one, O(items) for any other.
    ///
    /// A view's data source must not change before its batch: it gets the next sections in there, so apply an update to a
    /// copy of those that it reads.
    ///
    /// - Parameter update: what the list told.
    /// - Returns: how the sections and their rows change.
    public mutating func apply(_ update: PaginatorListUpdate<T, ID>) -> PaginatorSectionsDifference {
        let follows = last.map { $0.isFollowed(by: update.numbers) } ?? false
        let difference = follows ? update.difference : update.difference(from: items)
        let old = sections
        (items, anchorPosition, last) = (update.snapshot, update.anchor, update.numbers)
        sections = sections(after: difference)
        return PaginatorSectionsDifference(difference, from: old, to: sections)
    }

    /// Shows the items of a list that tells no updates. Complexity: O(items).
    mutating func show(_ items: PaginatorListSnapshot<T, ID>) {
        (self.items, anchorPosition, last, sections) = (items, nil, nil, [])
        sections = sections(without: [], with: [0..<items.count])
    }

    /// The items of a section.
    ///
    /// - Parameter section: the section's number, from 0.
    public subscript(section: Int) -> Slice<PaginatorListSnapshot<T, ID>> { items[sections[section].range] }

    /// The position in the list of an item's place in a section; `nil` where there is none. Complexity: O(1).
    public func position(of place: Place) -> Int? {
        guard sections.indices.contains(place.section) else { return nil }
        let range = sections[place.section].range
        return range.contains(range.lowerBound + place.row) ? range.lowerBound + place.row : nil
    }

    /// The place in a section of an item's position in the list; `nil` where there is none.
    /// Complexity: O(log sections).
    public func place(of position: Int) -> Place? { sections.place(of: position) }

    /// The positions from the first of some places to the last, for the list's `hint(visible:)`;
    /// `nil` when none of them is there.
    ///
    /// - Parameter places: in any order, such as those of all visible cells.
    public func positions(of places: some Sequence<Place>) -> Range<Int>? {
        Range(from: places.compactMap(position))
    }

    /// Where the first visible item is now, as last hinted; `nil` without a hint, or when it is gone.
    public var anchor: Place? { anchorPosition.flatMap(place) }

    // Only of what came or changed the key is asked for.
    private func sections(after difference: PaginatorListDifference<T>) -> [PaginatorListSection<Key>] {
        let changed = difference.updates.filter { !$0.isMoved }
        let holes =
            difference.removals + (difference.moves.map(\.from) + changed.map(\.oldPosition)).map { $0..<$0 + 1 }
        let new =
            difference.insertions.map(\.range)
            + (difference.moves.map(\.to) + changed.map(\.position)).map { $0..<$0 + 1 }
        return sections(without: holes, with: new)
    }

    private func sections(without holes: [Range<Int>], with new: [Range<Int>]) -> [PaginatorListSection<Key>] {
        var kept = sections.pieces(without: holes)[...]
        var runs: [PaginatorListSection<Key>] = []
        var occurrences: [Key: Int] = [:]
        var count = 0
        func append(_ key: Key, _ added: Int) {
            if let last = runs.last, last.key == key {
                runs[runs.count - 1].range = last.range.lowerBound..<count + added
            } else {
                let occurrence = occurrences[key, default: 0]
                occurrences[key] = occurrence + 1
                runs.append(
                    PaginatorListSection(id: .init(key: key, occurrence: occurrence), range: count..<count + added))
            }
            count += added
        }
        for range in new.sorted(by: { $0.lowerBound < $1.lowerBound }) + [items.count..<items.count] {
            while count < range.lowerBound, let piece = kept.first {
                let length = min(piece.range.count, range.lowerBound - count)
                append(sections[piece.section].key, length)
                kept.drop(length)
            }
            for position in range { append(key(items[position]), 1) }
        }
        return runs
    }
}
