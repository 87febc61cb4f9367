public import PaginatorCore

extension PaginatorPage {
    /// Returns whether the page has one of these tags, byte by byte, as a store must compare them for
    /// ``/PaginatorCore/StoreChange/invalidateTags(_:)``.
    public func hasTag(in tags: [String]) -> Bool {
        self.tags.hasTag(in: tags)
    }
}
