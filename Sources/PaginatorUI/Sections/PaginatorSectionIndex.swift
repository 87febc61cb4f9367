/// One title of an index of sections, such as the letters at the edge of a list of names, and where it leads.
public struct PaginatorSectionIndexEntry<Title: Hashable & Sendable>: Hashable, Sendable {
    /// What the index shows.
    public let title: Title
    /// The number of the first section with the title.
    public let section: Int
    /// The position in the list at which that section begins.
    public let position: Int
}

extension PaginatorListSections {
    /// An index of the sections: each title once, with the first section that has it, from the top.
    ///
    /// It has what is loaded, so it grows with the list; a title of which nothing is loaded is not in it.
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
    /// - Parameter title: what sections with this key are found by; those with equal titles share an entry.
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
