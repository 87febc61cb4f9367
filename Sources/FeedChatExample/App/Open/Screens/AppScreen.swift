import Foundation

/// A screen that a window of the page has open: its content and its actions. A state holder has the state; this only
/// converts it to JSON.
@MainActor protocol AppScreen: AnyObject {
    /// The page's name for the screen.
    var kind: String { get }
    /// The state of the screen without its rows.
    var state: AppJSON { get }
    /// The rows of its list; `nil` for a screen without one.
    var rows: [AppRow]? { get }

    /// Handles which of the rows are visible.
    func visible(_ rows: Range<Int>, of all: [AppRow]) async
    /// Whether actions run one after the other; none of them may wait for the network then.
    var keepsOrder: Bool { get }
    /// Performs an action of the user.
    ///
    /// - Returns: whether the screen has this action.
    func perform(_ intent: AppIntent) async throws -> Bool
}

extension AppScreen {
    var rows: [AppRow]? { nil }
    var keepsOrder: Bool { false }
    func visible(_ rows: Range<Int>, of all: [AppRow]) async {}
}

/// An action of the user.
struct AppIntent: Sendable {
    let message: AppJSON
    /// The row of the action, if it has one that still exists.
    let row: AppRow?

    var what: String { message["what"]?.string ?? "" }
    var text: String { String((message["text"]?.string ?? "").prefix(20_000)) }
}

extension [AppRow] {
    /// Returns the positions of the rows from one to another; `nil` if one of them was removed, and the page does not
    /// know it yet.
    func positions(from first: String, to last: String) -> Range<Int>? {
        guard let lower = firstIndex(where: { $0.id == first }), let upper = lastIndex(where: { $0.id == last }),
            lower <= upper
        else { return nil }
        return lower..<upper + 1
    }
}

extension Range<Int> {
    /// Converts a range of rows, with other rows before the list's own, to positions in the list.
    func shifted(by offset: Int, in count: Int) -> Range<Int> {
        let lower = Swift.min(Swift.max(0, lowerBound + offset), count)
        return lower..<Swift.min(Swift.max(lower, upperBound + offset), count)
    }
}
