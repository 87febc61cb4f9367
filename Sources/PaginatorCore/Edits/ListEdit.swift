/// A pure change of an item; `nil` removes it.
typealias ItemChange<T> = @Sendable (T) -> T?

/// What a list learns of edits, whatever tells the items of either from one another.
enum ListEdit<T: Sendable>: Sendable {
    /// How an edit ended.
    enum Outcome: Sendable {
        case committed
        case committedValue(T)
        case committedChange(ItemChange<T>)
        case rolledBack
    }

    case begin(UInt64, ItemReference<T>, ItemChange<T>)
    /// A row comes; one without a token is committed.
    case insert(UInt64?, T, ItemPlace<T>, at: PaginatorInstant)
    case settle(UInt64, Outcome, number: UInt64, removes: Bool, at: PaginatorInstant)
}
