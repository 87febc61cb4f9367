public import PaginatorCore
public import PaginatorLists

/// The state of a screen that shows a list.
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
    /// The first items are being loaded, or were not requested yet.
    case placeholder
    /// There are items. The load states at their ends are shown there.
    case items
    /// The list has loaded and has no items. If ``/PaginatorLists/PaginatorListStatus/hasNext`` is true, all loaded
    /// pages were empty; `loadAll(limit: 1)` continues to the first page with items. The same applies to
    /// ``/PaginatorLists/PaginatorListStatus/hasPrevious`` and `loadPrevious()`.
    case empty
    /// There is nothing to show, because a load failed.
    case failed(PaginatorError)

    /// Derives the state from a list.
    ///
    /// - Parameters:
    ///   - status: the list's status.
    ///   - isEmpty: whether its snapshot of the same time is empty.
    public init(_ status: PaginatorListStatus, isEmpty: Bool) {
        if !isEmpty {
            self = .items
        } else if let error = status.refresh.error ?? status.next.error ?? status.previous.error {
            self = .failed(error)
        } else {
            // Pages follow the empty ones, and an empty list stays empty while it is refreshed.
            self = status.hasLoaded && !status.next.isLoading && !status.previous.isLoading ? .empty : .placeholder
        }
    }
}

extension PaginatorListStatus {
    /// The state before the first item: the load of earlier items, or a failed refresh.
    var header: PaginatorLoadState {
        if isOneLoad, refresh.isLoading { return .idle }
        return refresh.error.map { .failed($0) } ?? previous
    }

    /// The state after the last item: the load of later items.
    var footer: PaginatorLoadState { isOneLoad && refresh.error != nil ? .idle : next }

    /// The pages that a pull loads. A list whose first load failed has no page of any key, so it begins, also while it
    /// still shows the rows of another scope.
    func pulled(_ refresh: PaginatorListRefresh) -> PaginatorListRefresh {
        if !hasLoaded || isOneLoad && self.refresh.error != nil, case .page = refresh { return .firstPage }
        return refresh
    }

    // Whether both ends show one load, as while another scope is to replace the rows. It is shown once.
    private var isOneLoad: Bool { next == refresh && previous == refresh }
}
