public import PaginatorCore
public import PaginatorLists

/// What a screen shows of a list as a whole.
///
/// ```swift
/// switch PaginatorScreenState(list.status, isEmpty: list.snapshot.isEmpty) {
/// case .placeholder: show(["…"])
/// case .items: show(list.snapshot)
/// case .empty: show(["No posts yet"])
/// case .failed(let error): show([error.localizedDescription])
/// default: break
/// }
/// ```
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum PaginatorScreenState: Sendable {
    /// The first items are on their way, or nobody has asked for them yet.
    case placeholder
    /// There are items; what goes on at their ends stands there.
    case items
    /// The list has loaded, and there is nothing in it. Where ``/PaginatorLists/PaginatorListStatus/hasNext`` says that there may be more,
    /// no loaded page had an item, and `loadAll(limit: 1)` of the list goes on to the first that has.
    case empty
    /// There is nothing to show, because a load failed.
    case failed(PaginatorError)

    /// Tells what a screen shows.
    ///
    /// - Parameters:
    ///   - status: what the list is doing.
    ///   - isEmpty: whether its snapshot of that time has no items.
    public init(_ status: PaginatorListStatus, isEmpty: Bool) {
        if !isEmpty {
            self = .items
        } else if let error = status.refresh.error ?? status.next.error ?? status.previous.error {
            self = .failed(error)
        } else {
            // Pages without items are followed by others, and a list that was empty stays so while it is refreshed.
            self = status.hasLoaded && !status.next.isLoading && !status.previous.isLoading ? .empty : .placeholder
        }
    }
}

extension PaginatorListStatus {
    /// What stands before the first item: the load of earlier items, or why the items could not be renewed.
    var header: PaginatorLoadState { refresh.error.map { .failed($0) } ?? previous }
}
