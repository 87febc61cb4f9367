extension CachedEntry {
    /// Makes what memory holds of a page.
    init(_ page: LoadedPage) {
        self.init(
            value: page.object, facts: page.facts, fetchedAt: page.fetchedAt, expiresAt: page.expiresAt,
            isInvalidated: page.isInvalidated, editMark: page.editMark, isStorable: page.isStorable)
    }
}

extension LoadedPage {
    /// Makes the page that memory holds.
    package init(_ entry: CachedEntry, neighbors: NeighborKeys) {
        self.init(
            object: entry.value, facts: entry.details.facts, neighbors: neighbors, origin: .memory,
            fetchedAt: entry.details.fetchedAt, expiresAt: entry.details.expiresAt,
            isInvalidated: entry.details.isInvalidated, editMark: entry.details.editMark,
            isStorable: entry.details.isStorable)
    }
}
