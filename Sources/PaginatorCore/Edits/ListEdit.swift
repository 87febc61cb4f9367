package typealias ItemChange<T> = @Sendable (T) -> T?

package enum EditOutcome<Value: Sendable>: Sendable {
    case committed
    // The source's value is the truth now; `nil` where the item was removed since.
    case committedValue(Value?)
    case rolledBack
}

package indirect enum ListEdit<T: Sendable>: Sendable {
    // An edit lies over its item, or is about to be committed: then it has a number, and pages with as many contain it.
    case begin(UInt64, ItemReference<T>, ItemChange<T>, number: UInt64 = .max)
    // A row comes; one without a token is committed.
    case insert(UInt64?, T, ItemPlace<T>, scope: String, at: PaginatorInstant)
    // An edit of a token has ended. A committed one has a number, and may be known to have removed the item.
    case settle(UInt64, EditOutcome<T>, number: UInt64 = 0, removes: Bool = false, at: PaginatorInstant)
}
