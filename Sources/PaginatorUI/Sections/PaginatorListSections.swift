import PaginatorCore
public import PaginatorLists

/// A list's items in sections, such as one for each day, kept current by applying each update.
///
/// ```swift
/// var days = PaginatorListSections<Post, Post.ID, Day>(by: { $0.day })
/// list.observe(onMain: { update in
///     let difference = days.apply(update)
///     view.apply(difference, days.sections.map(\.key))
/// })
/// ```
///
/// A section is a run of consecutive items with the same key. A key that occurs again after other keys, in an unsorted
/// feed or across a gap, begins another section. A section is identified by its key and the number of sections above it
/// with that key. So identities are unique, as a diffable data source requires. But when a section is inserted or
/// removed, the ones below with the same key get other identities.
///
/// It is a value: copies change independently.
public struct PaginatorListSections<T: Sendable, ID: Hashable & Sendable, Key: Hashable & Sendable>: Sendable {
    /// The section and row of an item in an index path.
    public typealias Place = PaginatorBatch.Place

    /// The sections in order, as of the last applied update. Complexity: O(1).
    public private(set) var sections: [PaginatorListSection<Key>] = []
    /// The items of all sections, as of the last applied update.
    public private(set) var items = PaginatorListSnapshot<T, ID>()
    private var last: ListChange.Numbers?
    private let key: @Sendable (T) -> Key

    /// Creates an empty value; apply an update to fill it.
    ///
    /// - Parameter key: returns the section key of an item. It must be pure.
    public init(by key: @escaping @Sendable (T) -> Key) {
        self.key = key
    }

    /// Applies an update of the list.
    ///
    /// Apply the updates of one observation in order. After a skipped update, or one of another observation, the
    /// difference still begins at what was shown before. Complexity: O(sections + changes · log items) for the next
    /// update of the same observation, else O(items).
    ///
    /// A view's data source must only change inside its batch, so apply an update to a copy of the sections that it
    /// reads.
    ///
    /// - Parameter update: an update of the list.
    /// - Returns: the changes of the sections and their rows.
    public mutating func apply(_ update: PaginatorListUpdate<T, ID>) -> PaginatorSectionsDifference {
        let follows = last.map { $0.isFollowed(by: update.numbers) } ?? false
        let difference = follows ? update.difference : update.difference(from: items)
        let old = sections
        (items, last) = (update.snapshot, update.numbers)
        sections = sections(after: difference)
        return PaginatorSectionsDifference(difference, from: old, to: sections)
    }

    /// Shows the items of a list without updates. Complexity: O(items).
    mutating func show(_ items: PaginatorListSnapshot<T, ID>) {
        (self.items, last, sections) = (items, nil, [])
        sections = sections(without: [], with: [0..<items.count])
    }

    /// The items of a section.
    ///
    /// - Parameter section: the section's index, from 0.
    public subscript(section: Int) -> Slice<PaginatorListSnapshot<T, ID>> { items[sections[section].range] }

    /// Returns the position in the list of an item's place; `nil` if there is none. Complexity: O(1).
    public func position(of place: Place) -> Int? {
        guard sections.indices.contains(place.section) else { return nil }
        let range = sections[place.section].range
        return (0..<range.count).contains(place.row) ? range.lowerBound + place.row : nil
    }

    /// Returns the place of a position in the list; `nil` if there is none. Complexity: O(log sections).
    public func place(of position: Int) -> Place? { sections.place(of: position) }

    /// Returns the range of positions from the first to the last of some places, for the list's `hint(visible:)`; `nil`
    /// if none of them exists.
    ///
    /// - Parameter places: the places, in any order, such as those of all visible cells.
    public func positions(of places: some Sequence<Place>) -> Range<Int>? {
        Range(from: places.compactMap(position))
    }

    // Asks for the keys of new and changed items only.
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
