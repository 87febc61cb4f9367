extension CallbackPaginator {
    /// Returns the paginator's edits by one way to tell items from one another.
    ///
    /// All edits of a paginator are in one order and concern all its lists, by whichever closure. An edit costs a list
    /// that was made with another closure a look at all its items where the two tell items differently, and no more than
    /// one of its own where they agree.
    ///
    /// - Parameter id: tells one item from another; pure, and called on any thread.
    public func edits<ID: Hashable & Sendable>(id: @escaping @Sendable (T) -> ID) -> PaginatorEdits<T, ID> {
        PaginatorEdits(editBoard, ItemIdentifier(id))
    }
}
