import PaginatorCore
public import PaginatorLists

/// What ``PaginatorListModel`` and `PaginatorListObject` both are: a list on the main actor, as views show it.
@MainActor
public protocol PaginatorListPresenting<T, ID>: AnyObject {
    /// What the list is made of.
    associatedtype T: Sendable
    /// What tells one item from another.
    associatedtype ID: Hashable & Sendable

    /// The list that is shown. Loads, edits and hints are called on it.
    var list: PaginatorList<T, ID> { get }

    /// What the list shows. Complexity: O(1).
    var items: PaginatorListSnapshot<T, ID> { get }

    /// What the list is doing.
    var status: PaginatorListStatus { get }

    /// The position of the item that was the first visible one at the last hint, jump or restore; `nil` before, and when that
    /// item is gone.
    var anchor: Int? { get }

    /// The changes that led from the items before to ``items``, for views that animate or scroll by themselves.
    var difference: PaginatorListDifference<T> { get }
}

/// What both tell views of this package beside that.
@MainActor
package protocol PaginatorListShowing<T, ID>: PaginatorListPresenting {
    var shown: ShownList<T, ID> { get }
}

/// What both have of a list at one time.
package struct ShownList<T: Sendable, ID: Hashable & Sendable> {
    var items: PaginatorListSnapshot<T, ID>
    var status: PaginatorListStatus
    var anchor: Int?
    var difference = PaginatorListDifference<T>()
    /// What the list told last, and how often it has told anything.
    package private(set) var update: PaginatorListUpdate<T, ID>?
    package private(set) var count = 0

    init(_ list: PaginatorList<T, ID>) {
        items = list.snapshot
        status = list.status
    }

    mutating func follow(_ update: PaginatorListUpdate<T, ID>) {
        // What an observer is told first inserts everything, and the model began with what the list had.
        difference = count > 0 ? update.difference : update.difference(from: items)
        self.update = update
        count += 1
        items = update.snapshot
        status = update.status
        anchor = update.anchor
    }
}
