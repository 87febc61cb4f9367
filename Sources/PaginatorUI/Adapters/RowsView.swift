/// What a collection view and a table view have in common, as far as a list needs it.
@MainActor
protocol RowsView<ID>: AnyObject {
    associatedtype ID: Hashable & Sendable

    typealias Place = PaginatorBatch.Place

    /// Called when somebody scrolls, while the view lays out its rows, too.
    var onScroll: (@MainActor () -> Void)? { get set }

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

/// Looks at a view soon, once for all who ask for it until then: while it lays out its rows it cannot tell which ones are
/// visible.
@MainActor
final class SoonLook {
    private let look: @MainActor () -> Void
    private var isComing = false

    init(_ look: @escaping @MainActor () -> Void) {
        self.look = look
    }

    func ask() {
        guard !isComing else { return }
        isComing = true
        Task {
            isComing = false
            look()
        }
    }
}
