public import PaginatorCore

extension PaginatorPage {
    /// Returns whether the page has one of these tags, compared by bytes, as a store must for
    /// ``/PaginatorCore/StoreChange/invalidateTags(_:)``.
    public func hasTag(in tags: [String]) -> Bool {
        self.tags.hasTag(in: tags)
    }
}
