/// A title in an index of sections, such as the letters at the edge of a list of names, and its section.
public struct PaginatorSectionIndexEntry<Title: Hashable & Sendable>: Hashable, Sendable {
    /// The title.
    public let title: Title
    /// The index of the first section with the title.
    public let section: Int
    /// The position in the list at which that section begins.
    public let position: Int
}

extension PaginatorListSections {
    /// Returns an index of the sections: each title once, with its first section, in order.
    ///
    /// It covers the loaded items, so it grows with the list.
    ///
    /// ```swift
    /// let days = PaginatorListSections<Post, Post.ID, Day>(by: { $0.day })
    /// let entries = days.index
    /// // A table view takes the titles in `sectionIndexTitles(for:)`, and the section of one in
    /// // `tableView(_:sectionForSectionIndexTitle:at:)`, which tells the entry's number.
    /// print(entries.map(\.title), entries[2].section)
    /// // A view without sections scrolls to where it begins.
    /// print(entries[2].position)
    /// ```
    /// Complexity: O(sections).
    ///
    /// - Parameter title: returns the title of sections with a key. Sections with equal titles share an entry.
    public func index<Title>(by title: (Key) -> Title) -> [PaginatorSectionIndexEntry<Title>] {
        var titles: Set<Title> = []
        return sections.indices.compactMap { number in
            let title = title(sections[number].key)
            guard titles.insert(title).inserted else { return nil }
            return PaginatorSectionIndexEntry(
                title: title, section: number, position: sections[number].range.lowerBound)
        }
    }

    /// An index of the sections by their keys.
    public var index: [PaginatorSectionIndexEntry<Key>] { index { $0 } }
}
