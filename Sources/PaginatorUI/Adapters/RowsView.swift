/// What a collection view and a table view have in common, as far as a list needs it.
@MainActor
protocol RowsView<ID>: AnyObject {
    associatedtype ID: Hashable & Sendable

    typealias Place = PaginatorBatch.Place

    /// The rows on the screen, in any order.
    var visiblePlaces: [Place] { get }

    /// How far a row's top lies below the top of the screen; `nil` when that cannot be told.
    func top(of place: Place) -> Double?

    /// Moves the content up by a distance, at once.
    func scroll(by distance: Double)

    /// Shows the first row, at once.
    func scrollToStart()

    /// Shows these rows in place of those before.
    func show(_ rows: ShownRows<ID>)
}

/// What a view with a diffable data source is to show.
struct ShownRows<ID: Hashable & Sendable> {
    var sections: [(id: PaginatorListSection<AnySectionKey>.ID, rows: [ID])]
    /// Those rows that have another value.
    var updated: [ID]
    /// Whether rows may be seen to move. If not, they are to have their places at once.
    var isAnimated: Bool
}
