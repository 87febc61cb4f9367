import Foundation

/// A screen that a window of the page has open: what it shows, and what can be done there. The state itself is in a state
/// holder; this only says it as JSON.
@MainActor protocol AppScreen: AnyObject {
    /// What the page calls it.
    var kind: String { get }
    /// What it shows beside rows.
    var state: AppJSON { get }
    /// The rows of its list; `nil` for a screen without one.
    var rows: [AppRow]? { get }

    /// Takes which rows are on the screen, of those that it was told to show last.
    func visible(_ rows: Range<Int>, of all: [AppRow]) async
    /// Whether what is asked for is done one after the other; nothing of it may wait for the network then.
    var keepsOrder: Bool { get }
    /// Does what the user asked for.
    ///
    /// - Returns: whether that can be done here.
    func perform(_ intent: AppIntent) async throws -> Bool
}

extension AppScreen {
    var rows: [AppRow]? { nil }
    var keepsOrder: Bool { false }
    func visible(_ rows: Range<Int>, of all: [AppRow]) async {}
}

/// What the user asks for.
struct AppIntent: Sendable {
    let message: AppJSON
    /// The row that it is about, where it is about one that is still there.
    let row: AppRow?

    var what: String { message["what"]?.string ?? "" }
    var text: String { String((message["text"]?.string ?? "").prefix(20_000)) }
}

extension Range<Int> {
    /// Rows of a list among which some others stand first, as places among the list's own.
    func shifted(by offset: Int, in count: Int) -> Range<Int> {
        let lower = Swift.min(Swift.max(0, lowerBound + offset), count)
        return lower..<Swift.min(Swift.max(lower, upperBound + offset), count)
    }
}
