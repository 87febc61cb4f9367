package typealias ItemChange<T> = @Sendable (T) -> T?

package enum EditOutcome<Value: Sendable>: Sendable {
    case committed
    // The source's value replaces the edit; `nil` if the item was removed since.
    case committedValue(Value?)
    case rolledBack
}

package indirect enum ListEdit<T: Sendable>: Sendable {
    // An edit begins, or is about to be committed; then pages with at least `number` edits contain it.
    case begin(UInt64, ItemReference<T>, ItemChange<T>, number: UInt64 = .max)
    // A row is inserted; without a token it is committed.
    case insert(UInt64?, T, ItemPlace<T>, scope: String, at: PaginatorInstant)
    // An edit has ended. A committed one has a number, and may be known to have removed the item.
    case settle(UInt64, EditOutcome<T>, number: UInt64 = 0, removes: Bool = false, at: PaginatorInstant)
}
