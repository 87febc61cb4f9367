/// Where a local or live row goes.
public enum PaginatorRowPlace<ID: Hashable & Sendable>: Sendable, Hashable {
    /// Above the first item; shown while the start of the list is loaded.
    case head
    /// Below the last item; shown while the end of the list is loaded.
    case tail
    /// Right after an item; shown while that item's page is loaded, also when the item itself has been removed.
    case after(ID)
}
