import PaginatorCore
public import PaginatorLists

/// A list on the main actor as views show it: ``PaginatorListModel`` or `PaginatorListObject`.
@MainActor
public protocol PaginatorListPresenting<T, ID>: AnyObject {
    /// The item type.
    associatedtype T: Sendable
    /// The type of the items' identities.
    associatedtype ID: Hashable & Sendable

    /// The list. Call loads, edits and hints on it.
    var list: PaginatorList<T, ID> { get }

    /// The rows of the list. Complexity: O(1).
    var items: PaginatorListSnapshot<T, ID> { get }

    /// The state of the list's loads.
    var status: PaginatorListStatus { get }

    /// The position of the item that was the first visible one at the last hint, jump or restore; `nil` before that, or
    /// if the item is gone.
    var anchor: Int? { get }
}

/// What both also offer to views of this package.
@MainActor
package protocol PaginatorListShowing<T, ID>: PaginatorListPresenting {
    var shown: ShownList<T, ID> { get }
}

/// The state of a list that both hold.
package struct ShownList<T: Sendable, ID: Hashable & Sendable> {
    var items: PaginatorListSnapshot<T, ID>
    var status: PaginatorListStatus
    /// The last update, and the number of updates so far.
    package private(set) var update: PaginatorListUpdate<T, ID>?
    package private(set) var count = 0

    init(_ list: PaginatorList<T, ID>) {
        items = list.snapshot
        status = list.status
        // The first update tells of it, together with its anchor.
        status.jump = nil
    }

    /// Whether an update has other rows or another status. The anchor alone changes with every row that is scrolled.
    func differs(from update: PaginatorListUpdate<T, ID>) -> Bool {
        update.status != status || !update.snapshot.isSame(as: items)
    }

    mutating func follow(_ update: PaginatorListUpdate<T, ID>) {
        self.update = update
        count += 1
        items = update.snapshot
        status = update.status
    }
}
