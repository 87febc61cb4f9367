import PaginatorCore

/// What an observer of a list is told: what the list shows now, and how that differs from what it was told before.
public struct PaginatorListUpdate<T: Sendable, ID: Hashable & Sendable>: Sendable {
    /// What the list shows.
    public var snapshot: PaginatorListSnapshot<T, ID> { change.content.snapshot() }
    /// How the snapshot that was told before becomes this one; the first update inserts everything.
    public let difference: PaginatorListDifference<T>
    /// What the list is doing.
    public var status: PaginatorListStatus { change.content.status }
    /// Where the first visible item is now, as last hinted, jumped to or restored; `nil` before that, or when it is gone. A
    /// view that scrolls by the difference of two anchors does not jump.
    public var anchor: Int? { change.anchor }
    /// What else happened, in order: the last 256 notices.
    public var notices: [PaginatorListNotice] { change.notices }
    var touches: Set<Int>? { change.touches }
    let change: ListChange
    package let numbers: ListChange.Numbers
    // How the list compares items, where it was told so.
    let isEqual: (@Sendable (T, T) -> Bool)?

    /// This update in place of the one before it, which nobody took. Its difference is wrong until
    /// ``following(_:)`` has made it anew.
    package func replacing(_ skipped: PaginatorListUpdate) -> PaginatorListUpdate {
        var numbers = numbers
        numbers.first = skipped.numbers.first
        return PaginatorListUpdate(
            difference: difference, change: change.replacing(skipped.change), numbers: numbers, isEqual: isEqual)
    }

    /// How any snapshot of the list becomes this one. Complexity: O(items).
    package func difference(from snapshot: PaginatorListSnapshot<T, ID>) -> PaginatorListDifference<T> {
        PaginatorListDifference(from: snapshot.rows, to: change.content.rows, touches: nil, isEqual: isEqual)
    }

    /// This update with the difference from what its taker was told before; `nil` for nothing yet.
    package func following(_ told: PaginatorListUpdate?) -> PaginatorListUpdate {
        let follows = told.map { $0.numbers.isFollowed(by: numbers) } ?? (numbers.first == 0)
        if follows, numbers.first == numbers.last { return self }
        var change = change
        // What has changed since then others were told of.
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

/// What a list shows and does at one time: one object for all who are told of it.
final class ListContent: Sendable {
    let rows: ListRows
    let status: PaginatorListStatus
    private let places: any ListPlaces

    init(rows: ListRows = ListRows(), status: PaginatorListStatus = PaginatorListStatus(), places: any ListPlaces) {
        self.rows = rows
        self.status = status
        self.places = places
    }

    func snapshot<T, ID>() -> PaginatorListSnapshot<T, ID> { PaginatorListSnapshot(rows, KnownType.cast(places)) }
}

/// What observers of a list are told of one event, or of several that followed each other.
package struct ListChange: Sendable {
    var content: ListContent
    var anchor: Int?
    // The ranks of the chunks that may have changed; `nil` for all.
    var touches: Set<Int>? = []
    var notices: [PaginatorListNotice] = []

    final class Observation: Sendable {}

    /// Which changes of an observation one stands for.
    package struct Numbers: Sendable {
        // The object itself: one that comes later could lie where this one lay.
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
