/// What a collection view and a table view have in common, as far as a list needs it. Rows are told by their positions
/// in the list, across sections.
@MainActor
protocol RowsView<ID>: AnyObject {
    associatedtype ID: Hashable & Sendable

    /// The rows on the screen; `nil` when there are none.
    var visibleRows: Range<Int>? { get }

    /// How far a row's top lies below the top of the screen; `nil` when that cannot be told.
    func top(ofRow row: Int) -> Double?

    /// Moves the content up by a distance, at once.
    func scroll(by distance: Double)

    /// Shows the first row, at once.
    func scrollToStart()

    /// Shows these items in place of those before.
    ///
    /// - Parameters:
    ///   - updated: those of them that have another value.
    ///   - isAnimated: whether rows may be seen to move. If not, the rows have their places when this returns.
    func show(_ ids: [ID], updated: [ID], isAnimated: Bool)
}
