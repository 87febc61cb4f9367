import PaginatorCore

/// An update for an observer of a list: the current rows, and the changes since the update before.
public struct PaginatorListUpdate<T: Sendable, ID: Hashable & Sendable>: Sendable {
    /// The rows that the list shows.
    public var snapshot: PaginatorListSnapshot<T, ID> { change.content.snapshot() }
    /// The changes from the last update's snapshot to this one. The first update inserts everything.
    public let difference: PaginatorListDifference<T>
    /// The state of the list's loads.
    public var status: PaginatorListStatus { change.content.status }
    /// The position of the first visible item, as last hinted, jumped to or restored; `nil` before that, or if the item
    /// was removed. A view keeps its place by scrolling by the distance between the last anchor and this one.
    public var anchor: Int? { change.anchor }
    /// Other events, in order; at most the last 256 notices.
    public var notices: [PaginatorListNotice] { change.notices }
    let change: ListChange
    package let numbers: ListChange.Numbers
    // The list's own comparison of values, if there is one.
    let isEqual: (@Sendable (T, T) -> Bool)?

    /// Returns this update in place of an earlier one that was not delivered. ``following(_:)`` must then compute its
    /// difference again.
    package func replacing(_ skipped: PaginatorListUpdate) -> PaginatorListUpdate {
        var numbers = numbers
        numbers.first = skipped.numbers.first
        return PaginatorListUpdate(
            difference: difference, change: change.replacing(skipped.change), numbers: numbers, isEqual: isEqual)
    }

    /// The changes from any snapshot of the list to this one. Complexity: O(items).
    package func difference(from snapshot: PaginatorListSnapshot<T, ID>) -> PaginatorListDifference<T> {
        PaginatorListDifference(from: snapshot.rows, to: change.content.rows, touches: nil, isEqual: isEqual)
    }

    /// Returns this update with the difference from the last one that its receiver got; `nil` for none.
    package func following(_ told: PaginatorListUpdate?) -> PaginatorListUpdate {
        let follows = told.map { $0.numbers.isFollowed(by: numbers) } ?? (numbers.first == 0)
        if follows, numbers.first == numbers.last { return self }
        var change = change
        // `touches` covers only the changes since the update before.
        if !follows { change.touches = nil }
        return PaginatorListUpdate(change, following: told?.change.content.rows ?? ListRows(), numbers, isEqual)
    }
}

extension PaginatorListUpdate {
    init(
        _ change: ListChange, following told: ListRows, _ numbers: ListChange.Numbers,
        _ isEqual: (@Sendable (T, T) -> Bool)?
    ) {
        let difference = PaginatorListDifference<T>(
            from: told, to: change.content.rows, touches: change.touches, isEqual: isEqual)
        self.init(difference: difference, change: change, numbers: numbers, isEqual: isEqual)
    }
}

/// The rows and status of a list at one time, shared by all observers.
final class ListContent: Sendable {
    let rows: ListRows
    let status: PaginatorListStatus
    private let places: ListItemTable

    init(rows: ListRows = ListRows(), status: PaginatorListStatus = PaginatorListStatus(), places: ListItemTable) {
        self.rows = rows
        self.status = status
        self.places = places
    }

    func snapshot<T, ID>() -> PaginatorListSnapshot<T, ID> { PaginatorListSnapshot(rows, ListItemIDs(table: places)) }
}

/// The changes of one event, or of several consecutive events, for observers.
package struct ListChange: Sendable {
    var content: ListContent
    var anchor: Int?
    // The ranks of the chunks that may have changed; `nil` for all.
    var touches: Set<Int>? = []
    var notices: [PaginatorListNotice] = []

    final class Observation: Sendable {}

    /// The range of updates of an observation that a change covers.
    package struct Numbers: Sendable {
        // The object and not its identifier, because another object could be allocated at the same address.
        let observation: Observation
        var first: Int
        let last: Int

        package func isFollowed(by other: Numbers) -> Bool {
            other.observation === observation && other.first == last + 1
        }
    }

    func replacing(_ earlier: ListChange) -> ListChange {
        var change = self
        change.touches = touches.flatMap { earlier.touches?.union($0) }
        change.notices = (earlier.notices + notices).suffix(256)
        return change
    }
}
