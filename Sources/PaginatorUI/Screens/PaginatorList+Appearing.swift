public import PaginatorCore

extension PaginatorList {
    /// Tells that an item's row came on the screen, such as in a delegate's `willDisplay`, so that the list loads ahead.
    ///
    /// `hint(visible:)` tells all that is visible, by which a bookmark is more exact.
    ///
    /// - Parameter id: the item; nothing happens when the list does not show it.
    public func itemDidAppear(id: ID) { hint(visible: id) }
}
