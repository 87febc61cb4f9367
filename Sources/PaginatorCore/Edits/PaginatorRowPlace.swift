/// The place of a local or live row.
public enum PaginatorRowPlace<ID: Hashable & Sendable>: Sendable, Hashable {
    /// Before the first item. Visible while the start of the list is loaded.
    case head
    /// After the last item. Visible while the end of the list is loaded.
    case tail
    /// Right after an item. Visible while that item's page is loaded, also after the item itself was removed.
    case after(ID)
}
